"""What a shape rule may do with attributes of each type."""

from __future__ import annotations

import pytest

from opstudio.contract.operator import AttributeKind
from opstudio.contract.rule_types import misuses
from opstudio.contract.shape_parser import parse_output_rule
from tests.unit.contract.shape_trees import ATTRIBUTES

KINDS = {**{item.name: item.kind for item in ATTRIBUTES}, "ratios": AttributeKind.FLOATS}


def misuses_of(text: str) -> list[str]:
    return list(misuses(parse_output_rule(text, inputs=("x",), attributes=tuple(KINDS)), KINDS))


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "[*D, N, 1]",
        "[N + k, k // 2, max(k, 1)]",
        "[N * flag]",
        "[N if flag else 1]",
        "[N if not flag and k else 1]",
        "[sizes[0], pads[k - 1]]",
        "[len(sizes), len(ratios)]",
        "[N if mode == 'same' else 1]",
        "[N if not mode != 'same' or k > 1 else 1]",
    ],
)
def test_that_a_use_which_the_type_allows_is_fine(text: str) -> None:
    assert misuses_of(text) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[N, -scale]", "scale is of type float; a rule can compute with integers and truth values only"),
        ("[max(1, sizes)]", "sizes is of type ints; a rule can compute with integers and truth values only"),
        ("[N if scale > 1 else 1]", "scale is of type float; a rule can compute"),
        ("[N if k > 1 else mode]", "mode is of type string; a rule can compute"),
        ("[pads[scale]]", "scale is of type float; a rule can compute"),
        ("[ratios[0]]", "ratios is of type floats; ratios[…] needs a list of integers"),
        ("[flag[0]]", "flag is of type bool; flag[…] needs a list of integers"),
        ("[len(k)]", "k is of type int; len(k) needs a list"),
        ("[N if not flag == 'a' else 1]", "flag is of type bool, which is never equal to the text 'a'"),
        ("[N if k and sizes == 'a' else 1]", "sizes is of type ints, which is never equal to the text 'a'"),
    ],
)
def test_that_a_use_which_the_type_does_not_allow_is_told(text: str, problem: str) -> None:
    (found,) = misuses_of(text)

    assert found.startswith(problem)


def test_that_each_misuse_is_told() -> None:
    assert len(misuses_of("[scale + mode, len(k)]")) == 3


def test_that_nothing_is_said_of_an_attribute_whose_type_is_not_known() -> None:
    rule = parse_output_rule("[a + 1, len(a), a[0]]", inputs=(), attributes=("a",))

    assert list(misuses(rule, {})) == []
