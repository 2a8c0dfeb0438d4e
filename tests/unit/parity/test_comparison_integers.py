"""Integers and bools are compared by their true distance, however large they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from opstudio.contract.operator import EXACT, Tolerance
from opstudio.parity.comparison import compare


def array(values: Any, data_type: str) -> np.ndarray[Any, np.dtype[Any]]:
    return np.array(values, dtype=data_type)


def tolerance(relative: float = 0.0, absolute: float = 0.0) -> Tolerance:
    return Tolerance(relative=relative, absolute=absolute)


@pytest.mark.parametrize(
    ("data_type", "value", "reference", "error"),
    [
        ("bool", [True, False, True], [True, True, True], 1.0),
        ("int8", [-128, 127], [127, 127], 255.0),
        ("uint8", [0, 255], [255, 255], 255.0),
        ("int32", [-(2**31), 0], [2**31 - 1, 0], 4294967295.0),
        ("int64", [2**53, 5], [2**53 + 4, 5], 4.0),
        ("int16", [7, 8], [7, 8], 0.0),
    ],
)
def test_that_integers_and_bools_differ_by_their_true_distance(
    data_type: str, value: list[int], reference: list[int], error: float
) -> None:
    result = compare(array(value, data_type), array(reference, data_type), EXACT)

    assert (error, error == 0.0) == (result.largest_absolute, result.agrees)


@pytest.mark.parametrize(("value", "reference"), [(2**53, 2**53 + 1), (2**63 - 1, 2**63 - 2), (-(2**62), 1 - 2**62)])
def test_that_large_integers_which_differ_by_one_do_not_agree(value: int, reference: int) -> None:
    assert not compare(array([value], "int64"), array([reference], "int64"), EXACT).agrees


@pytest.mark.parametrize(
    ("value", "reference", "distance"),
    [
        (-(2**63), 2**63 - 1, 2**64 - 1),
        (2**63 - 1, -(2**63), 2**64 - 1),
        (2**53 + 1, 2**53, 1),
        (-1, 1, 2),
    ],
)
def test_that_the_distance_of_any_two_integers_is_exact(value: int, reference: int, distance: int) -> None:
    result = compare(array([value], "int64"), array([reference], "int64"), EXACT)

    assert (float(distance), 1) == (result.largest_absolute, result.mismatches)


def test_that_integers_of_different_types_are_compared_as_integers() -> None:
    assert compare(array([255, 0], "uint8"), array([255, 0], "int64"), EXACT).agrees
    assert compare(array([True, False], "bool"), array([2, 0], "int8"), EXACT).largest_absolute == 1.0
    assert compare(array([2**64 - 1], "uint64"), array([0], "int64"), EXACT).largest_absolute == 2.0**64


def test_that_integers_may_differ_by_the_tolerance() -> None:
    value, reference = array([2**53 + 3, 100], "int64"), array([2**53, 90], "int64")

    assert compare(value, reference, tolerance(absolute=10.0)).mismatches == 0
    assert compare(value, reference, tolerance(absolute=2.0)).mismatches == 2
    assert compare(value, reference, tolerance(relative=0.05)).mismatches == 1
