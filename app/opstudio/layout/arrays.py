"""Small operations on arrays of numbers that several steps of the layout need."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def starts_of(keys: Integers, count: int) -> Integers:
    """Return where each key starts among the sorted ``keys``.

    Shapes: keys: (m,), each in ``0 … count − 1``; result: (count + 1,), so that the entries of ``k`` are
    ``starts[k]:starts[k + 1]``.
    """
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys, minlength=count), out=starts[1:])
    return starts


def ranks_within(starts: Integers) -> Integers:
    """Return 0, 1, 2 … within each group. Shapes: starts: (groups + 1,); result: (starts[-1],)."""
    sizes = np.diff(starts)
    return np.arange(int(starts[-1]), dtype=np.int64) - np.repeat(starts[:-1], sizes)


def number_pairs(first: Integers, second: Integers) -> Integers:
    """Return a number for each pair, 0, 1, 2 … without gaps: equal for equal pairs, ascending as pairs do.

    Shapes: first: (m,), not negative; second: (m,), anything; result: (m,).
    """
    if first.size == 0:
        return np.empty(0, dtype=np.int64)
    narrow = np.unique(second, return_inverse=True)[1]
    key = first * (int(narrow.max()) + 1) + narrow
    number: Integers = np.unique(key, return_inverse=True)[1].astype(np.int64, copy=False)
    return number


def follow(pointers: Integers) -> Integers:
    """Return where each chain of pointers ends: at an index that points to itself. There must be no other cycle."""
    while True:
        further = pointers[pointers]
        if np.array_equal(further, pointers):
            return pointers
        pointers = further
