"""Blocks that must stand a distance apart, and pushing them apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opstudio.layout.arrays import Floats, Integers, starts_of

_DEEP = 12
"""Blocks for each level below which a plain loop is quicker than arrays."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Separations:
    """Pairs of blocks with the least distance of their x coordinates. ``left`` stands left of ``right``."""

    count: int
    left: Integers
    right: Integers
    distance: Floats

    @classmethod
    def of(cls, count: int, left: Integers, right: Integers, distance: Floats) -> Separations:
        """Return each pair once, with the largest of its distances."""
        key, entry = np.unique(left * count + right, return_inverse=True)
        largest = np.zeros(key.size)
        np.maximum.at(largest, entry, distance)
        return cls(count=count, left=key // max(count, 1), right=key % max(count, 1), distance=largest)

    def mirrored(self) -> Separations:
        """Return the same distances with left and right exchanged."""
        return Separations(count=self.count, left=self.right, right=self.left, distance=self.distance)

    def sort(self) -> tuple[Integers, Integers]:
        """Return how many others stand in a row left of each block at most, and the blocks that are on no such row.

        The latter stand left of themselves, by way of others; there are none in a graph whose straight lines do not
        cross.
        """
        waiting = np.bincount(self.right, minlength=self.count).tolist()
        by_left = np.argsort(self.left, kind="stable")
        first = starts_of(self.left, self.count).tolist()
        following = self.right[by_left].tolist()
        level = [0] * self.count
        ready = [block for block in range(self.count) if waiting[block] == 0]
        for block in ready:
            beyond = level[block] + 1
            for index in range(first[block], first[block + 1]):
                right = following[index]
                level[right] = max(level[right], beyond)
                waiting[right] -= 1
                if waiting[right] == 0:
                    ready.append(right)
        return np.array(level, dtype=np.int64), np.flatnonzero(np.array(waiting, dtype=np.int64) > 0)


class Pusher:
    """Moves blocks to where they should stand, but right of what is left of them."""

    def __init__(self, separations: Separations, level: Integers) -> None:
        self._order = np.argsort(level, kind="stable")
        self._level_starts = starts_of(level, int(level.max()) + 1 if level.size else 0)
        rank = np.empty(level.size, dtype=np.int64)
        rank[self._order] = np.arange(level.size)
        self._rank = rank
        by_right = np.argsort(rank[separations.right], kind="stable")
        self._left = rank[separations.left][by_right]
        self._distance = separations.distance[by_right]
        self._first = starts_of(rank[separations.right], level.size)
        self._is_deep = level.size < _DEEP * (self._level_starts.size - 1)

    def push(self, wanted: Floats) -> Floats:
        """Return the least x of each block that is at least ``wanted`` and keeps all distances. Shapes: (blocks,)."""
        x = wanted[self._order]
        x = self._push_one_by_one(x) if self._is_deep else self._push_by_level(x)
        return x[self._rank]

    def _push_one_by_one(self, wanted: Floats) -> Floats:
        x = wanted.tolist()
        first, left, distance = self._first.tolist(), self._left.tolist(), self._distance.tolist()
        for block in range(len(x)):
            for index in range(first[block], first[block + 1]):
                x[block] = max(x[block], x[left[index]] + distance[index])
        return np.array(x)

    def _push_by_level(self, x: Floats) -> Floats:
        # Every block beyond the first level has something at its left, so that no group of reduceat is empty.
        for level in range(1, self._level_starts.size - 1):
            begin, end = self._level_starts[level], self._level_starts[level + 1]
            first, last = self._first[begin], self._first[end]
            least = x[self._left[first:last]] + self._distance[first:last]
            np.maximum(x[begin:end], np.maximum.reduceat(least, self._first[begin:end] - first), out=x[begin:end])
        return x
