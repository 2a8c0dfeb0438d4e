"""Counts how often links cross."""

from __future__ import annotations

import numpy as np

from opstudio.layout.arrays import Floats, Integers


def count_crossings(gap: Integers, upper: Floats, lower: Floats) -> Integers:
    """Return for each link how many links that start left of it, in the same gap, end right of it.

    Their sum is the number of crossings. Links that share an end do not cross.

    Shapes: gap: (links,), the row that a link starts in; upper, lower: (links,), where on their rows the links start
    and end, in any unit; result: (links,).
    """
    count = np.zeros(gap.size, dtype=np.int64)
    if gap.size == 0:
        return count
    order = np.lexsort((lower, upper, gap))
    rank = _rank_within_gap(gap, lower)[order]
    # Inversions bit by bit: two links are ordered wrongly by the highest bit in which their ends differ. Stable
    # sorting by all higher bits brings the pairs that agree in them side by side.
    group = gap[order]
    for bit in range(int(rank.max()).bit_length() - 1, -1, -1):
        is_right = (rank >> bit) & 1
        _, starts = np.unique(group, return_index=True)
        right_before = np.cumsum(is_right) - is_right
        sizes = np.diff(np.append(starts, group.size))
        count[order] += np.where(is_right == 1, 0, right_before - np.repeat(right_before[starts], sizes))
        group = group * 2 + is_right
        again = np.argsort(group, kind="stable")
        group, rank, order = group[again], rank[again], order[again]
        group = np.cumsum(np.concatenate(([0], np.diff(group) != 0)))
    return count


def _rank_within_gap(gap: Integers, place: Floats) -> Integers:
    """Return the rank of each place among the different places of its gap."""
    order = np.lexsort((place, gap))
    sorted_gap, sorted_place = gap[order], place[order]
    is_new_gap = np.concatenate(([True], sorted_gap[1:] != sorted_gap[:-1]))
    is_new = is_new_gap | np.concatenate(([True], sorted_place[1:] != sorted_place[:-1]))
    running = np.cumsum(is_new)
    first = running[is_new_gap]
    rank = np.empty(gap.size, dtype=np.int64)
    rank[order] = running - first[np.cumsum(is_new_gap) - 1]
    return rank
