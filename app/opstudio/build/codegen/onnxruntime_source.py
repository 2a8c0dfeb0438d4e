"""The ONNX Runtime side of a release: one source for all operators of a domain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opstudio import __version__
from opstudio.base.data_type import DataType
from opstudio.build.codegen.cpp_names import comment_text, cpp_text
from opstudio.build.codegen.render import render_template
from opstudio.build.codegen.torch_source import entry_name
from opstudio.contract.operator import Attribute, AttributeKind, Input, OperatorContract, Output
from opstudio.contract.shape_program import Operation, ProgramBuilder, letter_indices
from opstudio.contract.shape_syntax import Number, Star


def render_onnxruntime_source(contracts: Sequence[OperatorContract]) -> str:
    """Return the C++ source that offers all operators of one domain to ONNX Runtime."""
    return render_template(
        "release/onnxruntime_operators.cpp.j2",
        domain=contracts[0].domain,
        version=__version__,
        operators=[_operator(contract) for contract in contracts],
    )


def _operator(contract: OperatorContract) -> dict[str, Any]:
    builder = ProgramBuilder(contract)
    outputs = [_output(contract, builder, item) for item in contract.outputs]
    return {
        "name": contract.name,
        "summary": comment_text(contract.summary),
        "onnx_type": contract.onnx_type,
        "version": contract.version,
        "entry": entry_name(contract),
        "letters": list(letter_indices(contract)),
        "texts": ", ".join(map(cpp_text, builder.texts)),
        "inputs": [_input(contract, item) for item in contract.inputs],
        "attributes": [{"onnx": _attribute(item)} for item in contract.attributes],
        "outputs": outputs,
    }


def _type(data_type: DataType) -> str:
    return f"OPSTUDIO_{data_type.name}"


def _input(contract: OperatorContract, item: Input) -> dict[str, str]:
    names = [other.name for other in contract.inputs]
    letters = letter_indices(contract)
    arity = "kVariadic" if item.variadic else "kOptional" if item.optional else "kRequired"
    same = -1 if item.same_type_as is None else names.index(item.same_type_as)
    types = ", ".join(map(_type, item.types))
    pattern: list[str] = []
    for element in item.pattern.elements if item.pattern else ():
        if isinstance(element, Number):
            pattern.append(f"{{PatternElement::kNumber, {element.value}}}")
        else:
            kind = "kStar" if isinstance(element, Star) else "kLetter"
            pattern.append(f"{{PatternElement::{kind}, {letters[element.name]}}}")
    has = "true" if item.pattern else "false"
    text = f'{{"{item.name}", Arity::{arity}, {same}, {{{types}}}, {has}, {{{", ".join(pattern)}}}}}'
    return {"onnx": text, "pattern_text": item.shape or ""}


def _attribute(item: Attribute) -> str:
    integers, numbers, text = "", "", '""'
    match item.default:
        case bool() | int():
            integers = str(int(item.default))
        case float():
            numbers = repr(item.default)
        case str():
            text = cpp_text(item.default)
        case tuple():
            values = ", ".join(repr(value) for value in item.default)
            integers, numbers = (values, "") if item.kind is AttributeKind.INTS else ("", values)
    has = "true" if item.default is not None else "false"
    return f'{{"{item.name}", OPSTUDIO_ATTRIBUTE_{item.kind.name}, {has}, {{{integers}}}, {{{numbers}}}, {text}}}'


def _output(contract: OperatorContract, builder: ProgramBuilder, item: Output) -> dict[str, str]:
    names = [other.name for other in contract.inputs]
    rule = contract.output_rule(item)
    program = builder.output_program(item)
    steps = ", ".join(f"{_operation(program[index])}, {program[index + 1]}" for index in range(0, len(program), 2))
    own = _type(item.type) if item.type else "0"
    same_type = -1 if item.same_type_as is None else names.index(item.same_type_as)
    same_shape = -1 if rule.same_as is None else names.index(rule.same_as)
    return {"onnx": f'{{"{item.name}", {own}, {same_type}, {same_shape}, {{{steps}}}}}', "rule_text": item.shape}


def _operation(number: int) -> str:
    return "k" + "".join(part.capitalize() for part in Operation(number).name.split("_"))
