"""Shape rules as flat lists of integers, which the C++ hosts evaluate over plain, unknown and symbolic sizes.

A program is for a stack machine. Each instruction is two integers, ``(operation, operand)``:
see ``plugins/include/opstudio/shape_program.h``, which holds the same numbers.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from opstudio.contract.operator import OperatorContract, Output
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


class Operation(enum.IntEnum):
    """What an instruction does; ``operand`` is used where named."""

    NUMBER = 0  # push operand
    LETTER = 1  # push the letter of index operand
    ATTRIBUTE = 2  # push the integer attribute of index operand
    ATTRIBUTE_ITEM = 3  # pop an index, push that value of the list attribute of index operand
    ATTRIBUTE_LENGTH = 4  # push the length of the list attribute of index operand
    TEXT_IS = 5  # operand = attribute index * 2**32 + text index; push 1 or 0
    ADD = 6
    SUBTRACT = 7
    MULTIPLY = 8
    FLOOR_DIVIDE = 9
    MODULO = 10
    MAXIMUM = 11
    MINIMUM = 12
    EQUAL = 13
    NOT_EQUAL = 14
    LESS = 15
    LESS_OR_EQUAL = 16
    GREATER = 17
    GREATER_OR_EQUAL = 18
    NOT = 19
    JUMP_IF_ZERO = 20  # pop; skip operand instructions when it is zero
    JUMP = 21  # skip operand instructions
    DIMENSION = 22  # pop and append to the shape
    STAR = 23  # append all dimensions of the starred letter of index operand


_BINARY = {
    "+": Operation.ADD,
    "-": Operation.SUBTRACT,
    "*": Operation.MULTIPLY,
    "//": Operation.FLOOR_DIVIDE,
    "%": Operation.MODULO,
    "max": Operation.MAXIMUM,
    "min": Operation.MINIMUM,
}
_COMPARE = {
    "==": Operation.EQUAL,
    "!=": Operation.NOT_EQUAL,
    "<": Operation.LESS,
    "<=": Operation.LESS_OR_EQUAL,
    ">": Operation.GREATER,
    ">=": Operation.GREATER_OR_EQUAL,
}

Instruction = tuple[int, int]


def letter_indices(contract: OperatorContract) -> dict[str, int]:
    """Number the letters of all input patterns, starred ones included, in the order of their first use."""
    indices: dict[str, int] = {}
    for item in contract.inputs:
        if item.pattern is not None:
            for letter in item.pattern.letters:
                indices.setdefault(letter, len(indices))
    return indices


class ProgramBuilder:
    """Compiles the rules of one contract; ``texts`` collects the string constants that they compare with."""

    def __init__(self, contract: OperatorContract) -> None:
        self._contract = contract
        self._letters: Mapping[str, int] = letter_indices(contract)
        self._attributes = {attribute.name: index for index, attribute in enumerate(contract.attributes)}
        self.texts: list[str] = []

    def output_program(self, output: Output) -> list[int]:
        """Return the program of an output's shape as flat integers; empty when it shares an input's shape."""
        instructions: list[Instruction] = []
        for element in self._contract.output_rule(output).elements:
            if isinstance(element, Star):
                instructions.append((Operation.STAR, self._letters[element.name]))
            else:
                instructions += self._expression(element)
                instructions.append((Operation.DIMENSION, 0))
        return [number for instruction in instructions for number in instruction]

    def _expression(self, node: Expression) -> list[Instruction]:
        match node:
            case Number(value):
                return [(Operation.NUMBER, value)]
            case Letter(name):
                return [(Operation.LETTER, self._letters[name])]
            case AttributeReference(name):
                return [(Operation.ATTRIBUTE, self._attributes[name])]
            case AttributeLength(name):
                return [(Operation.ATTRIBUTE_LENGTH, self._attributes[name])]
            case AttributeItem(name, index):
                return [*self._expression(index), (Operation.ATTRIBUTE_ITEM, self._attributes[name])]
            case Binary(operator, left, right):
                return [*self._expression(left), *self._expression(right), (_BINARY[operator], 0)]
            case Choice(condition, then, otherwise):
                first, second = self._expression(then), self._expression(otherwise)
                return _branch(self._condition(condition), first, second)

    def _condition(self, node: Condition) -> list[Instruction]:
        match node:
            case TextIs(name, value):
                if value not in self.texts:
                    self.texts.append(value)
                return [(Operation.TEXT_IS, self._attributes[name] * 2**32 + self.texts.index(value))]
            case Not(condition):
                return [*self._condition(condition), (Operation.NOT, 0)]
            case Comparison(operator, left, right):
                return [*self._expression(left), *self._expression(right), (_COMPARE[operator], 0)]
            case Junction("and", first, second):
                return _branch(self._condition(first), self._condition(second), [(Operation.NUMBER, 0)])
            case Junction(_, first, second):
                return _branch(self._condition(first), [(Operation.NUMBER, 1)], self._condition(second))


def _branch(condition: list[Instruction], then: list[Instruction], otherwise: list[Instruction]) -> list[Instruction]:
    return [
        *condition,
        (Operation.JUMP_IF_ZERO, len(then) + 1),
        *then,
        (Operation.JUMP, len(otherwise)),
        *otherwise,
    ]
