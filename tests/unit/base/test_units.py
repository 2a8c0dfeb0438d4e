"""Quantities as text."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.base.units import render_bytes, render_seconds


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (1.0, "1.00 s"),
        (61.25, "61.2 s"),
        (0.9, "900 ms"),
        (1.2394e-3, "1.24 ms"),
        (1e-3, "1.00 ms"),
        (9.99e-4, "999 µs"),
        (12.34e-6, "12.3 µs"),
        (5e-9, "5.00 ns"),
        (2.5e-10, "0.25 ns"),
        (-0.5, "-500 ms"),
        (-3e-6, "-3.00 µs"),
        (3600.0, "3600 s"),
    ],
)
def test_that_a_duration_has_three_digits_and_the_largest_unit_that_fits(seconds: float, text: str) -> None:
    assert text == render_seconds(seconds)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.00 KiB"),
        (1536, "1.50 KiB"),
        (12 * 2**20, "12.0 MiB"),
        (2**30, "1.00 GiB"),
        (139 * 2**30, "139 GiB"),
        (2**40, "1.00 TiB"),
        (5000 * 2**40, "5000 TiB"),
        (-2048, "-2.00 KiB"),
    ],
)
def test_that_a_size_has_three_digits_and_the_largest_unit_that_fits(count: int, text: str) -> None:
    assert text == render_bytes(count)


@pytest.mark.parametrize(
    ("seconds", "text"), [(9.996, "10.0 s"), (99.96, "100 s"), (0.9996, "1.00 s"), (999.7e-9, "1.00 µs")]
)
def test_that_rounding_up_to_the_next_power_of_ten_keeps_three_digits(seconds: float, text: str) -> None:
    assert text == render_seconds(seconds)


def test_that_a_size_just_below_a_unit_is_told_in_it() -> None:
    assert render_bytes(2**20 - 1) == "1.00 MiB"


UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


@settings(deadline=None)
@given(st.floats(min_value=1e-9, max_value=999.0))
def test_that_the_text_is_within_half_a_percent_of_the_duration(seconds: float) -> None:
    number, unit = render_seconds(seconds).split(" ")

    assert math.isclose(seconds, float(number) * UNITS[unit], rel_tol=5.1e-3)
    assert re.fullmatch(r"\d{1,4}(\.\d{1,2})?", number)
