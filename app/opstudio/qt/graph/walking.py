"""Where the arrow keys lead: along lines up and down, and to neighbours at the same height."""

from __future__ import annotations

import enum

import numpy as np

from opstudio.layout.arrays import Flags, Integers
from opstudio.qt.graph.picture import Picture


class Direction(enum.Enum):
    """A key."""

    UP = enum.auto()
    DOWN = enum.auto()
    LEFT = enum.auto()
    RIGHT = enum.auto()


_OPPOSITE = {Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP}


class Trail:
    """The boxes that were left while the person went in one direction, so that the way back is the same."""

    def __init__(self) -> None:
        self._direction: Direction | None = None
        self._boxes: list[int] = []

    def came_from(self, direction: Direction) -> int | None:
        """Return the box that a step back in this direction leads to."""
        is_back = self._boxes and _OPPOSITE.get(direction) is self._direction
        return self._boxes[-1] if is_back else None

    def went(self, direction: Direction, left: int) -> None:
        """Note a step away from a box."""
        if self.came_from(direction) is not None:
            self._boxes.pop()
        elif direction is self._direction:
            self._boxes.append(left)
        else:
            self._direction, self._boxes = direction, [left]


def step(picture: Picture, box: int, direction: Direction, came_from: int | None = None) -> int | None:
    """Return the box that a key leads to, or nothing.

    Up and down follow the values; of several boxes the one goes first that the person came from, then the one that
    stands nearest sideways. Left and right lead to the next box of the same layer and part.
    """
    if direction in (Direction.LEFT, Direction.RIGHT):
        return _sibling(picture, box, direction)
    edges = picture.placed.graph.edges
    is_down = direction is Direction.DOWN
    reached = edges.target[edges.source == box] if is_down else edges.source[edges.target == box]
    reached = np.unique(reached[reached != box])
    if not reached.size:
        return None
    if came_from is not None and came_from in reached:
        return came_from
    x = picture.placed.layout.x
    return int(reached[np.abs(x[reached] - x[box]).argmin()])


def _sibling(picture: Picture, box: int, direction: Direction) -> int | None:
    layout = picture.placed.layout
    beside = (layout.layer == layout.layer[box]) & (layout.component == layout.component[box])
    further = layout.x > layout.x[box] if direction is Direction.RIGHT else layout.x < layout.x[box]
    found = np.flatnonzero(beside & further)
    if not found.size:
        return None
    return int(found[np.abs(layout.x[found] - layout.x[box]).argmin()])


def next_of(chosen: Flags, order: Integers, box: int | None, by: int) -> int | None:
    """Return the next of the chosen boxes in an order, around its ends; ``by`` is 1 or −1.

    Shapes: chosen: (boxes,); order: (boxes,), the boxes as they are read.
    """
    numbers = order[chosen[order]]
    if not numbers.size:
        return None
    if box is None:
        return int(numbers[0 if by > 0 else -1])
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = np.arange(order.size)
    at = int(np.searchsorted(rank[numbers], rank[box], side="right" if by > 0 else "left"))
    return int(numbers[(at if by > 0 else at - 1) % numbers.size])


def reading_order(picture: Picture) -> Integers:
    """Return the boxes from top to bottom, those beside one another from left to right. Shape: (boxes,)."""
    layout = picture.placed.layout
    return np.lexsort((layout.x, layout.y, layout.component))
