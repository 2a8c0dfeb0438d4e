"""The shape language: grammar, precedence, places of errors, hostile texts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.contract.shape_parser import ShapeRuleError, parse_input_pattern, parse_output_rule
from opstudio.contract.shape_syntax import (
    AttributeItem,
    AttributeLength,
    AttributeReference,
    Binary,
    Choice,
    Comparison,
    Expression,
    Junction,
    Letter,
    Not,
    Number,
    OutputRule,
    Star,
    TextIs,
)

N, C = Letter("N"), Letter("C")
ATTRIBUTES = ("k", "s", "mode", "list")


def rule(text: str) -> OutputRule:
    return parse_output_rule(text, inputs=("x", "w"), attributes=ATTRIBUTES)


def expression(text: str) -> Expression:
    (element,) = rule(f"[{text}]").elements
    assert not isinstance(element, Star)
    return element


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("[]", ()),
        ("[N]", (N,)),
        ("[ N , C,3 ]", (N, C, Number(3))),
        ("[*N, C]", (Star("N"), C)),
        ("[C, *batch_dims]", (C, Star("batch_dims"))),
        ("[N, N, 007]", (N, N, Number(7))),
        ("[_x1]", (Letter("_x1"),)),
    ],
)
def test_that_a_pattern_is_a_list_of_letters_numbers_and_one_star(text: str, elements: tuple[object, ...]) -> None:
    assert elements == parse_input_pattern(text).elements


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "expected [, found the end", 1),
        ("N", "expected [, found N", 1),
        ("[N", "expected ], found the end", 3),
        ("[N C]", "expected ], found C", 4),
        ("[N]]", "expected the end of the text, found ]", 4),
        ("[-1]", "expected a letter, an integer or *letter, found -", 2),
        ("[N, if]", "expected a letter, an integer or *letter, found if", 5),
        ("[*]", "expected a letter behind *, found ]", 3),
        ("[**N]", "expected a letter behind *, found *", 3),
        ("[*3]", "expected a letter behind *, found 3", 3),
        ("[*max]", "expected a letter behind *, found max", 3),
        ("[N, 'a']", "expected a letter, an integer or *letter, found 'a'", 5),
        ("[N, é]", "expected a letter, an integer or *letter, found é", 5),
        ("[*A, B, *C]", "a pattern may have one starred letter", 1),
        ("[N + 1]", "expected ], found +", 4),
    ],
)
def test_that_a_wrong_pattern_is_refused_at_its_place(text: str, message: str, column: int) -> None:
    with pytest.raises(ShapeRuleError) as caught:
        parse_input_pattern(text)

    assert (message, column, text) == (str(caught.value), caught.value.column, caught.value.text)


def test_that_a_rule_may_name_an_input_or_list_dimensions() -> None:
    assert OutputRule(same_as="x") == rule("x")
    assert OutputRule(same_as="w") == rule("  w ")
    assert OutputRule(same_as=None, elements=(Star("D"), C, Number(1))) == rule("[*D, C, 1]")
    assert OutputRule(same_as=None) == rule("[]")


def test_that_names_of_attributes_win_over_letters() -> None:
    assert (AttributeReference("k"), Letter("K")) == rule("[k, K]").elements


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("N + C * 2", Binary("+", N, Binary("*", C, Number(2)))),
        ("N - C - 1", Binary("-", Binary("-", N, C), Number(1))),
        ("N // C % 2", Binary("%", Binary("//", N, C), Number(2))),
        ("(N + C) * 2", Binary("*", Binary("+", N, C), Number(2))),
        ("-N * C", Binary("*", Binary("-", Number(0), N), C)),
        ("N - -1", Binary("-", N, Binary("-", Number(0), Number(1)))),
        ("max(N, C, 1)", Binary("max", Binary("max", N, C), Number(1))),
        ("min(N)", N),
        ("len(list)", AttributeLength("list")),
        ("list[k - 1]", AttributeItem("list", Binary("-", AttributeReference("k"), Number(1)))),
        (
            "N if k > 1 else C if k == 0 else 1",
            Choice(
                Comparison(">", AttributeReference("k"), Number(1)),
                N,
                Choice(Comparison("==", AttributeReference("k"), Number(0)), C, Number(1)),
            ),
        ),
        (
            "N + 1 if mode != 'a' else 2",
            Choice(Not(TextIs("mode", "a")), Binary("+", N, Number(1)), Number(2)),
        ),
        ('1 if mode == "中 文" else 2', Choice(TextIs("mode", "中 文"), Number(1), Number(2))),
        (
            "1 if not k < 1 and s >= 2 or mode == 'a' else 2",
            Choice(
                Junction(
                    "or",
                    Junction(
                        "and",
                        Not(Comparison("<", AttributeReference("k"), Number(1))),
                        Comparison(">=", AttributeReference("s"), Number(2)),
                    ),
                    TextIs("mode", "a"),
                ),
                Number(1),
                Number(2),
            ),
        ),
        (
            "1 if k and not s else 2",
            Choice(
                Junction(
                    "and",
                    Comparison("!=", AttributeReference("k"), Number(0)),
                    Not(Comparison("!=", AttributeReference("s"), Number(0))),
                ),
                Number(1),
                Number(2),
            ),
        ),
        (
            "1 if not not k <= 1 else 2",
            Choice(Not(Not(Comparison("<=", AttributeReference("k"), Number(1)))), Number(1), Number(2)),
        ),
        (
            "1 if k == 1 or k == 2 or k == 3 else 2",
            Choice(
                Junction(
                    "or",
                    Junction(
                        "or",
                        Comparison("==", AttributeReference("k"), Number(1)),
                        Comparison("==", AttributeReference("k"), Number(2)),
                    ),
                    Comparison("==", AttributeReference("k"), Number(3)),
                ),
                Number(1),
                Number(2),
            ),
        ),
    ],
)
def test_that_operators_bind_as_in_python(text: str, tree: Expression) -> None:
    assert tree == expression(text)


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "expected [ or the name of an input, found the end", 1),
        ("y", "expected [ or the name of an input, found y", 1),
        ("x + 1", "expected the end of the text, found +", 3),
        ("[N / 2]", "use // (division that rounds down), found /", 4),
        ("[N +]", "expected a letter, an attribute, an integer or (, found ]", 5),
        ("[(N]", "expected ), found ]", 4),
        ("[N if k + 1 else C]", "expected one of == != < <= > >=, found else", 13),
        ("[N if k > 1]", "expected else, found ]", 12),
        (
            "[N if N > 1 else C]",
            "a condition may use attributes only, so that symbolic sizes survive export, found N",
            7,
        ),
        (
            "[1 if k + list[N] > 1 else 2]",
            "a condition may use attributes only, so that symbolic sizes survive export, found k",
            7,
        ),
        ("[1 if k == 1 == 2 else 3]", "expected else, found ==", 14),
        ("[1 if (k == 1) else 3]", "expected ), found ==", 10),
        ("[1 if K == 'a' else 2]", "K is not an attribute, found K", 7),
        ("[1 if 'a' == mode else 2]", "expected a letter, an attribute, an integer or (, found 'a'", 7),
        ("[len(N)]", "N is not an attribute, found N", 6),
        ("[len list]", "expected (, found list", 6),
        ("[len(3)]", "expected the name of a list attribute, found 3", 6),
        ("[list[0]", "expected ], found the end", 9),
        ("[list[]]", "expected a letter, an attribute, an integer or (, found ]", 7),
        ("[max()]", "expected a letter, an attribute, an integer or (, found )", 6),
        ("[max N]", "expected (, found N", 6),
        ("[N ** 2]", "expected a letter, an attribute, an integer or (, found *", 5),
        ("[2.5]", "expected ], found .", 3),
        ("[N * *C]", "expected a letter, an attribute, an integer or (, found *", 6),
        ("[__import__('os')]", "expected ], found (", 12),
        ("[N; 1]", "expected ], found ;", 3),
        ('[1 if mode == "a else 2]', 'expected a letter, an attribute, an integer or (, found "', 15),
        ("[9223372036854775808]", "9223372036854775808 does not fit into 64 bits, which the hosts compute in", 2),
        ("[not]", "expected a letter, an attribute, an integer or (, found not", 2),
    ],
)
def test_that_a_wrong_rule_is_refused_at_its_place(text: str, message: str, column: int) -> None:
    with pytest.raises(ShapeRuleError) as caught:
        rule(text)

    assert (message, column, text) == (str(caught.value), caught.value.column, caught.value.text)


HOSTILE = {
    "very long": "[" + "N + " * 100_000 + "1]",
    "too long by one": "[" + "1" * 999 + "]",
    "parentheses": "[" + "(" * 400 + "N" + ")" * 400 + "]",
    "minus": "[" + "-" * 900 + "N]",
    "thousands of minus": "[" + "-" * 5000 + "N]",
    "not": "[1 if " + "not " * 200 + "k == 1 else 2]",
    "thousands of not": "[1 if " + "not " * 5000 + "k == 1 else 2]",
    "max": "[" + "max(" * 200 + "N" + ")" * 200 + "]",
    "choices in parentheses": "[" + "(1 if k == 1 else " * 50 + "2" + ")" * 50 + "]",
    "nothing but brackets": "[" * 900,
    "string without end": "[1 if mode == '" + "a" * 900,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_that_a_hostile_text_is_refused_at_once(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(ShapeRuleError):
        rule(text)

    assert time.perf_counter() - start < 0.5


def test_that_indices_nested_in_one_another_are_refused() -> None:
    with pytest.raises(ShapeRuleError):
        rule("[" + "k[" * 332 + "0" + "]" * 333)


def test_that_the_largest_number_of_64_bits_is_taken() -> None:
    assert expression("9223372036854775807") == Number(2**63 - 1)
    with pytest.raises(ShapeRuleError, match="does not fit into 64 bits"):
        parse_input_pattern("[N, 9223372036854775808]")


@pytest.mark.parametrize(
    "text",
    [
        "[" + "N+" * 498 + "1]",
        "[" + "list[" * 39 + "0" + "]" * 40,
        "[" + "(" * 39 + "N" + ")" * 39 + "]",
        "[" + "-" * 39 + "N]",
        "[" + "1 if k==1 else " * 66 + "2]",
        "[1 if " + "k==1 or " * 120 + "k==2 else 3]",
        "[" + ",".join("N" * 499) + "]",
    ],
)
def test_that_a_text_within_the_limits_is_parsed_however_long(text: str) -> None:
    assert rule(text).elements


SYMBOLS = (*'[](),*/%+-<>=!"7.\n\x00\\é', "//", "==", "!=", ">=", "'a'")
WORDS = ("if", "else", "and", "or", "not", "max", "min", "len", "N", "x", "k", "mode", "list")
PIECES = st.sampled_from((*SYMBOLS, *WORDS))


@settings(deadline=None, max_examples=300)
@given(st.lists(PIECES, max_size=25).map(" ".join) | st.text(max_size=40))
def test_that_any_text_is_parsed_or_refused_inside_of_it(text: str) -> None:
    for parse in (rule, parse_input_pattern):
        try:
            parse(text)
        except ShapeRuleError as error:
            assert 1 <= error.column <= len(text) + 1  # noqa: PT017 - most texts are refused, not all
