"""Chooses the links that are drawn straight, and with them the blocks of items that share one x coordinate."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from opstudio.layout.arrays import Flags, Integers, follow
from opstudio.layout.rows import Rows

_NODE_WEIGHT = 4
"""How much more a node counts than a bend when blocks are placed."""
_ROUNDS = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alignment:
    """Which items stand straight below one another.

    Shapes:
        above: (items,), the item that each stands straight below, itself where there is none
        joins: (pairs, 2), items whose blocks should share one x although nothing between them is straight: before and
            behind two branches that stand symmetrically
        weight: (items,), what it counts
    """

    above: Integers
    joins: Integers
    weight: Integers


def align(rows: Rows, place: Integers, above: Integers, below: Integers) -> Alignment:
    """Return the blocks. Straight links of a gap never cross.

    Of several ways on, the one on the longest path is drawn straight, since that is the main line of a model.

    Shapes: place: (items,), the order in each row; above, below: (items,), the longest path to and from each item, of
    bends that of the node at the line's other end.
    """
    choice = _Choice(rows, place, above, below)
    ties_below, ties_above = choice.choose(takes_left=False)
    joins = _find_joins(rows, choice.pointers(), ties_below, ties_above)
    choice.is_free_below &= ~joins.upper
    choice.is_free_above &= ~joins.lower
    for _ in range(1, _ROUNDS):
        choice.choose(takes_left=True)
    return Alignment(
        above=choice.pointers(),
        joins=joins.pairs,
        weight=np.where(np.arange(rows.item_count) < rows.node_count, _NODE_WEIGHT, 1),
    )


class _Choice:
    """The links that were chosen so far: at most one above and one below each item, and none crosses another."""

    def __init__(self, rows: Rows, place: Integers, above: Integers, below: Integers) -> None:
        self._rows = rows
        self._place = place
        self._above = above
        self._below = below
        self._gap = rows.row[rows.upper]
        # Where two straight lines would cross, nodes go before lines that only pass, and longer paths before others.
        has_nodes = np.maximum(rows.upper, rows.lower) < rows.node_count
        through = above[rows.upper] + below[rows.lower]
        self._priority = np.where(has_nodes, through + rows.item_count, through)
        self._is_chosen = np.zeros(rows.upper.size, dtype=np.bool_)
        self.is_free_below = np.ones(rows.item_count, dtype=np.bool_)
        self.is_free_above = np.ones(rows.item_count, dtype=np.bool_)

    def pointers(self) -> Integers:
        """Return for each item the one that it stands straight below, or itself."""
        pointers = np.arange(self._rows.item_count, dtype=np.int64)
        pointers[self._rows.lower[self._is_chosen]] = self._rows.upper[self._is_chosen]
        return pointers

    def choose(self, *, takes_left: bool) -> tuple[Integers, Integers]:
        """Choose free links that are the best of both their ends.

        Returns pairs of links in the middle, one pair a line, of items that could not decide between them: links
        below items, and links above items.
        """
        upper, lower = self._rows.upper, self._rows.lower
        free = np.flatnonzero(self.is_free_below[upper] & self.is_free_above[lower])
        down, ties_below = self._prefer(free, upper, lower, self._below, takes_left=takes_left)
        up, ties_above = self._prefer(free, lower, upper, self._above, takes_left=takes_left)
        chosen = np.concatenate((np.flatnonzero(self._is_chosen), free[down & up]))
        priority = np.where(self._is_chosen, np.iinfo(np.int64).max, self._priority)
        kept = _without_crossings(chosen, self._gap, self._place[upper], self._place[lower], priority)
        self._is_chosen[kept] = True
        self.is_free_below[upper[kept]] = False
        self.is_free_above[lower[kept]] = False
        return ties_below, ties_above

    def _prefer(
        self, links: Integers, of: Integers, other: Integers, path: Integers, *, takes_left: bool
    ) -> tuple[Flags, Integers]:
        """Return for each link whether its end ``of`` prefers it, and the pairs between which an end is undecided."""
        preferred = np.zeros(links.size, dtype=np.bool_)
        if links.size == 0:
            return preferred, np.empty((0, 2), dtype=np.int64)
        # Nodes go before lines that only pass; an item that is linked with nothing but lines takes one of these.
        rank = path[other[links]] + np.where(other[links] < self._rows.node_count, self._rows.item_count, 0)
        best = np.full(self._rows.item_count, -1, dtype=np.int64)
        np.maximum.at(best, of[links], rank)
        order = np.flatnonzero(rank == best[of[links]])
        order = order[np.lexsort((self._place[other[links[order]]], of[links[order]]))]
        ends = of[links[order]]
        first = np.flatnonzero(np.concatenate(([True], ends[1:] != ends[:-1])))
        size = np.diff(np.append(first, ends.size))
        left, right = first + (size - 1) // 2, first + size // 2
        # Equal edges lead to one place and are no reason to hesitate.
        is_tie = other[links[order[left]]] != other[links[order[right]]]
        preferred[order[left if takes_left else left[~is_tie]]] = True
        return preferred, np.stack((links[order[left[is_tie]]], links[order[right[is_tie]]]), axis=1)


def _without_crossings(
    links: Integers, gap: Integers, upper: Integers, lower: Integers, priority: Integers
) -> Integers:
    """Return ``links`` without those that cross one of more priority."""
    links = links[np.lexsort((upper[links], gap[links]))]
    is_same_gap = gap[links][1:] == gap[links][:-1]
    is_wrong = is_same_gap & (lower[links][1:] <= lower[links][:-1])
    if not is_wrong.any():
        return links
    wrong_gaps = np.unique(gap[links][1:][is_wrong])
    is_suspect = np.isin(gap[links], wrong_gaps)
    suspects = links[is_suspect]
    suspects = suspects[np.lexsort((suspects, -priority[suspects], gap[suspects]))]
    kept = links[~is_suspect].tolist()
    current = -1
    starts: list[int] = []
    ends: list[int] = []
    for link, own_gap, start, end in zip(
        suspects.tolist(), gap[suspects].tolist(), upper[suspects].tolist(), lower[suspects].tolist(), strict=True
    ):
        if own_gap != current:
            current, starts, ends = own_gap, [], []
        index = bisect_left(starts, start)
        is_right_of_left = index == 0 or ends[index - 1] < end
        is_left_of_right = index == len(starts) or (starts[index] > start and ends[index] > end)
        if is_right_of_left and is_left_of_right:
            starts.insert(index, start)
            ends.insert(index, end)
            kept.append(link)
    return np.array(kept, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Joins:
    """Items with two middle ways on, none of which they should stand straight with.

    Shapes: pairs: (pairs, 2), an item and the one where its ways meet again; upper, lower: (items,), whether an item
    has two ways below or above it and stands between them.
    """

    pairs: Integers
    upper: Flags
    lower: Flags


def _find_joins(rows: Rows, pointers: Integers, ties_below: Integers, ties_above: Integers) -> _Joins:
    """Find items whose two middle ways meet again, or lead nowhere else: they stand in the middle of both."""
    items = np.arange(rows.item_count, dtype=np.int64)
    below = items.copy()
    is_straight = pointers != items
    below[pointers[is_straight]] = items[is_straight]
    top, bottom = follow(pointers), follow(below)
    readers = np.bincount(rows.upper, minlength=rows.item_count)
    reader = np.full(rows.item_count, -1, dtype=np.int64)
    reader[rows.upper] = rows.lower
    split = rows.upper[ties_below[:, 0]]
    left, right = bottom[rows.lower[ties_below[:, 0]]], bottom[rows.lower[ties_below[:, 1]]]
    join = reader[left]
    fits = (readers[left] == 1) & (readers[right] == 1) & (join == reader[right])
    fits &= ~is_straight[join] & (below[split] == split)
    is_upper = np.zeros(rows.item_count, dtype=np.bool_)
    is_upper[split[(readers[left] == 0) & (readers[right] == 0)]] = True
    inputs = np.bincount(rows.lower, minlength=rows.item_count)
    left, right = top[rows.upper[ties_above[:, 0]]], top[rows.upper[ties_above[:, 1]]]
    is_lower = np.zeros(rows.item_count, dtype=np.bool_)
    is_lower[rows.lower[ties_above[(inputs[left] == 0) & (inputs[right] == 0), 0]]] = True
    # An item may be the end of one pair only.
    split, join = split[fits], join[fits]
    first = np.sort(np.unique(join, return_index=True)[1])
    split, join = split[first], join[first]
    is_upper[split], is_lower[join] = True, True
    return _Joins(pairs=np.stack((split, join), axis=1), upper=is_upper, lower=is_lower)
