"""The order of strands on their levels: few crossings, and the order of an earlier layout where there is one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np

from opstudio.layout.arrays import Integers
from opstudio.layout.crossings import count_crossings
from opstudio.layout.neighbours import Neighbours, Order
from opstudio.layout.reduction import Strands
from opstudio.layout.sifting import sift
from opstudio.layout.starting_order import Held, depth_first_order, earlier_order

_SWEEPS = 4
"""Pairs of sweeps, down and up, that an order gets to become better."""
_ROUNDS = 3
"""How often sweeps and sifting alternate at most."""
_WORK = 2_000_000
"""Links that all sweeps together may look at, beyond the first two: enough for ten pairs at 100,000 links."""
_SMALL = 1500
"""Links of a graph that is so small that more than one start is tried."""
_SHUFFLES = 20
"""Starts by chance that a graph of a few links gets; one of ``n`` times ``_FEW`` links gets the n-th part."""
_FEW = 50


def order_strands(strands: Strands, held: Held | None, checkpoint: Callable[[], None]) -> Integers:
    """Return the place of each strand on its level, from 0 at the left. Shape: (strands,).

    Where strands are held, those that stand side by side keep the order of the earlier layout. ``checkpoint`` is
    called between sweeps and may raise.
    """
    search = _Search(strands, held, checkpoint)
    if held is not None:
        search.improve(earlier_order(strands, held))
    else:
        search.improve(depth_first_order(strands))
        for start in _further_starts(strands):
            if search.best_count == 0:
                break
            search.improve(start)
    return search.best


class _Search:
    """Keeps the best order that was seen; the first one is a start, so that crossings never become more."""

    def __init__(self, strands: Strands, held: Held | None, checkpoint: Callable[[], None]) -> None:
        self._strands = strands
        self._held = held
        self._checkpoint = checkpoint
        self._above = Neighbours.of(strands.lower, strands.upper, strands.upper_offset, strands.count)
        self._below = Neighbours.of(strands.upper, strands.lower, strands.lower_offset, strands.count)
        self._gap = strands.level[strands.upper]
        self._pairs_left = max(2, _WORK // max(2 * strands.upper.size, 1))
        self.best = np.empty(0, dtype=np.int64)
        self.best_count = -1

    def improve(self, order: Order) -> None:
        """Start from ``order`` and keep what is better than the best so far."""
        place = [0] * self._strands.count
        for row in order:
            for index, strand in enumerate(row):
                place[strand] = index
        crossings = self._judge(place)
        for _ in range(_ROUNDS):
            before = self.best_count
            if not crossings.any():
                return
            self._sweep_both_ways(order, place)
            crossings = self._judge(place)
            levels = self._levels_with(crossings)
            sift(order, place, levels, self._above, self._below, self._held)
            crossings = self._judge(place)
            if self.best_count == before:
                return

    def _sweep_both_ways(self, order: Order, place: list[int]) -> None:
        last = self._strands.level_count - 1
        best, misses = -1, 0
        for _ in range(min(_SWEEPS, self._pairs_left)):
            self._pairs_left -= 1
            self._checkpoint()
            is_changed = self._sweep(order, place, self._above, range(1, last + 1))
            is_changed |= self._sweep(order, place, self._below, range(last - 1, -1, -1))
            if not is_changed:
                return
            count = int(self._judge(place).sum())
            misses = misses + 1 if 0 <= best <= count else 0
            best = count if best < 0 else min(best, count)
            if count == 0 or misses > 1:
                return

    def _sweep(self, order: Order, place: list[int], neighbours: Neighbours, levels: range) -> bool:
        """Sort each level by the mean place of the neighbours on one side; return whether anything moved."""
        is_changed = False
        for level in levels:
            row = order[level]
            if len(row) == 1:
                continue
            keys = _mean_places(row, place, neighbours)
            if all(map(_not_after, keys, keys[1:])):
                continue
            arranged = _arrange(row, keys)
            if self._held is not None:
                self._held.restore(arranged)
            if arranged != row:
                is_changed = True
                row[:] = arranged
                for index, strand in enumerate(row):
                    place[strand] = index
        return is_changed

    def _judge(self, place: list[int]) -> Integers:
        """Return the crossings of each link, and keep the order if it is the best."""
        places = np.array(place, dtype=np.int64)
        crossings = count_crossings(
            self._gap,
            places[self._strands.upper] + self._strands.upper_offset,
            places[self._strands.lower] + self._strands.lower_offset,
        )
        count = int(crossings.sum())
        if self.best_count < 0 or count < self.best_count:
            self.best, self.best_count = places, count
        return crossings

    def _levels_with(self, crossings: Integers) -> list[int]:
        gaps = np.unique(self._gap[crossings > 0])
        levels: list[int] = np.unique(np.concatenate((gaps, gaps + 1))).tolist()
        return levels


def _further_starts(strands: Strands) -> Iterator[Order]:
    """Yield other starts for a small graph; those by chance are the same every time."""
    links = strands.upper.size
    if links > _SMALL:
        return
    yield depth_first_order(strands, from_right=True)
    yield depth_first_order(strands, from_bottom=True)
    chance = random.Random(0)  # noqa: S311 nothing is kept secret by it
    for _ in range(min(_SHUFFLES, _SHUFFLES * _FEW // max(links, 1))):
        order = depth_first_order(strands)
        for row in order:
            chance.shuffle(row)
        yield order


def _mean_places(row: list[int], place: list[int], neighbours: Neighbours) -> list[float | None]:
    first, others, offsets = neighbours.first, neighbours.strand, neighbours.offset
    keys: list[float | None] = []
    for strand in row:
        start, end = first[strand], first[strand + 1]
        if end - start == 1:
            keys.append(place[others[start]] + offsets[start])
        elif end == start:
            keys.append(None)
        else:
            total = 0.0
            for index in range(start, end):
                total += place[others[index]] + offsets[index]
            keys.append(total / (end - start))
    return keys


def _not_after(key: float | None, following: float | None) -> bool:
    return key is not None and following is not None and key <= following


def _arrange(row: list[int], keys: list[float | None]) -> list[int]:
    """Return the row sorted by its keys; what has none stays where it is."""
    keyed = [(key, index) for index, key in enumerate(keys) if key is not None]
    slots = [index for _, index in keyed]
    keyed.sort()
    arranged = row.copy()
    for slot, (_, index) in zip(slots, keyed, strict=True):
        arranged[slot] = row[index]
    return arranged
