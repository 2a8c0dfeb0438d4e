"""Shape rules as programs, run by a small machine that follows the documented instructions."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings

from opstudio.base.assets import asset_root
from opstudio.contract.operator import OperatorContract
from opstudio.contract.shape_evaluation import Shape, ShapeMismatchError, infer_output_shapes
from opstudio.contract.shape_program import Operation, ProgramBuilder, letter_indices
from opstudio.contract.shape_syntax import Expression
from tests.support.contracts import a_contract, an_input, an_output
from tests.unit.contract.shape_trees import EXPRESSIONS, Call, calls, contract_of, render

ARITHMETIC: Mapping[int, Callable[[int, int], int]] = {
    Operation.ADD: operator.add,
    Operation.SUBTRACT: operator.sub,
    Operation.MULTIPLY: operator.mul,
    Operation.FLOOR_DIVIDE: operator.floordiv,
    Operation.MODULO: operator.mod,
    Operation.MAXIMUM: max,
    Operation.MINIMUM: min,
    Operation.EQUAL: operator.eq,
    Operation.NOT_EQUAL: operator.ne,
    Operation.LESS: operator.lt,
    Operation.LESS_OR_EQUAL: operator.le,
    Operation.GREATER: operator.gt,
    Operation.GREATER_OR_EQUAL: operator.ge,
}


def run(  # noqa: C901, PLR0912 - one branch for each instruction
    program: list[int], contract: OperatorContract, call: Call, stars: Mapping[str, Shape], texts: list[str]
) -> Shape:
    """Run a program as the comments of ``Operation`` describe it."""
    letters = {index: name for name, index in letter_indices(contract).items()}
    values = [call.attributes[attribute.name] for attribute in contract.attributes]
    stack: list[int] = []
    shape: list[int] = []
    instructions = list(zip(program[::2], program[1::2], strict=True))
    at = 0
    while at < len(instructions):
        operation, operand = instructions[at]
        at += 1
        if operation == Operation.NUMBER:
            stack.append(operand)
        elif operation == Operation.LETTER:
            stack.append(call.letters[letters[operand]])
        elif operation == Operation.ATTRIBUTE:
            stack.append(int(values[operand]))  # type: ignore[arg-type]
        elif operation == Operation.ATTRIBUTE_ITEM:
            index = stack.pop()
            if index < 0:
                raise IndexError(index)
            stack.append(values[operand][index])  # type: ignore[index,arg-type]
        elif operation == Operation.ATTRIBUTE_LENGTH:
            stack.append(len(values[operand]))  # type: ignore[arg-type]
        elif operation == Operation.TEXT_IS:
            attribute, text = divmod(operand, 2**32)
            stack.append(int(values[attribute] == texts[text]))
        elif operation == Operation.NOT:
            stack.append(int(stack.pop() == 0))
        elif operation == Operation.JUMP_IF_ZERO:
            at += operand if stack.pop() == 0 else 0
        elif operation == Operation.JUMP:
            at += operand
        elif operation == Operation.DIMENSION:
            shape.append(stack.pop())
        elif operation == Operation.STAR:
            shape += stars[letters[operand]]
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(int(ARITHMETIC[operation](left, right)))
    assert (at, stack) == (len(instructions), []), "a program leaves nothing behind and jumps no further than its end"
    return tuple(shape)


def run_rule(contract: OperatorContract, call: Call, star: Shape) -> Shape | None:
    """Run the first output's program; ``None`` where it divides by zero, leaves a list or gives no shape."""
    builder = ProgramBuilder(contract)
    try:
        shape = run(builder.output_program(contract.outputs[0]), contract, call, {"D": star}, builder.texts)
    except (ZeroDivisionError, IndexError):
        return None
    return None if any(size < 0 for size in shape) else shape


def evaluate_rule(contract: OperatorContract, call: Call, star: Shape) -> Shape | None:
    shapes = {"x": [(call.letters["N"], *star, call.letters["C"])]}
    try:
        return infer_output_shapes(contract, shapes, call.attributes)[contract.outputs[0].name]
    except ShapeMismatchError:
        return None


@settings(deadline=None, max_examples=400)
@given(EXPRESSIONS, EXPRESSIONS, calls())
def test_that_the_program_of_a_random_rule_gives_the_shape_that_evaluation_gives(
    first: Expression, second: Expression, call: Call
) -> None:
    contract = contract_of(f"[{render(first)}, *D, max(0, {render(second)})]")

    assert evaluate_rule(contract, call, (3, 1)) == run_rule(contract, call, (3, 1))


def program_of(rule: str) -> list[int]:
    contract = contract_of(rule)
    return ProgramBuilder(contract).output_program(contract.outputs[0])


# Letters are numbered N 0, D 1, C 2; attributes scale 0, k 1, flag 2, mode 3, sizes 4, pads 5.
@pytest.mark.parametrize(
    ("rule", "program"),
    [
        ("[7]", [0, 7, 22, 0]),
        ("[C, *D]", [1, 2, 22, 0, 23, 1]),
        ("[N - k]", [1, 0, 2, 1, 7, 0, 22, 0]),
        ("[sizes[1] % len(pads)]", [0, 1, 3, 4, 4, 5, 10, 0, 22, 0]),
        ("[-N]", [0, 0, 1, 0, 7, 0, 22, 0]),
        ("[N if k > 1 else C]", [2, 1, 0, 1, 17, 0, 20, 2, 1, 0, 21, 1, 1, 2, 22, 0]),
        ("[1 if mode != 'same' else 2]", [5, 3 * 2**32, 19, 0, 20, 2, 0, 1, 21, 1, 0, 2, 22, 0]),
        ("[]", []),
        ("x", []),
    ],
)
def test_that_a_rule_becomes_the_program_written_by_hand(rule: str, program: list[int]) -> None:
    assert program == program_of(rule)


def test_that_texts_of_all_outputs_are_collected_once() -> None:
    contract = contract_of("[1 if mode == 'a' else 2]", "[1 if mode == 'b' or mode == 'a' else 2]")
    builder = ProgramBuilder(contract)

    first, second = (builder.output_program(output) for output in contract.outputs)

    assert builder.texts == ["a", "b"]
    assert [number for number in first if number >= 2**32] == [3 * 2**32]
    assert [number for number in second if number >= 2**32] == [3 * 2**32 + 1, 3 * 2**32]


def test_that_letters_are_numbered_in_the_order_of_their_first_use_over_all_inputs() -> None:
    contract = a_contract(
        inputs=(an_input("x", "[B, 3, *D]"), an_input("v"), an_input("w", "[A, B, *D, Z]")), outputs=(an_output(),)
    )

    assert letter_indices(contract) == {"B": 0, "D": 1, "A": 2, "Z": 3}


def test_that_the_hosts_number_the_instructions_alike() -> None:
    header = asset_root("plugins") / "include" / "opstudio_host" / "shape_program.h"
    body = re.search(r"enum Operation : int64_t \{(.*?)\}", header.read_text(encoding="utf-8"), re.DOTALL)
    assert body is not None
    names = [name.split("=")[0].strip() for name in body[1].split(",")]

    assert [f"k{item.name.title().replace('_', '')}" for item in sorted(Operation)] == names
    assert list(range(len(names))) == sorted(Operation)
