"""Attribute values brought to the type of the contract."""

from __future__ import annotations

import math
from typing import Any

import pytest

from opstudio.contract.attribute_values import AttributeTypeError, convert_attribute
from opstudio.contract.operator import AttributeKind


@pytest.mark.parametrize(
    ("kind", "value", "converted"),
    [
        (AttributeKind.INT, 3, 3),
        (AttributeKind.INTS, [2**63 - 1, -(2**63)], (2**63 - 1, -(2**63))),
        (AttributeKind.FLOAT, 3, 3.0),
        (AttributeKind.FLOAT, 2.5, 2.5),
        (AttributeKind.BOOL, False, False),
        (AttributeKind.STRING, "", ""),
        (AttributeKind.INTS, [1, -2], (1, -2)),
        (AttributeKind.INTS, (1,), (1,)),
        (AttributeKind.INTS, [], ()),
        (AttributeKind.FLOATS, [1, 0.5], (1.0, 0.5)),
    ],
)
def test_that_a_value_of_the_type_is_taken(kind: AttributeKind, value: Any, converted: Any) -> None:
    assert repr(converted) == repr(convert_attribute(kind, value))


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (AttributeKind.INT, 1.0, "1.0 is not an integer"),
        (AttributeKind.INT, True, "True is not an integer"),
        (AttributeKind.INT, "1", "'1' is not an integer"),
        (AttributeKind.INT, [1], r"\[1\] is not an integer"),
        (AttributeKind.FLOAT, True, "True is not a number"),
        (AttributeKind.FLOAT, "1", "'1' is not a number"),
        (AttributeKind.BOOL, 1, "1 is not true or false"),
        (AttributeKind.STRING, 1, "1 is not a string"),
        (AttributeKind.INTS, 1, "1 is not a list of integers"),
        (AttributeKind.INTS, [1, 2.0], "2.0 is not an integer"),
        (AttributeKind.INTS, [True], "True is not an integer"),
        (AttributeKind.FLOATS, "12", "'12' is not a list of numbers"),
        (AttributeKind.FLOATS, [[1.0]], r"\[1.0\] is not a number"),
        (AttributeKind.STRING, None, "None is not a string"),
        (AttributeKind.INT, 2**63, "9223372036854775808 does not fit into 64 bits"),
        (AttributeKind.INTS, [0, -(2**63) - 1], "-9223372036854775809 does not fit into 64 bits"),
        (AttributeKind.FLOAT, 10**400, r"1000.* is larger than any number of floating point"),
    ],
)
def test_that_a_value_of_another_type_is_refused(kind: AttributeKind, value: Any, message: str) -> None:
    with pytest.raises(AttributeTypeError, match=f"^{message}$"):
        convert_attribute(kind, value)


def test_that_numbers_which_are_not_finite_are_numbers() -> None:
    assert math.isnan(convert_attribute(AttributeKind.FLOAT, math.nan))  # type: ignore[arg-type]
