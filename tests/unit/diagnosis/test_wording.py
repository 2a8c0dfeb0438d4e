"""Numbers as findings tell them."""

from __future__ import annotations

import pytest

from opstudio.diagnosis.wording import describe_element
from opstudio.parity.comparison import Element


@pytest.mark.parametrize(
    ("value", "reference", "text"),
    [
        (6.0, 0.1, "element [0][2] is 6, the reference 0.1"),
        # float32's neighbours of 0.1 differ in the ninth digit: 0.100000001490 and 0.100000008941.
        (0.10000000149011612, 0.10000000894069672, "element [0][2] is 0.100000001, the reference 0.100000009"),
        (1234567890.0, 1234567891.0, "element [0][2] is 1234567890, the reference 1234567891"),
        (0.1, 0.1 + 2**-56, "element [0][2] is 0.1, the reference 0.10000000000000002"),
        (float("nan"), float("inf"), "element [0][2] is nan, the reference inf"),
    ],
)
def test_that_two_numbers_that_differ_are_told_with_digits_that_differ(
    value: float, reference: float, text: str
) -> None:
    assert describe_element(Element(index=(0, 2), value=value, reference=reference, allowed=0.0)) == text
