"""Many rectangles, and which of them meet another one: sorted by their upper edges, looked through with numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opstudio.layout.arrays import Floats, Integers

_MANY = 0.2
"""The share of all rectangles from which on they are not sought by their upper edges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A rectangle in the pixels of zoom 1, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    def grown(self, margin: float) -> Area:
        """Return it with a margin around it."""
        return Area(
            left=self.left - margin, top=self.top - margin, right=self.right + margin, bottom=self.bottom + margin
        )

    def holds(self, other: Area) -> bool:
        """Whether another one lies in it."""
        is_within = self.left <= other.left and self.top <= other.top
        return is_within and other.right <= self.right and other.bottom <= self.bottom


class Areas:
    """Rectangles by number.

    Most rectangles of a drawing are low, and what is looked at is a small part of its height: a search in the sorted
    upper edges leaves few to compare. Where some are very high, all above are compared, which numpy does with a
    hundred thousand of them in less than a millisecond.
    """

    def __init__(self, left: Floats, top: Floats, right: Floats, bottom: Floats) -> None:
        """Sort them. Shapes: all (n,)."""
        self.left, self.top, self.right, self.bottom = left, top, right, bottom
        self._order = np.argsort(top, kind="stable")
        self._tops = top[self._order]
        self._highest = float((bottom - top).max()) if top.size else 0.0

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.top.size)

    def meeting(self, area: Area) -> Integers:
        """Return the numbers of those that meet an area, ascending."""
        first = np.searchsorted(self._tops, area.top - self._highest)
        near = self._order[first : np.searchsorted(self._tops, area.bottom, side="right")]
        if near.size > self.count * _MANY:
            # To compare all of them is quicker then than to sort those that were chosen.
            across = (self.left <= area.right) & (self.right >= area.left)
            return np.flatnonzero(across & (self.top <= area.bottom) & (self.bottom >= area.top))
        chosen = (self.bottom[near] >= area.top) & (self.left[near] <= area.right) & (self.right[near] >= area.left)
        return np.sort(near[chosen])

    def at(self, x: float, y: float) -> Integers:
        """Return the numbers of those that a point lies in, ascending."""
        return self.meeting(Area(left=x, top=y, right=x, bottom=y))
