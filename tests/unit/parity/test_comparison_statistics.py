"""The four statistics: what they catch that no single element shows, and what they must not catch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from opstudio.base.data_type import DataType
from opstudio.contract.operator import DEFAULT_TOLERANCES, EXACT, Layer, Tolerance
from opstudio.parity.comparison import Statistics, compare

NAN, INF = math.nan, math.inf
CHUNK = 1 << 16

Array = np.ndarray[Any, np.dtype[Any]]


def normal(size: int, *, seed: int = 3) -> Array:
    return np.random.default_rng(seed).normal(size=size)


@pytest.mark.parametrize("size", [1, 7, CHUNK + 5])
def test_that_the_statistics_are_those_of_numpy(size: int) -> None:
    value, reference = normal(size), normal(size, seed=4) * 3 + 1

    result = compare(value, reference, EXACT)

    for data, found in ((value, result.value_statistics), (reference, result.reference_statistics)):
        assert found is not None
        assert (float(data.min()), float(data.max())) == (found.minimum, found.maximum)
        assert found.mean == pytest.approx(float(data.mean()), rel=1e-12, abs=1e-15)
        assert found.variance == pytest.approx(float(data.var()), rel=1e-9, abs=1e-12)


def test_that_statistics_are_of_the_finite_elements() -> None:
    data = np.array([NAN, 1.0, INF, 3.0, -INF])

    result = compare(data, data.copy(), EXACT)

    assert Statistics(minimum=1.0, maximum=3.0, mean=2.0, variance=1.0) == result.reference_statistics
    assert result.value_statistics == result.reference_statistics


def test_that_chunks_without_any_finite_element_are_passed_over() -> None:
    data = np.full(2 * CHUNK + 2, NAN)
    data[-1], data[0] = 4.0, -2.0

    assert Statistics(minimum=-2.0, maximum=4.0, mean=1.0, variance=9.0) == (
        compare(data, data.copy(), EXACT).reference_statistics
    )


def test_that_an_array_without_any_finite_element_has_no_statistics_and_may_agree() -> None:
    value, reference = np.array([NAN, INF]), np.array([-NAN, INF])

    result = compare(value.astype(np.float32), reference, EXACT)

    assert (result.agrees, result.value_statistics, result.reference_statistics) == (True, None, None)


def test_that_bools_have_statistics_as_numbers() -> None:
    data = np.array([True, False, True, True])

    assert (
        Statistics(minimum=0.0, maximum=1.0, mean=0.75, variance=0.1875)
        == compare(data, data.copy(), EXACT).value_statistics
    )


@pytest.mark.parametrize(("relative", "absolute"), [(0.0, 1e-3), (1e-3, 0.0), (1e-3, 1e-4)])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_that_a_bias_everywhere_is_caught_though_each_element_agrees(
    relative: float, absolute: float, sign: float
) -> None:
    reference = np.random.default_rng(5).uniform(0.9, 1.0, size=10_000)
    value = reference + sign * 0.9 * (absolute + relative * reference)

    result = compare(value, reference, Tolerance(relative=relative, absolute=absolute))

    assert (result.mismatches, result.statistics_agree, result.agrees) == (0, False, False)


def test_that_values_drawn_together_are_caught_though_each_element_agrees() -> None:
    # Mean, minimum and maximum stay; only the variance tells.
    reference = np.concatenate([np.linspace(-1.0, 1.0, 1001), np.full(5000, 0.9), np.full(5000, -0.9)])
    value = np.where(np.abs(reference) < 0.95, reference * 0.97, reference)

    result = compare(value, reference, Tolerance(relative=0.0, absolute=0.03))

    assert result.mismatches == 0
    assert result.value_statistics is not None
    assert result.reference_statistics is not None
    assert result.value_statistics.mean == pytest.approx(result.reference_statistics.mean, abs=1e-9)
    assert not result.statistics_agree


def test_that_a_bias_of_a_tenth_of_the_tolerance_is_not_caught() -> None:
    reference = normal(10_000)

    assert compare(reference + 1e-4, reference, Tolerance(relative=0.0, absolute=1e-3)).agrees


@pytest.mark.parametrize("data_type", [DataType.FLOAT32, DataType.FLOAT16])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_that_honest_rounding_agrees_by_the_usual_tolerance(data_type: DataType, scale: float) -> None:
    exact = normal(200_000) * scale
    value = exact.astype(data_type.value)
    reference = (exact * (1 + np.random.default_rng(6).uniform(-1e-7, 1e-7, exact.size))).astype(data_type.value)

    assert compare(value, reference, DEFAULT_TOLERANCES[Layer.KERNEL][data_type]).agrees


def test_that_a_large_mean_does_not_spoil_the_variance() -> None:
    reference = 1e6 + normal(50_000)
    value = reference * (1 + np.random.default_rng(7).choice([-1e-15, 1e-15], size=reference.size))

    assert compare(value, reference, Tolerance(relative=1e-14, absolute=0.0)).agrees


def test_that_one_wrong_element_among_many_is_not_hidden_by_good_statistics() -> None:
    reference = normal(100_000)
    value = reference.copy()
    value[[10, 20]] = value[[20, 10]]

    result = compare(value, reference, Tolerance(relative=0.0, absolute=1e-6))

    assert (result.statistics_agree, result.mismatches, result.agrees) == (True, 2, False)


@pytest.mark.parametrize(("size", "agrees"), [(1, True), (2, True), (3, False), (10_000, False)])
def test_that_a_bias_is_caught_only_among_so_many_elements_that_it_is_no_chance(size: int, *, agrees: bool) -> None:
    # Seven tenths of the tolerance: less than 1/sqrt(2) of it, more than 1/sqrt(3).
    reference = np.full(size, 100.0)

    result = compare(reference + 0.7, reference, Tolerance(relative=0.0, absolute=1.0))

    assert (0, agrees) == (result.mismatches, result.agrees)


def test_that_the_number_of_elements_is_that_of_the_finite_ones() -> None:
    reference = np.array([NAN] * 100 + [100.0])

    assert compare(reference + 0.7, reference, Tolerance(relative=0.0, absolute=1.0)).agrees


@pytest.mark.parametrize("factor", [1.0, -1.0])
def test_that_statistics_of_the_largest_numbers_are_told_as_far_as_they_are_numbers(factor: float) -> None:
    values = factor * np.array([1.0e308, 1.5e308, 0.5e308])

    statistics = compare(values, values.copy(), EXACT).reference_statistics

    assert statistics is not None
    assert (values.min(), values.max()) == (statistics.minimum, statistics.maximum)
    assert statistics.mean == pytest.approx(factor * 1.0e308, rel=1e-12)
    assert statistics.variance == INF


def test_that_a_bias_of_the_largest_numbers_is_caught() -> None:
    reference = np.random.default_rng(8).uniform(0.9e300, 1.0e300, size=10_000)

    result = compare(reference * (1 + 9e-4), reference, Tolerance(relative=1e-3, absolute=0.0))

    assert (result.mismatches, result.statistics_agree) == (0, False)


@pytest.mark.parametrize(("magnitude", "size"), [(1e154, 1000), (1e200, 2), (1.7e308, 2), (1.7e308, 1000)])
def test_that_values_near_the_end_of_the_range_are_compared(magnitude: float, size: int) -> None:
    reference = np.full(size, magnitude)

    assert compare(reference * (1 - 1e-13), reference, Tolerance(relative=1e-12, absolute=0.0)).agrees
