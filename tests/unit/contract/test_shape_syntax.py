"""Syntax trees of the shape language."""

from __future__ import annotations

from opstudio.contract.shape_parser import parse_input_pattern, parse_output_rule
from opstudio.contract.shape_syntax import Star, letters_of


def test_that_a_pattern_binds_its_letters_and_stars_in_order() -> None:
    assert list(parse_input_pattern("[C, 3, *D, N, N]").letters) == ["C", "D", "N", "N"]


def test_that_the_letters_of_every_part_of_an_expression_are_found() -> None:
    rule = parse_output_rule(
        "[max(A, B) + (C if a == 'x' and not b[0] > 1 else D) * l[E // 2] - len(l) + b[0]]",
        inputs=(),
        attributes=("a", "b", "l"),
    )
    (element,) = rule.elements
    assert not isinstance(element, Star)

    assert list(letters_of(element)) == ["A", "B", "C", "D", "E"]
