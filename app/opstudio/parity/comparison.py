"""Compares two arrays by the combined criterion and by four statistics.

A value agrees when ``|value − reference| ≤ absolute + relative · |reference|``; NaN agrees with NaN and an infinity
with the same infinity only, at the same place. Minimum, maximum, mean and variance of the finite values must agree as
well: a small bias everywhere passes the criterion element by element and still is a fault.

NumPy is imported inside the functions, so that records can be read without it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opstudio.contract.operator import Tolerance

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

_CHUNK = 1 << 18
"""Elements that are compared at a time: small enough for the processor's cache."""
_WORST = 8
_STATISTIC_FACTOR = 0.5
"""Mean and variance may be off by this part of what a single element may be off."""
_VARIANCE_NOISE = 1e-12
"""What cancellation costs: the variance is a difference of two sums of squares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One element that differs: its index, the value, the reference, and what may lie between them."""

    index: tuple[int, ...]
    value: float
    reference: float
    allowed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Minimum, maximum, mean and variance of the finite elements."""

    minimum: float
    maximum: float
    mean: float
    variance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How two arrays compare. ``largest_relative`` leaves out elements whose reference is zero."""

    count: int
    mismatches: int
    largest_absolute: float
    largest_relative: float
    worst: tuple[Element, ...]
    value_statistics: Statistics | None
    reference_statistics: Statistics | None
    statistics_agree: bool
    shapes_agree: bool = True
    value_shape: tuple[int, ...] = ()
    reference_shape: tuple[int, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether everything is within the tolerance."""
        return self.shapes_agree and self.mismatches == 0 and self.statistics_agree


def compare(value: Array, reference: Array, tolerance: Tolerance) -> Comparison:
    """Compare two arrays of real numbers or bools.

    Args:
        value: what was computed, of any shape.
        reference: what it should be.
        tolerance: what may lie between them.
    """
    if value.shape != reference.shape:
        return Comparison(
            count=value.size,
            mismatches=value.size,
            largest_absolute=math.inf,
            largest_relative=math.inf,
            worst=(),
            value_statistics=None,
            reference_statistics=None,
            statistics_agree=False,
            shapes_agree=False,
            value_shape=value.shape,
            reference_shape=reference.shape,
        )
    identical = _is_identical(value, reference)
    of_reference = _statistics(reference)
    of_value = of_reference if identical else _statistics(value)
    differences = _Differences(tolerance)
    if not identical:
        differences.scan(value.reshape(-1), reference.reshape(-1))
    return Comparison(
        count=value.size,
        mismatches=differences.mismatches,
        largest_absolute=differences.largest_absolute,
        largest_relative=differences.largest_relative,
        worst=tuple(_element(value, reference, index, tolerance) for index in differences.worst_indices()),
        value_statistics=of_value,
        reference_statistics=of_reference,
        statistics_agree=identical or _statistics_agree(of_value, of_reference, tolerance),
        value_shape=value.shape,
        reference_shape=reference.shape,
    )


def _is_identical(value: Array, reference: Array) -> bool:
    import numpy as np

    if value.dtype != reference.dtype or not (value.flags.c_contiguous and reference.flags.c_contiguous):
        return False
    # Bit patterns compare at the speed of memory, and NaN equals itself.
    return bool(np.array_equal(value.reshape(-1).view(np.uint8), reference.reshape(-1).view(np.uint8)))


class _Differences:
    """Gathers the differences of two flat arrays, chunk by chunk."""

    def __init__(self, tolerance: Tolerance) -> None:
        self._tolerance = tolerance
        self._worst: list[tuple[float, int]] = []
        self.mismatches = 0
        self.largest_absolute = 0.0
        self.largest_relative = 0.0

    def scan(self, value: Array, reference: Array) -> None:
        import numpy as np

        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            for start in range(0, value.size, _CHUNK):
                end = start + _CHUNK
                self._add(start, value[start:end].astype(np.float64), reference[start:end].astype(np.float64))

    def worst_indices(self) -> list[int]:
        return [index for _, index in sorted(self._worst, key=lambda item: (-item[0], item[1]))[:_WORST]]

    def _add(self, start: int, value: Array, reference: Array) -> None:
        import numpy as np

        difference = np.abs(value - reference)
        if not np.isfinite(difference).all():
            difference[(value == reference) | (np.isnan(value) & np.isnan(reference))] = 0.0
            difference[np.isnan(difference)] = np.inf  # NaN against a number, or two different infinities
        magnitude = np.abs(reference)
        magnitude[~np.isfinite(magnitude)] = 0.0
        self.largest_absolute = max(self.largest_absolute, float(difference.max()))
        relative = np.divide(difference, magnitude, out=np.zeros_like(difference), where=magnitude > 0)
        self.largest_relative = max(self.largest_relative, float(relative.max()))
        excess = difference - (self._tolerance.absolute + self._tolerance.relative * magnitude)
        count = int(np.count_nonzero(excess > 0))
        if count:
            self.mismatches += count
            kept = min(_WORST, count)
            order = np.argpartition(excess, excess.size - kept)[excess.size - kept :]
            self._worst += [(float(excess[index]), start + int(index)) for index in order]


def _element(value: Array, reference: Array, index: int, tolerance: Tolerance) -> Element:
    import numpy as np

    expected = float(reference.reshape(-1)[index])
    magnitude = abs(expected) if math.isfinite(expected) else 0.0
    return Element(
        index=tuple(int(position) for position in np.unravel_index(index, value.shape)) if value.shape else (),
        value=float(value.reshape(-1)[index]),
        reference=expected,
        allowed=tolerance.absolute + tolerance.relative * magnitude,
    )


def _statistics(array: Array) -> Statistics | None:
    """Return the statistics of the finite elements; ``None`` where there are none."""
    import numpy as np

    flat = array.reshape(-1)
    count, total, squares = 0, 0.0, 0.0
    minimum, maximum = math.inf, -math.inf
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, flat.size, _CHUNK):
            chunk = flat[start : start + _CHUNK].astype(np.float64)
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
        return None
    mean = total / count
    return Statistics(minimum=minimum, maximum=maximum, mean=mean, variance=max(squares / count - mean * mean, 0.0))


def _statistics_agree(value: Statistics | None, reference: Statistics | None, tolerance: Tolerance) -> bool:
    if value is None or reference is None:
        return value is reference
    largest = max(abs(reference.minimum), abs(reference.maximum))
    allowed = tolerance.absolute + tolerance.relative * largest
    pairs = (
        (value.minimum, reference.minimum, allowed),
        (value.maximum, reference.maximum, allowed),
        (value.mean, reference.mean, allowed * _STATISTIC_FACTOR),
        # A bias of d on values up to s moves the mean of their squares by about 2·s·d.
        (
            value.variance,
            reference.variance,
            2.0 * largest * allowed * _STATISTIC_FACTOR + _VARIANCE_NOISE * largest**2,
        ),
    )
    return all(abs(a - b) <= bound or not math.isfinite(bound) for a, b, bound in pairs)
