"""Rows that only repeat the row above them are left out while items are put into order.

Between two rows whose items are linked one to one there is nothing to decide: the lower row takes the order of the
upper one and nothing crosses. In the graphs of models most rows are of this kind.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opstudio.layout.arrays import Floats, Integers, follow
from opstudio.layout.ports import fraction_of_ports
from opstudio.layout.rows import Rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strands:
    """Runs of items that stand below one another through rows that are linked one to one.

    Shapes:
        strand: (items,), the strand of each item
        top: (strands,), its uppermost item, ascending by row
        level: (strands,), rows of the same level have the same strands
        upper, lower: (links,), strands in neighbouring levels
        upper_offset, lower_offset: (links,), where on its item a link ends, from −½ to ½
    """

    strand: Integers
    top: Integers
    level: Integers
    level_count: int
    upper: Integers
    lower: Integers
    upper_offset: Floats
    lower_offset: Floats

    @property
    def count(self) -> int:
        """How many strands there are."""
        return int(self.top.size)


def find_strands(rows: Rows) -> Strands:
    """Return the strands of all rows."""
    items = rows.item_count
    below = np.bincount(rows.upper, minlength=items)
    above = np.bincount(rows.lower, minlength=items)
    is_new = np.ones(rows.row_count + 1, dtype=np.bool_)
    is_new[1:] = False
    is_new[rows.row[above != 1]] = True
    is_new[rows.row[below != 1] + 1] = True
    level_of_row = np.cumsum(is_new)[:-1] - 1
    is_decided = ~is_new[rows.row[rows.lower]]
    pointers = np.arange(items, dtype=np.int64)
    pointers[rows.lower[is_decided]] = rows.upper[is_decided]
    root = follow(pointers)
    tops = np.flatnonzero(root == np.arange(items))
    tops = tops[np.argsort(rows.row[tops], kind="stable")]
    number = np.empty(items, dtype=np.int64)
    number[tops] = np.arange(tops.size)
    strand = number[root]
    is_open = ~is_decided
    upper, lower = rows.upper[is_open], rows.lower[is_open]
    return Strands(
        strand=strand,
        top=tops,
        level=level_of_row[rows.row[tops]],
        level_count=int(level_of_row[-1]) + 1 if rows.row_count else 0,
        upper=strand[upper],
        lower=strand[lower],
        upper_offset=fraction_of_ports(upper, rows.upper_port[is_open], items),
        lower_offset=fraction_of_ports(lower, rows.lower_port[is_open], items),
    )
