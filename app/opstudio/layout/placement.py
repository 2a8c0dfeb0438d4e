"""The x coordinates of all items.

Blocks of items that stand straight below one another are placed as a whole, heavy ones first: the main line stays
where it is and lighter branches make room for it, to both sides alike.
"""

from __future__ import annotations

import numpy as np

from opstudio.layout.alignment import Alignment
from opstudio.layout.arrays import Flags, Floats, Integers
from opstudio.layout.blocks import Blocks, make_blocks
from opstudio.layout.graph import Options
from opstudio.layout.layering import find_components
from opstudio.layout.rows import Rows

_FEWEST_ROUNDS = 3
_MOST_ROUNDS = 24
_BLOCKS = 60_000
"""Blocks that are placed in all rounds together, beyond the first rounds: 5,000 blocks get twelve."""
_SETTLED = 0.5
"""Pixels that no block moves further in the last round."""
_CLASS_BITS = 4
"""Blocks whose weights differ by less than this power of two are placed together; in small graphs by less than two."""
_SMALL = 4000
"""Blocks of a small graph: one in which more classes cost little, and in which the main line is not much heavier."""
_UNPLACED = 1e-3
"""What a neighbour counts that will still move, beside one that stands."""


def place_items(rows: Rows, place: Integers, alignment: Alignment, options: Options) -> Floats:
    """Return the x coordinate of each item's middle, in pixels; items of a row never overlap. Shape: (items,)."""
    if rows.item_count == 0:
        return np.empty(0)
    blocks = make_blocks(rows, place, alignment, options)
    block, count = blocks.block, blocks.separations.count
    weight = np.bincount(block, weights=alignment.weight, minlength=count).astype(np.int64)
    pull = _Pull(block[rows.upper], block[rows.lower], count)
    separations = blocks.separations
    part = find_components(
        count,
        np.concatenate((block[rows.upper], separations.left)),
        np.concatenate((block[rows.lower], separations.right)),
    )
    return _Placement(blocks, weight, part, pull).run()[block]


class _Pull:
    """Where blocks would like to stand: in the middle of what they are linked with."""

    def __init__(self, upper: Integers, lower: Integers, count: int) -> None:
        apart = upper != lower
        self._ends = np.concatenate((upper[apart], lower[apart]))
        self._others = np.concatenate((lower[apart], upper[apart]))
        self._count = count

    def wanted(self, x: Floats, strength: Floats) -> Floats:
        """Return the mean x of the linked blocks, by their strength; a block without links stays. Shapes: (blocks,)."""
        counts = strength[self._others]
        total = np.bincount(self._ends, weights=counts, minlength=self._count)
        sums = np.bincount(self._ends, weights=counts * x[self._others], minlength=self._count)
        return np.where(total > 0, sums / np.where(total > 0, total, 1.0), x)


class _Placement:
    """Places the blocks of one class after the other, between those that stand already.

    Parts are components of the graph; what is placed first in each is placed relative to itself only.
    """

    def __init__(self, blocks: Blocks, weight: Integers, part: Integers, pull: _Pull) -> None:
        self._from_left = blocks.from_left
        self._from_right = blocks.from_right
        bits = np.zeros(weight.size, dtype=np.int64)
        while (weight >> bits).any():
            bits[(weight >> bits) > 0] += 1
        self._rank = bits // (_CLASS_BITS if weight.size > _SMALL else 1)
        self._weight = weight.astype(np.float64)
        self._part = part
        self._pull = pull

    def run(self) -> Floats:
        zero = np.zeros(self._rank.size)
        x = self._between(zero)
        for _ in range(min(max(_BLOCKS // max(x.size, 1), _FEWEST_ROUNDS), _MOST_ROUNDS)):
            before = x
            stands = np.zeros(self._rank.size, dtype=np.bool_)
            for rank in np.unique(self._rank)[::-1]:
                moves = self._rank == rank
                x = self._place(x, stands, moves)
                stands |= moves
            if float(np.abs(x - before).max()) <= _SETTLED:
                break
        return x

    def _between(self, wanted: Floats) -> Floats:
        return (self._from_left.push(wanted) - self._from_right.push(-wanted)) / 2

    def _place(self, x: Floats, stands: Flags, moves: Flags) -> Floats:
        """Return x after those that move were brought near to where they would like to stand.

        Pushing everything to the right and everything to the left are both allowed; so is the middle of the two,
        which treats both sides alike. What neither stands nor moves gives way.
        """
        wanted = self._pull.wanted(x, np.where(stands, 1.0, _UNPLACED))
        free = ~(stands | moves)
        least = self._from_left.push(np.where(stands, x, -np.inf))
        most = -self._from_right.push(np.where(stands, -x, -np.inf))
        wanted = np.clip(wanted, least, most)
        target = np.where(stands, x, wanted)
        rightmost = self._from_left.push(np.where(free, -np.inf, target))
        leftmost = -self._from_right.push(np.where(free, -np.inf, -target))
        x = x.copy()
        x[moves] = (rightmost[moves] + leftmost[moves]) / 2
        x[moves] += self._drift(np.where(moves, wanted - x, 0.0), stands, moves)[moves]
        return x

    def _drift(self, missing: Floats, stands: Flags, moves: Flags) -> Floats:
        """Return what parts in which nothing stands have to be moved by: heavy blocks belong where they want to be.

        Without it a part would wander, and what is light would always be a step behind. Shapes: (blocks,).
        """
        weight = np.where(moves, self._weight, 0.0)
        total = np.bincount(self._part, weights=weight)
        sums = np.bincount(self._part, weights=weight * missing)
        is_held = np.bincount(self._part, weights=stands) > 0
        drift: Floats = np.where(is_held | (total == 0), 0.0, sums / np.where(total > 0, total, 1.0))[self._part]
        return drift
