"""Minimum, maximum, mean and variance of two arrays, and whether they agree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opstudio.contract.operator import Tolerance

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

_CHUNK = 1 << 16
"""Elements that are summed up at a time: small enough for the processor's cache."""
_STATISTIC_FACTOR = 0.5
"""Mean and variance of many elements may be off by this part of what a single element may be off.

Of few elements a larger part, since rounding errors that happen to have one sign do not average out.
"""
_VARIANCE_NOISE = 1e-12
"""What cancellation costs: the variance is a difference of two sums of squares."""
_LARGEST_TO_SQUARE = 1e150
"""Beyond this the sum of squares might not be finite; such values are scaled down first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Minimum, maximum, mean and variance of the finite elements; a variance beyond all numbers is infinite."""

    minimum: float
    maximum: float
    mean: float
    variance: float

    @property
    def largest(self) -> float:
        """The largest magnitude."""
        return max(abs(self.minimum), abs(self.maximum))

    def scaled(self, factor: float) -> Statistics:
        """Return the statistics of the elements times a power of two."""
        return Statistics(
            minimum=self.minimum * factor,
            maximum=self.maximum * factor,
            mean=self.mean * factor,
            variance=self.variance * factor * factor,
        )


def compare_statistics(
    value: Array, reference: Array, tolerance: Tolerance, *, identical: bool
) -> tuple[Statistics | None, Statistics | None, bool]:
    """Return the statistics of both arrays (``None`` where nothing is finite) and whether they agree."""
    theirs, count = _statistics(reference)
    ours = theirs if identical else _statistics(value)[0]
    largest = max((statistics.largest for statistics in (ours, theirs) if statistics is not None), default=0.0)
    if largest <= _LARGEST_TO_SQUARE:
        return ours, theirs, identical or _agree(ours, theirs, tolerance, count)
    # A power of two changes no digit.
    factor = math.ldexp(1.0, 1 - math.frexp(largest)[1])
    theirs, count = _statistics(reference, factor)
    ours = theirs if identical else _statistics(value, factor)[0]
    scaled = Tolerance(relative=tolerance.relative, absolute=tolerance.absolute * factor)
    agree = identical or _agree(ours, theirs, scaled, count)
    return _scaled(ours, 1.0 / factor), _scaled(theirs, 1.0 / factor), agree


def _statistics(array: Array, factor: float = 1.0) -> tuple[Statistics | None, int]:
    """Return the statistics of the finite elements times ``factor``, or ``None``, and how many there are."""
    import numpy as np

    flat = array.reshape(-1)
    count, total, squares = 0, 0.0, 0.0
    minimum, maximum = math.inf, -math.inf
    memory = np.empty(min(flat.size, _CHUNK))  # the same for all chunks
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for start in range(0, flat.size, _CHUNK):
            part = flat[start : start + _CHUNK]
            chunk = memory[: part.size]
            chunk[...] = part
            if factor != 1.0:
                chunk *= factor
            lowest, highest = float(chunk.min()), float(chunk.max())
            if not (math.isfinite(lowest) and math.isfinite(highest)):
                chunk = chunk[np.isfinite(chunk)]
                if chunk.size == 0:
                    continue
                lowest, highest = float(chunk.min()), float(chunk.max())
            minimum, maximum = min(minimum, lowest), max(maximum, highest)
            count += chunk.size
            total += float(chunk.sum())
            squares += float(np.vdot(chunk, chunk))
    if count == 0:
        return None, 0
    mean = total / count
    variance = max(squares / count - mean * mean, 0.0)
    return Statistics(minimum=minimum, maximum=maximum, mean=mean, variance=variance), count


def _scaled(statistics: Statistics | None, factor: float) -> Statistics | None:
    if statistics is None:
        return None
    return Statistics(
        minimum=statistics.minimum * factor,
        maximum=statistics.maximum * factor,
        mean=statistics.mean * factor,
        variance=statistics.variance * factor * factor,
    )


def _agree(value: Statistics | None, reference: Statistics | None, tolerance: Tolerance, count: int) -> bool:
    if value is None or reference is None:
        return value is reference
    largest = reference.largest
    allowed = tolerance.absolute + tolerance.relative * largest
    part = max(_STATISTIC_FACTOR, 1.0 / math.sqrt(count))
    pairs = (
        (value.minimum, reference.minimum, allowed),
        (value.maximum, reference.maximum, allowed),
        (value.mean, reference.mean, allowed * part),
        # A bias of d on values up to s moves the mean of their squares by about 2·s·d.
        (value.variance, reference.variance, 2.0 * largest * allowed * part + _VARIANCE_NOISE * largest * largest),
    )
    return all(abs(a - b) <= bound or not math.isfinite(bound) for a, b, bound in pairs)
