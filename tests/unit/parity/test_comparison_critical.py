"""The element that comes closest to what is allowed: held against NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from opstudio.contract.operator import Tolerance
from opstudio.parity.comparison import compare

TOLERANCE = Tolerance(relative=1e-5, absolute=1e-6)


@pytest.mark.parametrize("size", [1, 7, 1 << 16, (1 << 16) + 1, 600_001])
@pytest.mark.parametrize("scale", [1e-8, 1e-5], ids=["within", "beyond"])
def test_that_the_critical_element_has_the_largest_part_of_what_is_allowed(size: int, scale: float) -> None:
    chance = np.random.default_rng(size)
    reference = chance.uniform(-4, 4, size)
    value = reference + chance.uniform(-1, 1, size) * scale

    result = compare(value, reference, TOLERANCE, type_name="float64")

    ratio = np.abs(value - reference) / (1e-6 + 1e-5 * np.abs(reference))
    index = int(ratio.argmax())
    assert result.largest_ratio == pytest.approx(ratio.max(), rel=1e-12)
    assert result.critical is not None
    assert result.critical.index == (index,)
    assert (result.critical.value, result.critical.reference) == (value[index], reference[index])
    assert result.type == "float64"
    assert (result.mismatches > 0) == (ratio.max() > 1)


def test_that_equal_arrays_have_no_critical_element() -> None:
    result = compare(np.array([1.0, np.nan, np.inf]), np.array([1.0, np.nan, np.inf]), TOLERANCE)

    assert (result.largest_ratio, result.critical) == (0.0, None)


def test_that_equal_numbers_of_other_types_have_no_critical_element() -> None:
    result = compare(np.array([1, 2], dtype=np.int64), np.array([1, 2], dtype=np.int32), TOLERANCE)

    assert (result.largest_ratio, result.critical) == (0.0, None)


def test_that_where_nothing_is_allowed_any_difference_is_endless() -> None:
    result = compare(np.array([0, 3, 5]), np.array([0, 4, 5]), Tolerance(relative=0.0, absolute=0.0))

    assert result.largest_ratio == math.inf
    assert result.critical is not None
    assert result.critical.index == (1,)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_that_a_value_which_is_not_finite_is_endless(value: float) -> None:
    result = compare(np.array([1.0, value, 2.0]), np.array([1.1, 0.0, 2.0]), TOLERANCE)

    assert result.largest_ratio == math.inf
    assert result.critical is not None
    assert result.critical.index == (1,)


def test_that_another_shape_is_endless() -> None:
    result = compare(np.zeros((2, 2)), np.zeros(4), TOLERANCE, type_name="float32")

    assert (result.largest_ratio, result.critical, result.type) == (math.inf, None, "float32")
