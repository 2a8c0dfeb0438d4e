"""Names that come near one that was mistyped, searched among as many as a hostile file may hold.

What is found is what ``difflib.get_close_matches`` finds, ignoring case. That compares with every name, at tens of
microseconds each; here the letters that two names have in common bound how near they can be, for all names at once,
and only those that can be among the nearest are compared. Where a file has thousands of names to search for, the
later ones get no answer: hints are worth a second, not minutes.
Source of the bound: ``difflib.SequenceMatcher.quick_ratio``, twice the letters in common by the letters of both.
"""

from __future__ import annotations

import difflib
import heapq
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

_CUTOFF = 0.6
"""How near names must be; ``difflib``'s own measure."""
_SHORT, _CUTOFF_OF_SHORT = range(4, 9), 0.7
"""Numbers of letters of which fewer are enough to be near by chance (DCNv2 and Conv: 0.67), and how near those must be.

One wrong letter of four leaves 0.75; one of three leaves 0.67, hence shorter names are searched as long ones are.
"""
_LONGEST = 256
"""Letters of a name. Nobody mistypes longer ones, and comparing takes the square of their length."""
_MOST_COMPARED = 30_000
"""Names that are compared for all searches together, 30 µs each."""
_MOST_BOUNDED = 10_000_000
"""Names whose bound is taken for all searches together, 0.1 µs each."""
_BUILDING, _SEARCHING = 10, 300
"""What it takes to look at a name for the first time, and to begin a search, against taking a bound."""
_LETTERS = 64
"""Kinds of letters that are counted; those of one kind count as the same, which leaves the bound a bound."""


class NearBudget:
    """What several searches have used together, and whether there is anything left."""

    __slots__ = ("bounded", "compared")

    def __init__(self) -> None:
        self.bounded = self.compared = 0

    @property
    def is_spent(self) -> bool:
        """Whether no search is made any more."""
        return self.bounded > _MOST_BOUNDED or self.compared > _MOST_COMPARED


class NearNames:
    """The names to search among; they are looked at when the first search begins. Answers are kept."""

    def __init__(self, known: Iterable[str], budget: NearBudget | None = None) -> None:
        self._known = known
        self._budget = budget or NearBudget()
        self._folded: list[str] | None = None
        self._names: list[str] = []
        self._counts: npt.NDArray[np.uint16] = np.zeros((0, _LETTERS), dtype=np.uint16)
        self._lengths: npt.NDArray[np.float64] = np.zeros(0)
        self._answers: dict[str, tuple[str, ...]] = {}

    def nearest(self, name: str, *, most: int = 3) -> tuple[str, ...]:
        """Return the names that ``name`` was probably meant to be, ignoring case, the nearest first."""
        folded = name.casefold()
        found = self._answers.get(folded)
        if found is None:
            found = self._answers[folded] = self._search(folded, most)
        return found

    def _search(self, folded: str, most: int) -> tuple[str, ...]:
        if len(folded) > _LONGEST or self._budget.is_spent:
            return ()
        if self._folded is None:
            by_folded = {name.casefold(): name for name in self._known if name and len(name) <= _LONGEST}
            self._folded, self._names = list(by_folded), list(by_folded.values())
            self._counts = _letter_counts(self._folded)
            self._lengths = np.array([len(name) for name in self._folded], dtype=np.float64)
            self._budget.bounded += _BUILDING * len(self._folded)
        if not self._folded:
            return ()
        self._budget.bounded += _SEARCHING + len(self._folded)
        common = np.minimum(self._counts, _letter_counts([folded])).sum(axis=1, dtype=np.int64)
        bounds = 2.0 * common / (self._lengths + len(folded))
        possible = np.flatnonzero(bounds >= _cutoff(folded))
        return tuple(
            self._names[index] for index in self._compare(folded, possible[np.argsort(-bounds[possible])], bounds, most)
        )

    def _compare(
        self, folded: str, possible: npt.NDArray[np.int64], bounds: npt.NDArray[np.float64], most: int
    ) -> list[int]:
        """Return the nearest of the names that are possible, which come with the highest bound first."""
        assert self._folded is not None
        cutoff = _cutoff(folded)
        matcher = difflib.SequenceMatcher()
        matcher.set_seq2(folded)
        best: list[tuple[float, str, int]] = []
        for index in possible.tolist():
            if len(best) == most and bounds[index] < best[0][0]:
                break
            self._budget.compared += 1
            if self._budget.is_spent:
                break
            other = self._folded[index]
            matcher.set_seq1(other)
            if matcher.quick_ratio() >= cutoff and (score := matcher.ratio()) >= cutoff:
                # Of names that are as near, the last one of the alphabet counts, as with difflib.
                heapq.heappush(best, (score, other, index))
                if len(best) > most:
                    heapq.heappop(best)
        return [index for _, _, index in sorted(best, reverse=True)]


def _cutoff(folded: str) -> float:
    return _CUTOFF_OF_SHORT if len(folded) in _SHORT else _CUTOFF


def _letter_counts(names: list[str]) -> npt.NDArray[np.uint16]:
    """Return how often each kind of letter stands in each name. Shapes: (names, kinds)."""
    lengths = np.array([len(name) for name in names], dtype=np.int64)
    letters = np.frombuffer("".join(names).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    rows = np.repeat(np.arange(len(names), dtype=np.int64), lengths)
    counts = np.bincount(rows * _LETTERS + (letters & (_LETTERS - 1)), minlength=len(names) * _LETTERS)
    return counts.reshape(len(names), _LETTERS).astype(np.uint16)
