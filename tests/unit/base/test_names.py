"""Help with names that were mistyped."""

from __future__ import annotations

import pytest

from opstudio.base.names import did_you_mean, nearest_name

KNOWN = ("float32", "float64", "relu6_scale", "Swish", "batch_norm")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("flaot32", "float32"),
        ("FLOAT64", "float64"),
        ("swish", "Swish"),
        ("SWISH", "Swish"),
        ("relu6scale", "relu6_scale"),
        ("batchnorm", "batch_norm"),
        ("float32", "float32"),
        ("xyz", None),
        ("", None),
        ("中文", None),
    ],
)
def test_that_the_nearest_name_is_found_whatever_the_case(name: str, nearest: str | None) -> None:
    assert nearest == nearest_name(name, KNOWN)


def test_that_an_iterator_serves_as_well_as_a_list() -> None:
    assert nearest_name("flaot32", iter(KNOWN)) == "float32"
    assert did_you_mean("flaot32", iter(KNOWN)) == "did you mean float32?"


def test_that_all_names_are_listed_in_order_when_none_is_near() -> None:
    assert did_you_mean("q", {"beta", "alpha"}) == "known are alpha, beta"


def test_that_nothing_known_is_said() -> None:
    assert did_you_mean("q", []) == "none is known"


def test_that_names_equal_but_for_their_case_both_find_one_of_them() -> None:
    assert nearest_name("RELU", ["Relu", "relu"]) in ("Relu", "relu")
