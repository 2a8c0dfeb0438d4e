"""What can be picked, where picks come from, and which of them fit what was typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

_SEPARATORS = frozenset("_-./ :")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A row: ``text`` is searched and shown first, ``detail`` behind it, ``key`` at the right end."""

    text: str
    run: Callable[[], None]
    detail: str = ""
    key: str = ""
    icon: str = "file"
    tone: str = "text_2"
    is_enabled: bool = True
    is_fixed: bool = False
    """Whether it stands whatever was typed."""
    is_note: bool = False
    """Whether it only says something of what was typed."""


class Source(Protocol):
    """Where picks come from. ``prefix`` is what a person types to reach it."""

    prefix: str

    def hint(self) -> str:
        """Return what the empty field says, in the language of the moment."""
        ...

    def picks(self, typed: str) -> Sequence[Pick]:
        """Return what can be picked, the likeliest first."""
        ...


def fitting(picks: Iterable[Pick], typed: str) -> list[Pick]:
    """Return the picks that hold every word that was typed, those that fit best first.

    A word fits best at the start of the text, then at the start of a part of it, then anywhere, then in the detail; a
    word whose letters only occur in order fits least. Of equals the earlier one stays first.
    """
    words = typed.lower().split()
    scored = [(score, pick) for pick in picks if (score := 0 if pick.is_fixed else _score(pick, words)) is not None]
    return [pick for _, pick in sorted(scored, key=lambda item: item[0])]


def _score(pick: Pick, words: list[str]) -> int | None:
    total = 0
    text, detail = pick.text.lower(), pick.detail.lower()
    for word in words:
        score = _fit(text, detail, word)
        if score is None:
            return None
        total += score
    return total


def _fit(text: str, detail: str, word: str) -> int | None:
    at = text.find(word)
    if at == 0:
        return 0
    if at > 0:
        starts = (place for place in range(1, len(text)) if text.startswith(word, place))
        return 1 if any(text[place - 1] in _SEPARATORS for place in starts) else 2
    if word in detail:
        return 3
    letters = iter(text)
    return 4 if all(letter in letters for letter in word) else None
