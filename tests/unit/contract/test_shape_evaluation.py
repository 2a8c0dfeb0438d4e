"""Shapes of outputs from shapes of inputs."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.contract.operator import AttributeKind, AttributeValue
from opstudio.contract.shape_evaluation import (
    Shape,
    ShapeEnvironment,
    ShapeMismatchError,
    bind_letters,
    evaluate,
    infer_output_shapes,
)
from opstudio.contract.shape_parser import parse_output_rule
from opstudio.contract.shape_syntax import Expression, Star
from tests.support.contracts import a_contract, an_attribute, an_input, an_output
from tests.unit.contract.shape_trees import ATTRIBUTES, EXPRESSIONS, Call, calls, render, value_in_python


def parsed(text: str) -> Expression:
    (element,) = parse_output_rule(f"[{text}]", inputs=(), attributes=[item.name for item in ATTRIBUTES]).elements
    assert not isinstance(element, Star)
    return element


def value_of(text: str, call: Call) -> int | None:
    try:
        return evaluate(parsed(text), ShapeEnvironment(call.attributes, dict(call.letters)))
    except ShapeMismatchError:
        return None


@settings(deadline=None, max_examples=400)
@given(EXPRESSIONS, calls())
def test_that_a_random_expression_has_the_value_that_python_gives_its_text(tree: Expression, call: Call) -> None:
    text = render(tree)

    assert tree == parsed(text)
    assert value_in_python(text, call) == value_of(text, call)


@pytest.mark.parametrize("left", [-7, -6, -1, 0, 1, 7])
@pytest.mark.parametrize("right", [-3, -2, -1, 1, 2, 3])
def test_that_division_and_remainder_round_down_as_in_python(left: int, right: int) -> None:
    call = Call({}, {"k": right, "sizes": (left,)})

    assert (left // right, left % right) == (value_of("sizes[0] // k", call), value_of("sizes[0] % k", call))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(N + 2 * k - 3) // 2 + 1", (11 + 2 * 2 - 3) // 2 + 1),
        ("-N // 2", -6),
        ("-(N // 2)", -5),
        ("-N % 4", 1),
        ("N - -k", 13),
        ("max(N, C, 20) - min(N, C, 20)", 9 + 7),
        ("N if mode == 'same' else C", 11),
        ("N if mode != 'same' else C", 4),
        ("1 if k == 3 else 2 if k == 2 else 3", 2),
        ("1 if not k == 2 or flag == 1 and k > 1 else 2", 1),
        ("1 if k == 1 and k // 0 == 1 else 2", 2),
        ("1 if k == 2 or k // 0 == 1 else 2", 1),
        ("1 if k == 2 else N // 0", 1),
        ("sizes[0] * sizes[len(sizes) - 1]", 15),
        ("sizes[k]", 5),
        ("flag + flag", 2),
    ],
)
def test_that_an_expression_has_the_value_computed_by_hand(text: str, value: int) -> None:
    attributes: dict[str, AttributeValue] = {"k": 2, "mode": "same", "flag": True, "sizes": (3, 4, 5)}

    assert value == value_of(text, Call({"N": 11, "C": 4}, attributes))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("N // (k - 1)", r"^5 // 0: a divisor is zero$"),
        ("N % 0", r"^5 % 0: a divisor is zero$"),
        ("sizes[2]", r"^sizes\[2\] is outside of sizes = \(7, 8\)$"),
        ("sizes[-1]", r"^sizes\[-1\] is outside of sizes = \(7, 8\)$"),
    ],
)
def test_that_an_expression_without_a_value_says_why(text: str, message: str) -> None:
    with pytest.raises(ShapeMismatchError, match=message):
        evaluate(parsed(text), ShapeEnvironment({"k": 1, "sizes": (7, 8)}, {"N": 5}))


def test_that_the_longest_sum_is_computed() -> None:
    assert value_of("N+" * 495 + "1", Call({"N": 2}, {})) == 2 * 495 + 1


def shapes_of(
    rules: tuple[str, ...],
    shapes: Mapping[str, tuple[Shape, ...]],
    attributes: Mapping[str, AttributeValue] | None = None,
    **patterns: str | None,
) -> dict[str, Shape]:
    """Infer the shapes of outputs ``y0``, ``y1`` … for inputs of the given patterns."""
    contract = a_contract(
        inputs=tuple(an_input(name, pattern) for name, pattern in patterns.items()),
        attributes=(an_attribute("pad", AttributeKind.INT, 0),),
        outputs=tuple(an_output(rule, f"y{index}") for index, rule in enumerate(rules)),
    )
    return infer_output_shapes(contract, shapes, contract.complete_attributes(attributes or {}))


def test_that_outputs_get_their_shapes_from_letters_stars_and_inputs() -> None:
    assert shapes_of(
        ("[N, C]", "[*D, C, 1]", "[]", "x", "w"),
        {"x": ((2, 4, 5, 6),), "w": ((6, 3),)},
        x="[N, *D, C]",
        w="[C, 3]",
    ) == {"y0": (2, 6), "y1": (4, 5, 6, 1), "y2": (), "y3": (2, 4, 5, 6), "y4": (6, 3)}


@pytest.mark.parametrize(("shape", "star"), [((2, 6), ()), ((2, 1, 6), (1,)), ((2, 0, 9, 6), (0, 9)), ((0, 0), ())])
def test_that_a_starred_letter_stands_for_any_number_of_dimensions(shape: Shape, star: Shape) -> None:
    environment = bind_letters([an_input("x", "[N, *D, C]")], {"x": [shape]}, {})

    assert ({"D": star}, {"N": shape[0], "C": shape[-1]}) == (environment.stars, environment.letters)


@pytest.mark.parametrize(("pattern", "shape"), [("[*D]", (1, 2)), ("[*D]", ()), ("[*D, C]", (3,)), ("[N, *D]", (3,))])
def test_that_a_starred_letter_may_stand_at_either_end(pattern: str, shape: Shape) -> None:
    assert {"y0": shape} == shapes_of((pattern,), {"x": (shape,)}, x=pattern)


@pytest.mark.parametrize(
    ("pattern", "shape", "message"),
    [
        ("[N]", (), r"x has shape \[\], the contract asks for \[N\]"),
        ("[]", (1,), r"x has shape \[1\], the contract asks for \[\]"),
        ("[N, C]", (1, 2, 3), r"x has shape \[1, 2, 3\], the contract asks for \[N, C\]"),
        ("[N, *D, C]", (1,), r"x has shape \[1\], the contract asks for \[N, \*D, C\]"),
        ("[N, 3]", (1, 4), r"x has 4 where 3 is 3 \(shape \[1, 4\], contract \[N, 3\]\)"),
        ("[N, N]", (1, 4), r"x has 4 where N is 1 \(shape \[1, 4\], contract \[N, N\]\)"),
    ],
)
def test_that_a_shape_which_does_not_fit_the_pattern_is_refused(pattern: str, shape: Shape, message: str) -> None:
    with pytest.raises(ShapeMismatchError, match=f"^{message}$"):
        shapes_of(("x",), {"x": (shape,)}, x=pattern)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ((2, 3), (4,), r"w has 4 where C is 3 \(shape \[4\], contract \[C\]\)"),
        ((2, 3), (3, 3), r"w has shape \[3, 3\], the contract asks for \[C\]"),
    ],
)
def test_that_a_letter_means_one_size_in_all_inputs(first: Shape, second: Shape, message: str) -> None:
    with pytest.raises(ShapeMismatchError, match=f"^{message}$"):
        shapes_of(("x",), {"x": (first,), "w": (second,)}, x="[N, C]", w="[C]")


def test_that_a_starred_letter_means_the_same_dimensions_in_all_inputs() -> None:
    with pytest.raises(ShapeMismatchError, match=r"w has \(4,\) where D is \(3,\)"):
        shapes_of(("x",), {"x": ((2, 3),), "w": ((2, 4),)}, x="[N, *D]", w="[N, *D]")


def test_that_the_tensors_of_a_variadic_input_share_their_letters() -> None:
    shapes: dict[str, tuple[Shape, ...]] = {"x": ((2, 3), (2, 3))}
    assert shapes_of(("[C]",), shapes, x="[N, C]") == {"y0": (3,)}
    with pytest.raises(ShapeMismatchError, match="where C is 3"):
        shapes_of(("[C]",), {"x": ((2, 3), (2, 4))}, x="[N, C]")


def test_that_an_absent_input_binds_nothing_and_one_without_pattern_fits_any_shape() -> None:
    assert shapes_of(("x", "[K]"), {"x": ((9, 8, 7),), "v": ((3,),)}, x=None, w="[N]", v="[K]") == {
        "y0": (9, 8, 7),
        "y1": (3,),
    }


@pytest.mark.parametrize(("pad", "shape"), [(0, (3, 2)), (-3, (0, 2))])
def test_that_an_attribute_takes_part_in_a_rule(pad: int, shape: Shape) -> None:
    assert {"y0": shape} == shapes_of(("[N + pad, 2]",), {"x": ((3,),)}, {"pad": pad}, x="[N]")


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("[K]", "K stands for nothing: no input that has it is given"),
        ("[2, *D]", r"\*D stands for nothing: no input that has it is given"),
        ("v", "y0 has the shape of v, of which no tensor is given"),
    ],
)
def test_that_a_rule_which_needs_a_tensor_that_is_not_given_says_so(rule: str, message: str) -> None:
    with pytest.raises(ShapeMismatchError, match=f"^{message}$"):
        shapes_of((rule,), {"x": ((3,),), "v": ()}, x="[N]", v="[K, *D]")


def test_that_a_size_beyond_64_bits_is_refused() -> None:
    assert shapes_of(("[N * N * 2 - 1]",), {"x": ((2**31,),)}, x="[N]") == {"y0": (2**63 - 1,)}
    with pytest.raises(ShapeMismatchError, match="a size does not fit into 64 bits"):
        shapes_of(("[N * N * 2]",), {"x": ((2**31,),)}, x="[N]")


def test_that_a_negative_size_is_refused() -> None:
    with pytest.raises(ShapeMismatchError, match=r"^y0 = \[N \+ pad, 2\] gives \[-1, 2\]: a size is negative$"):
        shapes_of(("[N + pad, 2]",), {"x": ((3,),)}, {"pad": -4}, x="[N]")


@settings(deadline=None)
@given(st.lists(st.integers(0, 2**40), max_size=6).map(tuple))
def test_that_the_shape_of_an_input_is_passed_on_unchanged(shape: Shape) -> None:
    assert {"y0": shape, "y1": shape} == shapes_of(("x", "[*D]"), {"x": (shape,)}, x="[*D]")
