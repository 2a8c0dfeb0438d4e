"""Blocks of items that share one x coordinate, and how far apart they must stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opstudio.layout.alignment import Alignment
from opstudio.layout.arrays import Floats, Integers, follow
from opstudio.layout.graph import Options
from opstudio.layout.rows import Rows
from opstudio.layout.separation import Pusher, Separations

_SPREAD = 3.0
"""How much wider than its widest row a drawing may become for the sake of straight lines."""
_SPARE_WIDTH = 1000.0
"""Pixels that it may become wider in any case."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Blocks:
    """The blocks. Shapes: block: (items,), the block of each item."""

    block: Integers
    separations: Separations
    from_left: Pusher
    from_right: Pusher


def make_blocks(rows: Rows, place: Integers, alignment: Alignment, options: Options) -> Blocks:
    """Return the blocks of an alignment; blocks that would make the drawing far wider than its rows are cut.

    Straight lines hold rows together: what one row pushes aside moves in all of them. In graphs whose lines cross a
    lot, such pushes add up from row to row like stairs.
    """
    left, right, distance = _pairs(rows, place, options)
    widest = float(np.bincount(rows.row[left], weights=distance).max()) if left.size else 0.0
    limit = _SPREAD * widest + _SPARE_WIDTH
    above, joins = alignment.above, alignment.joins
    items = np.arange(rows.item_count, dtype=np.int64)
    while True:
        top = follow(above)
        pointers = items.copy()
        pointers[top[joins[:, 1]]] = top[joins[:, 0]]
        root = follow(pointers)[top]
        _, block = np.unique(root, return_inverse=True)
        separations = Separations.of(int(block.max()) + 1, block[left], block[right], distance)
        level, circular = separations.sort()
        if circular.size:
            assert joins.size, "straight lines cross"
            # A line leads from one end of a join around the other; without the join nothing is left of itself.
            is_kept = ~np.isin(block[joins[:, 0]], circular)
            joins = joins[is_kept] if not is_kept.all() else joins[:0]
            continue
        from_left = Pusher(separations, level)
        mirrored = separations.mirrored()
        from_right = Pusher(mirrored, mirrored.sort()[0])
        zero = np.zeros(separations.count)
        is_wide = (from_left.push(zero) + from_right.push(zero) > limit)[block]
        is_cut = is_wide & (items == _middle_items(rows, top)[top]) & (above != items)
        if not is_cut.any():
            return Blocks(block=block, separations=separations, from_left=from_left, from_right=from_right)
        above = np.where(is_cut, items, above)
        joins = joins[~is_wide[joins[:, 0]]]


def _pairs(rows: Rows, place: Integers, options: Options) -> tuple[Integers, Integers, Floats]:
    """Return the items that stand side by side, and the least distance of their middles."""
    in_order = np.lexsort((place, rows.row))
    left, right = in_order[:-1], in_order[1:]
    is_pair = rows.row[left] == rows.row[right]
    left, right = left[is_pair], right[is_pair]
    gap = np.where(np.maximum(left, right) < rows.node_count, options.node_gap, options.line_gap)
    return left, right, (rows.width[left] + rows.width[right]) / 2 + gap


def _middle_items(rows: Rows, top: Integers) -> Integers:
    """Return for each uppermost item of a straight line the one in its middle; itself for a line of one."""
    by_line = np.lexsort((rows.row, top))
    counts = np.bincount(top, minlength=top.size)
    starts = np.cumsum(counts) - counts
    middle: Integers = by_line[np.minimum(starts + counts // 2, top.size - 1)]
    return middle
