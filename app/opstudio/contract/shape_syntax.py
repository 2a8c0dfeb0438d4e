"""The syntax trees of the shape language (see :mod:`opstudio.contract.shape_parser` for its grammar)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

BinaryOperator = Literal["+", "-", "*", "//", "%", "max", "min"]
ComparisonOperator = Literal["==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Number:
    """A fixed integer."""

    value: int


@dataclass(frozen=True, slots=True)
class Letter:
    """A dimension that an input pattern named."""

    name: str


@dataclass(frozen=True, slots=True)
class AttributeReference:
    """The value of an integer (or bool) attribute."""

    name: str


@dataclass(frozen=True, slots=True)
class AttributeItem:
    """One value of a list attribute."""

    name: str
    index: Expression


@dataclass(frozen=True, slots=True)
class AttributeLength:
    """The number of values of a list attribute."""

    name: str


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic on two integers."""

    operator: BinaryOperator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two expressions, by a condition on attributes."""

    condition: Condition
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two integers."""

    operator: ComparisonOperator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class TextIs:
    """Whether a string attribute has a value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Junction:
    """Two conditions joined by ``and`` or ``or``."""

    operator: Literal["and", "or"]
    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class Not:
    """A condition reversed."""

    condition: Condition


Expression: TypeAlias = "Number | Letter | AttributeReference | AttributeItem | AttributeLength | Binary | Choice"
Condition: TypeAlias = "Comparison | TextIs | Junction | Not"


@dataclass(frozen=True, slots=True)
class Star:
    """Any number of dimensions under one letter."""

    name: str


PatternElement: TypeAlias = "Number | Letter | Star"


@dataclass(frozen=True, slots=True)
class InputPattern:
    """The dimensions of an input, at most one of them starred."""

    elements: tuple[PatternElement, ...]

    @property
    def letters(self) -> Iterator[str]:
        """The letters that this pattern binds, starred ones included."""
        return (element.name for element in self.elements if isinstance(element, Letter | Star))


@dataclass(frozen=True, slots=True)
class OutputRule:
    """The dimensions of an output, or the input whose shape it shares."""

    same_as: str | None
    elements: tuple[Expression | Star, ...] = ()


def parts_of(node: Expression | Condition) -> Iterator[Expression | Condition]:
    """Yield an expression or condition and everything inside of it."""
    yield node
    match node:
        case Binary(_, left, right) | Comparison(_, left, right):
            yield from parts_of(left)
            yield from parts_of(right)
        case Junction(_, first, second):
            yield from parts_of(first)
            yield from parts_of(second)
        case Choice(condition, then, otherwise):
            yield from parts_of(condition)
            yield from parts_of(then)
            yield from parts_of(otherwise)
        case AttributeItem(_, index):
            yield from parts_of(index)
        case Not(condition):
            yield from parts_of(condition)
        case _:
            return


def letters_of(node: Expression | Condition) -> Iterator[str]:
    """Yield the letters that an expression or condition uses."""
    return (part.name for part in parts_of(node) if isinstance(part, Letter))
