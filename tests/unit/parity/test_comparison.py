"""Two arrays compared, held against numbers worked out by hand or by NumPy in the test."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.contract.operator import EXACT, Tolerance
from opstudio.parity.comparison import Comparison, compare

NAN, INF = math.nan, math.inf
CHUNK = 1 << 16


def array(values: Any, data_type: str = "float64") -> np.ndarray[Any, np.dtype[Any]]:
    return np.array(values, dtype=data_type)


def tolerance(relative: float = 0.0, absolute: float = 0.0) -> Tolerance:
    return Tolerance(relative=relative, absolute=absolute)


def compared(value: Any, reference: Any, *, relative: float = 0.0, absolute: float = 0.0) -> Comparison:
    return compare(array(value), array(reference), tolerance(relative, absolute))


@pytest.mark.parametrize(
    ("value", "reference", "relative", "absolute", "mismatches"),
    [
        (1.25, 1.0, 0.0, 0.25, 0),  # exactly the bound
        (np.nextafter(1.25, 2.0), 1.0, 0.0, 0.25, 1),
        (0.75, 1.0, 0.0, 0.25, 0),
        (np.nextafter(0.75, 0.0), 1.0, 0.0, 0.25, 1),
        (10.0, 8.0, 0.25, 0.0, 0),
        (np.nextafter(10.0, 11.0), 8.0, 0.25, 0.0, 1),
        (8.0, 10.0, 0.2, 0.0, 0),  # relative to the reference: of 8 it would be a quarter
        (10.0, 8.0, 0.2, 0.0, 1),
        (-10.0, -8.0, 0.25, 0.0, 0),
        (2.5, 2.0, 0.125, 0.25, 0),  # both parts together
        (np.nextafter(2.5, 3.0), 2.0, 0.125, 0.25, 1),
        (1e-30, 0.0, 1.0, 0.0, 1),  # relative to nothing
        (0.0, -0.0, 0.0, 0.0, 0),
        (1.0, -1.0, 0.0, 1.0, 1),
    ],
)
def test_that_a_value_agrees_up_to_the_bound_and_not_beyond(
    value: float, reference: float, relative: float, absolute: float, mismatches: int
) -> None:
    result = compared([value], [reference], relative=relative, absolute=absolute)

    assert mismatches == result.mismatches
    assert abs(value - reference) == result.largest_absolute


def test_that_an_array_of_one_element_agrees_when_its_element_does() -> None:
    assert compared([1.2], [1.0], absolute=0.25).agrees


@pytest.mark.parametrize(
    ("value", "reference", "agrees"),
    [
        (NAN, NAN, True),
        (INF, INF, True),
        (-INF, -INF, True),
        (NAN, 1.0, False),
        (1.0, NAN, False),
        (INF, -INF, False),
        (-INF, INF, False),
        (INF, 1e100, False),
        (1e100, INF, False),
        (NAN, INF, False),
        (INF, NAN, False),
        (0.0, INF, False),
    ],
)
@pytest.mark.parametrize("bound", [0.0, 1e3])
def test_that_what_is_not_finite_agrees_with_its_like_only(
    value: float, reference: float, bound: float, *, agrees: bool
) -> None:
    # A second element of another bit pattern keeps the arrays from being identical.
    result = compared([value, 0.0], [reference, -0.0], relative=bound, absolute=bound)

    assert agrees == result.agrees
    assert (0 if agrees else 1, 0.0 if agrees else INF) == (result.mismatches, result.largest_absolute)


def test_that_nan_at_another_place_does_not_agree() -> None:
    result = compared([NAN, 1.0, 2.0], [1.0, NAN, 2.0], absolute=10.0)

    assert sorted(element.index for element in result.worst) == [(0,), (1,)]
    assert result.mismatches == 2


def test_that_identical_arrays_with_nan_agree() -> None:
    data = array([[NAN, INF], [-INF, 1.0]], "float32")

    result = compare(data, data.copy(), EXACT)

    assert (
        result.agrees,
        result.mismatches,
        result.largest_absolute,
        result.largest_relative,
        result.worst,
    ) == (True, 0, 0.0, 0.0, ())


def test_that_nan_of_another_bit_pattern_is_still_nan() -> None:
    other_nan = np.array([0x7FF8000000000001, 0x3FF0000000000000], dtype=np.uint64).view(np.float64)

    assert compare(other_nan, array([NAN, 1.0]), EXACT).agrees


def test_that_the_largest_relative_error_leaves_out_references_of_zero_and_infinity() -> None:
    result = compared([0.5, 3.0, 9.0, INF], [0.0, 2.0, 10.0, INF], absolute=1.0)

    assert (result.largest_absolute, result.largest_relative) == (1.0, 0.5)
    assert result.mismatches == 0


def test_that_the_worst_elements_come_first_with_index_values_and_bound() -> None:
    reference = np.arange(12.0).reshape(3, 4)
    value = reference.copy()
    value[2, 1] += 5.0
    value[0, 3] -= 7.0
    value[1, 2] += 6.0

    result = compare(value, reference, tolerance(relative=0.5, absolute=0.25))

    found = [(item.index, item.value, item.reference, item.allowed) for item in result.worst]
    # By how far they are beyond what is allowed: 7 - 1.75, 6 - 3.25, 5 - 4.75.
    assert found == [
        ((0, 3), -4.0, 3.0, 0.25 + 1.5),
        ((1, 2), 12.0, 6.0, 0.25 + 3.0),
        ((2, 1), 14.0, 9.0, 0.25 + 4.5),
    ]
    assert (result.count, result.mismatches) == (12, 3)


def test_that_eight_of_the_worst_elements_are_kept_over_all_chunks() -> None:
    reference = np.zeros(3 * CHUNK)
    value = reference.copy()
    places = [(index * 97_001) % value.size for index in range(1, 21)]
    for error, place in enumerate(places, start=1):
        value[place] = error

    result = compare(value, reference, EXACT)

    assert [((place,), float(error)) for error, place in enumerate(places, start=1)][::-1][:8] == [
        (element.index, element.value) for element in result.worst
    ]
    assert (result.mismatches, result.largest_absolute) == (20, 20.0)


@pytest.mark.parametrize("value", [1.0, NAN])
def test_that_the_first_of_many_equally_wrong_elements_are_kept(value: float) -> None:
    result = compare(np.full(1000, value), np.zeros(1000), EXACT)

    assert [(index,) for index in range(8)] == [element.index for element in result.worst]


def test_that_arrays_of_different_shape_never_agree() -> None:
    result = compare(np.zeros((2, 3)), np.zeros((3, 2)), tolerance(absolute=INF))

    assert (
        result.agrees,
        result.shapes_agree,
        result.count,
        result.mismatches,
        result.largest_absolute,
        result.value_shape,
        result.reference_shape,
    ) == (False, False, 6, 6, INF, (2, 3), (3, 2))
    assert (result.value_statistics, result.reference_statistics, result.worst) == (None, None, ())


@pytest.mark.parametrize(("first", "second"), [((), (1,)), ((0,), (0, 1)), ((1, 1), (1,))])
def test_that_shapes_of_equal_size_are_still_different(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    assert not compare(np.zeros(first), np.zeros(second), EXACT).agrees


@pytest.mark.parametrize("types", [("float32", "float32"), ("float32", "float64"), ("int64", "bool")])
@pytest.mark.parametrize("shape", [(0,), (3, 0, 2)])
def test_that_empty_arrays_agree_and_have_no_statistics(types: tuple[str, str], shape: tuple[int, ...]) -> None:
    result = compare(np.zeros(shape, types[0]), np.zeros(shape, types[1]), EXACT)

    assert (True, 0, 0.0, None, shape) == (
        result.agrees,
        result.count,
        result.largest_absolute,
        result.value_statistics,
        result.value_shape,
    )


def test_that_scalars_are_compared() -> None:
    result = compare(array(1.5, "float32"), array(1.0, "float32"), EXACT)

    (element,) = result.worst
    assert (result.count, result.mismatches, element.index, element.value, element.reference) == (1, 1, (), 1.5, 1.0)


def test_that_no_tolerance_is_wide_enough_for_what_is_not_finite() -> None:
    result = compared([NAN, 1.0, INF], [1.0, INF, INF], absolute=INF, relative=1.0)

    assert (result.mismatches, [(0,), (1,)]) == (2, [element.index for element in result.worst])


def test_that_the_first_of_equally_wrong_elements_are_kept_behind_worse_ones() -> None:
    value = np.ones(2 * CHUNK)
    value[[7, CHUNK + 5]] = 3.0

    result = compare(value, np.zeros(2 * CHUNK), EXACT)

    assert [element.index[0] for element in result.worst] == [7, CHUNK + 5, 0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("seed", range(6))
def test_that_the_worst_elements_are_those_of_a_sort_of_all(seed: int) -> None:
    generator = np.random.default_rng(seed)
    # Few different values, so that many elements are equally wrong, and chunks that are all right or all wrong.
    value = generator.integers(0, 3 + seed, 3 * CHUNK + 11).astype(np.float64)
    value[CHUNK : CHUNK + CHUNK * (seed % 2)] = 0.0

    result = compare(value, np.zeros_like(value), EXACT)

    order = np.argsort(-value, kind="stable")[:8]
    assert [element.index[0] for element in result.worst] == order.tolist()
    assert result.mismatches == np.count_nonzero(value)


def test_that_halves_are_compared_without_rounding_or_overflow_of_their_own() -> None:
    value, reference = array([60000.0, -60000.0, 1.0], "float16"), array([-60000.0, 60000.0, 1.0], "float16")

    result = compare(value, reference, EXACT)

    assert (result.largest_absolute, result.mismatches) == (120000.0, 2)
    assert not compare(array([1.0], "float16"), array([1.0009765625], "float16"), tolerance(absolute=0.0009)).agrees
    assert compare(array([1.0], "float16"), array([1.0009765625], "float16"), tolerance(absolute=0.001)).mismatches == 0


def test_that_types_may_differ_where_values_agree() -> None:
    assert compare(array([0.5, 2.0], "float16"), array([0.5, 2.0], "float64"), EXACT).agrees
    assert not compare(array([0.1], "float32"), array([0.1], "float64"), EXACT).agrees


VALUES = st.floats(-1e3, 1e3) | st.sampled_from([NAN, INF, -INF, 0.0, -0.0])


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=30),
    st.floats(0.0, 0.5),
    st.sampled_from([0.0, 1e-3, 10.0]),
)
def test_that_the_count_of_mismatches_is_that_of_numpy(
    pairs: list[tuple[float, float]], relative: float, absolute: float
) -> None:
    value, reference = array([first for first, _ in pairs]), array([second for _, second in pairs])

    result = compare(value, reference, tolerance(relative, absolute))

    with np.errstate(invalid="ignore"):
        close = np.isclose(value, reference, rtol=relative, atol=absolute, equal_nan=True)
    assert np.count_nonzero(~close) == result.mismatches
    assert min(8, result.mismatches) == len(result.worst)
    assert not any(close[element.index] for element in result.worst)
