"""The order that the search for few crossings starts from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opstudio.layout.arrays import Floats, starts_of
from opstudio.layout.neighbours import Order
from opstudio.layout.reduction import Strands
from opstudio.layout.rows import Rows

_FILLING_ROUNDS = 8
"""How many levels away from known strands new ones still get a place from them; others come in order of depth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Where strands stood in an earlier layout.

    ``place`` are earlier x coordinates in pixels, NaN for strands that are new. ``is_held`` says whether nodes of the
    strand were there: these keep their order, while lines find their way anew.
    """

    place: list[float]
    is_held: list[bool]

    def keeps(self, left: int, right: int) -> bool:
        """Whether two strands must not change their places."""
        return self.is_held[left] and self.is_held[right] and self.place[left] != self.place[right]

    def restore(self, row: list[int]) -> None:
        """Put the held strands of a row back into their order, in the slots that they have now."""
        slots = [index for index, strand in enumerate(row) if self.is_held[strand]]
        held = sorted((row[slot] for slot in slots), key=self.place.__getitem__)
        for slot, strand in zip(slots, held, strict=True):
            row[slot] = strand


def hold(rows: Rows, strands: Strands, earlier_x: Floats) -> Held:
    """Return what is held of an earlier layout.

    A strand stands where its uppermost item stood that was there, nodes before bends.

    Shapes: earlier_x: (items,), NaN for what is new.
    """
    is_known = ~np.isnan(earlier_x)
    is_bend = np.arange(rows.item_count) >= rows.node_count
    known = np.flatnonzero(is_known)
    known = known[np.lexsort((rows.row[known], is_bend[known], strands.strand[known]))]
    strand, first = np.unique(strands.strand[known], return_index=True)
    place = np.full(strands.count, np.nan)
    place[strand] = earlier_x[known[first]]
    is_held = np.zeros(strands.count, dtype=np.bool_)
    is_held[strand] = ~is_bend[known[first]]
    return Held(place=place.tolist(), is_held=is_held.tolist())


def depth_first_order(strands: Strands, *, from_right: bool = False, from_bottom: bool = False) -> Order:
    """Return strands in the order in which a search in depth finds them, from the inputs or from the outputs.

    What one node feeds stands together, and a line that leaves it beside its first reader stands at the right.
    """
    of, other, offset = strands.upper, strands.lower, strands.upper_offset
    if from_bottom:
        of, other, offset = other, of, strands.lower_offset
    by_strand = np.lexsort((offset, of))
    first = starts_of(of, strands.count).tolist()
    following = other[by_strand].tolist()
    is_root = np.bincount(other, minlength=strands.count) == 0
    roots = np.flatnonzero(is_root)
    roots = roots[np.argsort(strands.top[roots], kind="stable")].tolist()
    step = 1 if from_right else -1
    order: Order = [[] for _ in range(strands.level_count)]
    level = strands.level.tolist()
    is_seen = bytearray(strands.count)
    for root in roots[::-1] if from_right else roots:
        stack = [root]
        while stack:
            strand = stack.pop()
            if is_seen[strand]:
                continue
            is_seen[strand] = 1
            order[level[strand]].append(strand)
            stack.extend(following[first[strand] : first[strand + 1]][::step])
    return order


def earlier_order(strands: Strands, held: Held) -> Order:
    """Return strands in the order that they had; new ones stand between those that they are linked with."""
    place = _fill(strands, np.array(held.place))
    order = depth_first_order(strands)
    for row in order:
        row.sort(key=place.__getitem__)
        held.restore(row)
    return order


def _fill(strands: Strands, place: Floats) -> list[float]:
    ends = np.concatenate((strands.upper, strands.lower))
    others = np.concatenate((strands.lower, strands.upper))
    for _ in range(_FILLING_ROUNDS):
        is_known = ~np.isnan(place)
        counts = np.bincount(ends, weights=is_known[others], minlength=strands.count)
        sums = np.bincount(ends, weights=np.where(is_known, place, 0.0)[others], minlength=strands.count)
        is_next = ~is_known & (counts > 0)
        if not is_next.any():
            break
        place[is_next] = sums[is_next] / counts[is_next]
    filled: list[float] = np.nan_to_num(place, nan=0.0).tolist()
    return filled
