"""Random trees of the shape language, their text, and what Python itself makes of that text."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from opstudio.contract.operator import AttributeKind, AttributeValue, OperatorContract
from opstudio.contract.shape_syntax import (
    AttributeItem,
    AttributeLength,
    AttributeReference,
    Binary,
    Choice,
    Comparison,
    Condition,
    Expression,
    Junction,
    Letter,
    Not,
    Number,
    TextIs,
)
from tests.support.contracts import a_contract, an_attribute, an_input, an_output

ATTRIBUTES = (
    an_attribute("scale", AttributeKind.FLOAT, 1.0),
    an_attribute("k", AttributeKind.INT, 1),
    an_attribute("flag", AttributeKind.BOOL, default=False),
    an_attribute("mode", AttributeKind.STRING, "same"),
    an_attribute("sizes", AttributeKind.INTS, ()),
    an_attribute("pads", AttributeKind.INTS, ()),
)
TEXTS = ("same", "valid", "")


def contract_of(*rules: str) -> OperatorContract:
    """Return a contract with letters N and C, a starred letter D and the attributes above."""
    return a_contract(
        inputs=(an_input("x", "[N, *D, C]"), an_input("w", "[C, N]", optional=True)),
        attributes=ATTRIBUTES,
        outputs=tuple(an_output(rule, f"y{index}") for index, rule in enumerate(rules)),
    )


@dataclass(frozen=True)
class Call:
    """Sizes and attribute values of one call."""

    letters: Mapping[str, int]
    attributes: Mapping[str, AttributeValue]


def calls() -> st.SearchStrategy[Call]:
    """Return calls with small sizes, so that zero divisors and indices out of range happen often."""
    sizes = st.integers(0, 5)
    lists = st.lists(st.integers(-3, 3), min_size=1, max_size=4).map(tuple)
    attributes = st.fixed_dictionaries(
        {
            "scale": st.just(1.0),
            "k": st.integers(-4, 4),
            "flag": st.booleans(),
            "mode": st.sampled_from(TEXTS),
            "sizes": lists,
            "pads": lists,
        }
    )
    return st.builds(Call, st.fixed_dictionaries({"N": sizes, "C": sizes}), attributes)


_ATTRIBUTE_LEAVES = (
    st.builds(Number, st.integers(0, 9))
    | st.builds(AttributeReference, st.sampled_from(["k", "flag"]))
    | st.builds(AttributeLength, st.sampled_from(["sizes", "pads"]))
)
_FLAGS = st.builds(AttributeReference, st.sampled_from(["k", "flag"]))
_OPERATORS = st.sampled_from(["+", "+", "-", "-", "*", "*", "max", "min", "//", "%"])
_LISTS = st.sampled_from(["sizes", "pads"])


def _arithmetic(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    index = st.builds(Number, st.integers(0, 2))
    items = st.builds(AttributeItem, _LISTS, index | index | index | inner)
    return st.builds(Binary, _OPERATORS, inner, inner) | st.builds(Binary, _OPERATORS, inner, inner) | items


_ATTRIBUTE_SUMS = st.recursive(_ATTRIBUTE_LEAVES, _arithmetic, max_leaves=4)
_COMPARISONS = st.recursive(
    st.builds(Comparison, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), _ATTRIBUTE_SUMS, _ATTRIBUTE_SUMS)
    | st.builds(TextIs, st.just("mode"), st.sampled_from([*TEXTS, "other"]))
    | st.builds(Comparison, st.just("!="), _FLAGS, st.just(Number(0))),
    lambda inner: st.builds(Not, inner),
    max_leaves=3,
)


def _joined(word: str, parts: Sequence[Condition]) -> Condition:
    return functools.reduce(lambda left, right: Junction(word, left, right), parts)  # type: ignore[arg-type]


# The language has no parentheses around conditions: "or" joins what "and" joined.
CONDITIONS = st.lists(
    st.lists(_COMPARISONS, min_size=1, max_size=2).map(lambda parts: _joined("and", parts)), min_size=1, max_size=2
).map(lambda parts: _joined("or", parts))
_LONGEST_TEXT = 400
"""Two expressions fit into one rule of the language, which is limited."""
EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(
    _ATTRIBUTE_LEAVES | st.builds(Letter, st.sampled_from(["N", "C"])),
    lambda inner: _arithmetic(inner) | st.builds(Choice, CONDITIONS, inner, inner),
    max_leaves=8,
).filter(lambda tree: len(render(tree)) <= _LONGEST_TEXT)

_CHOICE, _SUM, _PRODUCT, _FACTOR = range(4)


def render(node: Expression, level: int = _CHOICE) -> str:
    """Return the text of a tree, with no more parentheses than it needs."""
    match node:
        case Number(value):
            return str(value)
        case Letter(name) | AttributeReference(name):
            return name
        case AttributeLength(name):
            return f"len({name})"
        case AttributeItem(name, index):
            return f"{name}[{render(index, _SUM)}]"
        case Binary(("max" | "min") as operator, left, right):
            return f"{operator}({render(left)}, {render(right)})"
        case Binary(operator, left, right):
            own = _SUM if operator in "+-" else _PRODUCT
            return _wrapped(f"{render(left, own)} {operator} {render(right, own + 1)}", needed=level > own)
        case Choice(condition, then, otherwise):
            text = f"{render(then, _SUM)} if {render_condition(condition)} else {render(otherwise)}"
            return _wrapped(text, needed=level > _CHOICE)


def render_condition(node: Condition) -> str:
    """Return the text of a condition; one that an attribute is not zero is the attribute's name."""
    match node:
        case TextIs(name, value):
            return f'{name} == "{value}"'
        case Not(condition):
            return f"not {render_condition(condition)}"
        case Comparison("!=", AttributeReference(name), Number(0)):
            return name
        case Comparison(operator, left, right):
            return f"{render(left, _SUM)} {operator} {render(right, _SUM)}"
        case Junction(word, first, second):
            return f"{render_condition(first)} {word} {render_condition(second)}"


def _wrapped(text: str, *, needed: bool) -> str:
    return f"({text})" if needed else text


class _List(tuple[Any, ...]):
    """A list without negative indices, which the shape language lacks."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        if index < 0:
            raise IndexError(index)
        return super().__getitem__(index)


def value_in_python(text: str, call: Call) -> int | None:
    """Return what Python computes from the text, or ``None`` where it raises."""
    attributes = {name: _List(value) if isinstance(value, tuple) else value for name, value in call.attributes.items()}
    names: dict[str, Any] = {**call.letters, **attributes, "max": max, "min": min, "len": len, "__builtins__": {}}
    try:
        return int(eval(text, names))  # noqa: S307 - the text was rendered above
    except (ZeroDivisionError, IndexError):
        return None
