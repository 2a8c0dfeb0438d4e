"""Orders of the axes of a tensor that a kernel may have assumed in place of the contract's: NHWC for NCHW.

An order is a permutation: ``(0, 2, 3, 1)`` names, place by place, which of the contract's axes is assumed there.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opstudio.contract.operator import Tolerance

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

RANKS = (3, 4)
"""The ranks whose axes have orders that people mix up: rows of vectors, images, their weights."""
_ROUNDING = 1e-12
"""What fitting a line costs, of the largest value."""
_COMMON = {
    3: ((0, 2, 1), (1, 2, 0), (2, 0, 1), (1, 0, 2)),
    4: ((0, 2, 3, 1), (0, 3, 1, 2), (0, 1, 3, 2), (1, 0, 2, 3), (2, 3, 1, 0), (3, 2, 0, 1)),
}
"""NCHW and NHWC, CHW and HWC, OIHW and HWIO, with their inverses, and pairs that are exchanged."""


class Side(enum.Enum):
    """Where the other order is assumed."""

    INPUT = "input"
    OUTPUT = "output"
    BOTH = "both"
    """In an input and in every output of its rank alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisOrder:
    """One assumption. ``tensor`` is the input (where ``side`` is ``INPUT`` or ``BOTH``) or the output that it is about.

    ``is_memory`` tells a memory that is walked in another order from a shape that is: the first keeps the sizes where
    the contract has them, the second takes them from other axes.
    """

    side: Side
    tensor: str
    axes: tuple[int, ...]
    is_memory: bool = True


class SearchOutcome(enum.Enum):
    """What a search for an order ended with."""

    EXPLAINED = "explained"
    NOT_EXPLAINED = "not explained"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisOrderSearch:
    """What was found for results that differ. ``orders`` explain every case looked at, the likeliest first.

    ``cases`` are the names of those that were looked at, ``reason`` why nothing can be told.
    """

    outcome: SearchOutcome
    orders: tuple[AxisOrder, ...] = ()
    cases: tuple[str, ...] = ()
    reason: str = ""


def common_orders(rank: int) -> tuple[tuple[int, ...], ...]:
    """Return the orders that people mix up; none for other ranks."""
    return _COMMON.get(rank, ())


def all_orders(rank: int) -> Iterator[tuple[int, ...]]:
    """Yield every other order of the axes, the common ones first; none for other ranks."""
    common = common_orders(rank)
    yield from common
    if rank in RANKS:
        for axes in itertools.permutations(range(rank)):
            if axes not in common and axes != tuple(range(rank)):
                yield axes


def inverse(axes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the order that undoes another."""
    return tuple(axes.index(place) for place in range(len(axes)))


def read_as(tensor: Any, axes: tuple[int, ...]) -> Any:
    """Return what a kernel sees that walks the memory of a PyTorch tensor in another order; the shape stays."""
    shape = tuple(tensor.shape[axis] for axis in axes)
    return tensor.reshape(shape).permute(inverse(axes)).contiguous()


def written_as(tensor: Any, axes: tuple[int, ...]) -> Any:
    """Return the PyTorch tensor that a kernel leaves behind that writes the memory in another order."""
    return tensor.permute(axes).reshape(tensor.shape)


def is_line(value: Array, reference: Array, tolerance: Tolerance) -> bool:
    """Whether one straight line leads from all elements of the reference to the values: ``value = a · reference + b``.

    A wrong sign, factor or offset is such a line. Where data are symmetrical, it can look like another order.
    """
    import numpy as np

    x, y = (array.astype(np.float64).reshape(-1) for array in (reference, value))
    if x.shape != y.shape or x.size == 0 or not (np.isfinite(x).all() and np.isfinite(y).all()):
        return False
    middle = float(x.mean())
    spread = float(np.square(x - middle).sum())
    slope = float(((x - middle) * y).sum()) / spread if spread > 0 else 0.0
    rest = np.abs(y - (float(y.mean()) + slope * (x - middle)))
    allowed = tolerance.absolute + (tolerance.relative + _ROUNDING) * float(np.abs(y).max())
    return bool((rest <= allowed).all())
