"""Compares two arrays by the combined criterion and by four statistics.

A value agrees when ``|value − reference| ≤ absolute + relative · |reference|``; NaN agrees with NaN and an infinity
with the same infinity only, at the same place. Minimum, maximum, mean and variance of the finite values must agree as
well: a small bias everywhere passes the criterion element by element and still is a fault.

Integers are compared as integers, since float64 cannot tell them apart from 2^53 on.

NumPy is imported inside the functions, so that records can be read without it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opstudio.contract.operator import Tolerance
from opstudio.parity.statistics import Statistics, compare_statistics

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

_CHUNK = 1 << 16
"""Elements that are compared at a time: small enough for the processor's cache."""
_WORST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One element that differs: its index, the value, the reference, and what may lie between them.

    ``inputs`` are the values that it was computed from, by input, where the caller knows them. ``is_written`` is false
    where the value is what its memory held before.
    """

    index: tuple[int, ...]
    value: float
    reference: float
    allowed: float
    inputs: Mapping[str, float] = field(default_factory=dict)
    is_written: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How two arrays compare. ``largest_relative`` leaves out elements whose reference is zero.

    ``worst`` are elements that do not agree. ``critical`` is the one whose difference is the largest part of what may
    lie there, ``largest_ratio`` of it, whether it agrees or not; there is none where all elements are equal. ``type``
    is that of the value, where the caller tells it; ``unwritten`` counts the elements that were never written, where
    the caller can tell.
    """

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
    largest_ratio: float = 0.0
    critical: Element | None = None
    type: str = ""
    unwritten: int = 0

    @property
    def agrees(self) -> bool:
        """Whether everything is within the tolerance."""
        return self.shapes_agree and self.mismatches == 0 and self.statistics_agree


def compare(value: Array, reference: Array, tolerance: Tolerance, *, type_name: str = "") -> Comparison:
    """Compare two arrays of real numbers or bools.

    Args:
        value: what was computed, of any shape.
        reference: what it should be.
        tolerance: what may lie between them.
        type_name: the type in which the value was computed; NumPy lacks some.
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
            largest_ratio=math.inf,
            type=type_name,
        )
    identical = _is_identical(value, reference)
    of_value, of_reference, statistics_agree = compare_statistics(value, reference, tolerance, identical=identical)
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
        statistics_agree=statistics_agree,
        value_shape=value.shape,
        reference_shape=reference.shape,
        largest_ratio=differences.largest_ratio,
        critical=None
        if differences.critical_index is None
        else _element(value, reference, differences.critical_index, tolerance),
        type=type_name,
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
        self.largest_ratio = 0.0
        self.critical_index: int | None = None

    def scan(self, value: Array, reference: Array) -> None:
        import numpy as np

        differ = _integer_difference if _are_integers(value, reference) else _difference
        # The same memory for all chunks: to get fresh memory takes longer than to compute in it.
        memory = np.empty((3, min(value.size, _CHUNK)))
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            for start in range(0, value.size, _CHUNK):
                expected = reference[start : start + _CHUNK]
                difference, magnitude, spare = memory[:, : expected.size]
                magnitude[...] = expected
                differ(value[start : start + _CHUNK], expected, magnitude, difference)
                np.abs(magnitude, out=magnitude)
                if not math.isfinite(float(magnitude.max())):
                    magnitude[~np.isfinite(magnitude)] = 0.0
                self._add(start, difference, magnitude, spare)

    def worst_indices(self) -> list[int]:
        return [index for _, index in self._worst]

    def _add(self, start: int, difference: Array, magnitude: Array, spare: Array) -> None:
        """Take up a chunk; what is in ``magnitude`` and ``spare`` is overwritten."""
        import numpy as np

        largest = float(difference.max())
        if largest == 0.0:
            return
        self.largest_absolute = max(self.largest_absolute, largest)
        relative = np.divide(difference, magnitude, out=spare)
        if not magnitude.all():
            relative[magnitude == 0] = 0.0
        self.largest_relative = max(self.largest_relative, float(relative.max()))
        allowed = np.multiply(magnitude, self._tolerance.relative, out=magnitude)
        allowed += self._tolerance.absolute
        self._note_critical(start, np.divide(difference, allowed, out=relative), difference)
        excess = np.subtract(difference, allowed, out=allowed)
        if math.isinf(largest):
            excess[np.isinf(difference)] = np.inf  # whatever the tolerance
        self.mismatches += int(np.count_nonzero(excess > 0))
        self._keep_worst(start, excess)

    def _note_critical(self, start: int, ratio: Array, difference: Array) -> None:
        """Keep the element whose difference is the largest part of what is allowed."""
        if self._tolerance.absolute == 0:
            ratio[difference == 0] = 0.0  # nothing of nothing
        index = int(ratio.argmax())
        if self.critical_index is None or float(ratio[index]) > self.largest_ratio:
            self.largest_ratio, self.critical_index = float(ratio[index]), start + index

    def _keep_worst(self, start: int, excess: Array) -> None:
        """Keep the elements that exceed most; of elements that are equally wrong the first ones."""
        import numpy as np

        # What does not exceed the least of those kept cannot replace it: most chunks have few such elements.
        least = self._worst[-1][0] if len(self._worst) == _WORST else 0.0
        indices = np.flatnonzero(excess > least)
        if indices.size > _WORST:
            indices = indices[_largest(excess[indices])]
        found = [(float(excess[index]), start + int(index)) for index in indices]
        self._worst = sorted([*self._worst, *found], key=lambda item: (-item[0], item[1]))[:_WORST]


def _largest(values: Array) -> Array:
    """Return the positions of the ``_WORST`` largest of more values than that; of equal ones the first."""
    import numpy as np

    least = np.partition(values, values.size - _WORST)[values.size - _WORST]
    larger = np.flatnonzero(values > least)
    return np.concatenate([larger, np.flatnonzero(values == least)[: _WORST - larger.size]])


def _are_integers(value: Array, reference: Array) -> bool:
    """Whether both arrays hold integers of up to 64 bits with a sign, or bools."""
    return all(array.dtype.kind in "iub" and array.dtype != "uint64" for array in (value, reference))


def _integer_difference(value: Array, reference: Array, _wide: Array, distance: Array) -> None:
    """Set the distances of integers: computed in 64 bits without a sign, which hold the largest of them."""
    import numpy as np

    first, second = value.astype(np.int64), reference.astype(np.int64)
    low, high = np.minimum(first, second).view(np.uint64), np.maximum(first, second).view(np.uint64)
    distance[...] = high - low


def _difference(value: Array, _reference: Array, wide: Array, distance: Array) -> None:
    """Set the distances of numbers: none between like values, endless where one of them is not finite.

    ``wide`` is the reference in float64.
    """
    import numpy as np

    distance[...] = value
    np.abs(np.subtract(distance, wide, out=distance), out=distance)
    if not math.isfinite(float(distance.max())):
        first = value.astype(np.float64)
        distance[(first == wide) | (np.isnan(first) & np.isnan(wide))] = 0.0
        distance[np.isnan(distance)] = np.inf  # NaN against a number, or two different infinities


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
