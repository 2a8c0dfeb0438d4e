"""Shape rules as C++ text."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.build.codegen.cpp_names import cpp_name, cpp_text
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

_FUNCTIONS = {"//": "floor_divide", "%": "modulo", "max": "largest", "min": "smallest"}


def letter_name(letter: str) -> str:
    """Return the C++ name of a dimension letter; the prefix keeps it apart from arguments and macros."""
    return f"dim_{letter}"


def render_expression(node: Expression) -> str:
    """Return an expression over the template parameter ``Size``."""
    match node:
        case Number(value):
            return f"Size({value})"
        case Letter(name):
            return letter_name(name)
        case AttributeReference(name):
            return f"Size(static_cast<int64_t>({cpp_name(name)}))"
        case AttributeItem(name, index):
            return f"Size({cpp_name(name)}.at(static_cast<size_t>(concrete({render_expression(index)}))))"
        case AttributeLength(name):
            return f"Size(static_cast<int64_t>({cpp_name(name)}.size()))"
        case Choice(condition, then, otherwise):
            return f"({render_condition(condition)} ? {render_expression(then)} : {render_expression(otherwise)})"
        case Binary(operator, left, right):
            first, second = render_expression(left), render_expression(right)
            if operator in _FUNCTIONS:
                return f"{_FUNCTIONS[operator]}({first}, {second})"
            return f"({first} {operator} {second})"


def render_condition(node: Condition) -> str:
    """Return a condition; attributes are plain numbers in it."""
    match node:
        case TextIs(name, value):
            return f"{cpp_name(name)} == {cpp_text(value)}"
        case Not(condition):
            return f"!({render_condition(condition)})"
        case Junction(operator, left, right):
            return f"({render_condition(left)} {'&&' if operator == 'and' else '||'} {render_condition(right)})"
        case Comparison(operator, left, right):
            return f"concrete({render_expression(left)}) {operator} concrete({render_expression(right)})"


def attributes_in(node: Expression | Condition) -> Iterator[str]:
    """Yield the attributes that an expression or condition reads."""
    match node:
        case AttributeReference(name) | AttributeLength(name) | TextIs(name, _):
            yield name
        case AttributeItem(name, index):
            yield name
            yield from attributes_in(index)
        case Binary(_, left, right) | Comparison(_, left, right):
            yield from attributes_in(left)
            yield from attributes_in(right)
        case Junction(_, first, second):
            yield from attributes_in(first)
            yield from attributes_in(second)
        case Choice(condition, then, otherwise):
            yield from attributes_in(condition)
            yield from attributes_in(then)
            yield from attributes_in(otherwise)
        case Not(condition):
            yield from attributes_in(condition)
        case _:
            return
