"""Shapes of outputs from shapes of inputs, for plain integers.

The C++ hosts do the same over symbolic sizes (see :mod:`opstudio.contract.shape_program`); tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from opstudio.contract.operator import AttributeValue, Input, OperatorContract, Output
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
    Star,
    TextIs,
)
from opstudio.contract.value_limits import LARGEST_INTEGER

Shape = tuple[int, ...]
BoundT = TypeVar("BoundT", int, Shape)


class ShapeMismatchError(ValueError):
    """Shapes do not fit the patterns of the contract, or a rule gives no valid size."""


@dataclass(slots=True)
class ShapeEnvironment:
    """What letters and attributes stand for in one call."""

    attributes: Mapping[str, AttributeValue]
    letters: dict[str, int] = field(default_factory=dict)
    stars: dict[str, Shape] = field(default_factory=dict)


def infer_output_shapes(
    contract: OperatorContract,
    shapes: Mapping[str, Sequence[Shape]],
    attributes: Mapping[str, AttributeValue],
) -> dict[str, Shape]:
    """Compute the shape of each output, by name.

    Args:
        contract: the operator.
        shapes: for each input its shapes: one, several for a variadic input, none for an absent optional one.
        attributes: complete attribute values.

    Raises:
        ShapeMismatchError: the shapes do not fit the contract.
    """
    environment = bind_letters(contract.inputs, shapes, attributes)
    return {output.name: _output_shape(contract, output, shapes, environment) for output in contract.outputs}


def bind_letters(
    inputs: Sequence[Input],
    shapes: Mapping[str, Sequence[Shape]],
    attributes: Mapping[str, AttributeValue],
) -> ShapeEnvironment:
    """Match shapes against patterns.

    Raises:
        ShapeMismatchError: a rank or a size differs from what the contract says.
    """
    environment = ShapeEnvironment(attributes)
    for item in inputs:
        for shape in shapes.get(item.name, ()):
            _bind_input(item, shape, environment)
    return environment


def _bind_input(item: Input, shape: Shape, environment: ShapeEnvironment) -> None:
    if item.pattern is None:
        return
    elements = item.pattern.elements
    star = next((index for index, element in enumerate(elements) if isinstance(element, Star)), None)
    fits = len(shape) == len(elements) if star is None else len(shape) >= len(elements) - 1
    if not fits:
        message = f"{item.name} has shape {list(shape)}, the contract asks for {item.shape}"
        raise ShapeMismatchError(message)
    starred = len(shape) - (len(elements) - 1)
    position = 0
    for element in elements:
        if isinstance(element, Star):
            size: int | Shape = shape[position : position + starred]
            known: int | Shape | None = environment.stars.setdefault(element.name, shape[position : position + starred])
            position += starred
        else:
            size = shape[position]
            known = element.value if isinstance(element, Number) else environment.letters.setdefault(element.name, size)
            position += 1
        if known != size:
            name = element.value if isinstance(element, Number) else element.name
            message = f"{item.name} has {size} where {name} is {known} (shape {list(shape)}, contract {item.shape})"
            raise ShapeMismatchError(message)


def _output_shape(
    contract: OperatorContract,
    output: Output,
    shapes: Mapping[str, Sequence[Shape]],
    environment: ShapeEnvironment,
) -> Shape:
    rule = contract.output_rule(output)
    if rule.same_as is not None:
        if not shapes.get(rule.same_as):
            message = f"{output.name} has the shape of {rule.same_as}, of which no tensor is given"
            raise ShapeMismatchError(message)
        return tuple(shapes[rule.same_as][0])
    result: list[int] = []
    for element in rule.elements:
        if isinstance(element, Star):
            result.extend(_bound(f"*{element.name}", environment.stars.get(element.name)))
        else:
            result.append(evaluate(element, environment))
    if any(size < 0 for size in result):
        message = f"{output.name} = {output.shape} gives {result}: a size is negative"
        raise ShapeMismatchError(message)
    if any(size > LARGEST_INTEGER for size in result):
        message = f"{output.name} = {output.shape} gives {result}: a size does not fit into 64 bits"
        raise ShapeMismatchError(message)
    return tuple(result)


def _bound(name: str, value: BoundT | None) -> BoundT:
    """Return what a letter stands for; a variadic input without any tensor leaves its letters open."""
    if value is None:
        message = f"{name} stands for nothing: no input that has it is given"
        raise ShapeMismatchError(message)
    return value


def evaluate(node: Expression, environment: ShapeEnvironment) -> int:
    """Compute an expression.

    Raises:
        ShapeMismatchError: a division by zero, an index outside of a list attribute, or a letter that no input gives.
    """
    match node:
        case Number(value):
            return value
        case Letter(name):
            return _bound(name, environment.letters.get(name))
        case AttributeReference(name):
            return int(environment.attributes[name])  # type: ignore[arg-type]  # the contract admits int and bool
        case AttributeLength(name):
            return len(environment.attributes[name])  # type: ignore[arg-type]
        case AttributeItem(name, index_expression):
            values = environment.attributes[name]
            index = evaluate(index_expression, environment)
            if not isinstance(values, tuple) or not 0 <= index < len(values):
                message = f"{name}[{index}] is outside of {name} = {values}"
                raise ShapeMismatchError(message)
            return int(values[index])
        case Choice(condition, then, otherwise):
            return evaluate(then if holds(condition, environment) else otherwise, environment)
        case Binary(operator, left, right):
            return _arithmetic(operator, evaluate(left, environment), evaluate(right, environment))


def _arithmetic(operator: str, left: int, right: int) -> int:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "max":
            return max(left, right)
        case "min":
            return min(left, right)
    if right == 0:
        message = f"{left} {operator} 0: a divisor is zero"
        raise ShapeMismatchError(message)
    return left // right if operator == "//" else left % right


def holds(node: Condition, environment: ShapeEnvironment) -> bool:
    """Decide a condition."""
    match node:
        case TextIs(name, value):
            return environment.attributes[name] == value
        case Not(condition):
            return not holds(condition, environment)
        case Junction("and", first, second):
            return holds(first, environment) and holds(second, environment)
        case Junction(_, first, second):
            return holds(first, environment) or holds(second, environment)
        case Comparison(operator, left, right):
            return _compare(operator, evaluate(left, environment), evaluate(right, environment))


def _compare(operator: str, left: int, right: int) -> bool:
    return {
        "==": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]
