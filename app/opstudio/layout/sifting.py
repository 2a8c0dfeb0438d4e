"""Moves single strands along their level to where their links cross the fewest others.

Source: C. Matuszewski, R. Schönfeld and P. Molitor, "Using sifting for k-layer straightline crossing minimization",
Graph Drawing 1999.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from opstudio.layout.neighbours import Neighbours, Order
from opstudio.layout.starting_order import Held

_PASSES = 4
"""How often all levels are gone through at most."""
_REACH = 24
"""Places that a strand is moved at most, so that the work for a wide level does not grow with its square."""
_BUDGET = 400_000
"""Links that may be compared: dense graphs have more than is worth the time."""


def sift(
    order: Order, place: list[int], levels: list[int], above: Neighbours, below: Neighbours, held: Held | None
) -> None:
    """Move strands on the ``levels`` as long as crossings become fewer; ``order`` and ``place`` are changed."""
    budget = _BUDGET
    for _ in range(_PASSES):
        is_changed = False
        for level in levels:
            row = order[level]
            ends = {strand: _Ends(strand, place, above, below) for strand in row}
            for strand in row.copy():
                index = place[strand]
                best, work = _best_place(index, row, ends, held)
                budget -= work
                if budget < 0:
                    return
                if best != index:
                    row.insert(best, row.pop(index))
                    for moved in range(min(best, index), max(best, index) + 1):
                        place[row[moved]] = moved
                    is_changed = True
        if not is_changed:
            return


class _Ends:
    """Where the links of a strand end on both sides, from left to right."""

    __slots__ = ("above", "below", "size")

    def __init__(self, strand: int, place: list[int], above: Neighbours, below: Neighbours) -> None:
        self.above = _places(strand, place, above)
        self.below = _places(strand, place, below)
        self.size = len(self.above) + len(self.below)


def _places(strand: int, place: list[int], neighbours: Neighbours) -> list[float]:
    links = range(neighbours.first[strand], neighbours.first[strand + 1])
    return sorted(place[neighbours.strand[link]] + neighbours.offset[link] for link in links)


def _best_place(index: int, row: list[int], ends: dict[int, _Ends], held: Held | None) -> tuple[int, int]:
    """Return the place for a strand that saves the most crossings, and how many links were compared to find it."""
    strand = row[index]
    own = ends[strand]
    best, most, work = index, 0, 0
    for step in (-1, 1):
        saved = 0
        stop = max(index - _REACH, -1) if step < 0 else min(index + _REACH, len(row))
        for other in range(index + step, stop, step):
            left, right = (strand, row[other]) if step > 0 else (row[other], strand)
            if held is not None and held.keeps(left, right):
                break
            passed = ends[row[other]]
            work += own.size + passed.size
            saved += _gain(own, passed) if step > 0 else _gain(passed, own)
            if saved > most:
                best, most = other, saved
    return best, work


def _gain(left: _Ends, right: _Ends) -> int:
    """Return how many crossings fewer there are when two that stand side by side change places."""
    gain = 0
    for of_left, of_right in ((left.above, right.above), (left.below, right.below)):
        for end in of_left:
            gain += bisect_left(of_right, end) + bisect_right(of_right, end) - len(of_right)
    return gain
