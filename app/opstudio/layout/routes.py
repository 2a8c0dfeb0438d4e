"""The lines of edges. They cross rows vertically, where there is room for them, and turn in the gaps between rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opstudio.layout.arrays import Flags, Floats, Integers
from opstudio.layout.rows import Rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lines:
    """Where lines may run.

    Shapes: x: (items,); row_top, row_bottom: (rows,); top, bottom: (nodes,), borders of boxes; start_x, end_x:
    (drawn edges,), where a line leaves its upper node and reaches its lower one.
    """

    x: Floats
    row_top: Floats
    row_bottom: Floats
    top: Floats
    bottom: Floats
    start_x: Floats
    end_x: Floats


def make_routes(rows: Rows, lines: Lines, is_reversed: Flags) -> tuple[Floats, Integers]:
    """Return all points, and where those of each edge start.

    Shapes: is_reversed: (edges,); results: (points, 2) and (edges + 1,). Points on a straight line are left out.
    """
    sizes = 2 * rows.span + 2
    starts = np.zeros(sizes.size + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    drawn = np.repeat(np.arange(sizes.size), sizes)
    rank = np.arange(drawn.size, dtype=np.int64) - starts[drawn]
    points = np.empty((drawn.size, 2))
    # In pairs: the upper end and its row's bottom, then top and bottom of each row in between, then the lower end.
    bend = rows.first_bend[drawn] + rank // 2 - 1
    row = rows.row[rows.edge_upper][drawn] + rank // 2
    is_first, is_last = rank // 2 == 0, rank // 2 == rows.span[drawn]
    is_bend = ~(is_first | is_last)
    points[is_bend, 0] = lines.x[bend[is_bend]]
    points[is_first, 0] = lines.start_x[drawn[is_first]]
    points[is_last, 0] = lines.end_x[drawn[is_last]]
    points[:, 1] = np.where(rank % 2 == 0, lines.row_top[row], lines.row_bottom[row])
    points[starts[:-1], 1] = lines.bottom[rows.edge_upper]
    points[starts[1:] - 1, 1] = lines.top[rows.edge_lower]
    for choose in (_distinct, _turning):
        kept = choose(points, drawn)
        points, drawn = points[kept], drawn[kept]
    counts = np.bincount(drawn, minlength=sizes.size)
    ends = np.cumsum(counts)
    turned = is_reversed[rows.edge][drawn]
    index = np.arange(drawn.size, dtype=np.int64)
    index = np.where(turned, (ends - counts)[drawn] + ends[drawn] - 1 - index, index)
    offsets = np.zeros(is_reversed.size + 1, dtype=np.int64)
    offsets[rows.edge + 1] = counts
    return points[index], np.cumsum(offsets)


def _distinct(points: Floats, drawn: Integers) -> Flags:
    """Return which points are not at the place of the one before on the same line."""
    kept = np.ones(drawn.size, dtype=np.bool_)
    kept[1:] = (drawn[1:] != drawn[:-1]) | (points[1:] != points[:-1]).any(axis=1)
    return kept


def _turning(points: Floats, drawn: Integers) -> Flags:
    """Return which points are ends of a line, or turn it."""
    kept = np.ones(drawn.size, dtype=np.bool_)
    is_inner = (drawn[1:-1] == drawn[:-2]) & (drawn[1:-1] == drawn[2:])
    x = points[:, 0]
    kept[1:-1] = ~(is_inner & (x[1:-1] == x[:-2]) & (x[1:-1] == x[2:]))
    return kept
