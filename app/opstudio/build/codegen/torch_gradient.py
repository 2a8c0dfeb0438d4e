"""The backward operator of a release, as its template needs it."""

from __future__ import annotations

from typing import Any

from opstudio.build.codegen.cpp_names import cpp_name, cpp_text
from opstudio.build.codegen.torch_arguments import (
    attribute_parameter,
    input_parameter,
    restored_attribute,
    tensor_parameter,
)
from opstudio.contract.operator import Gradient, Input, OperatorContract
from opstudio.contract.torch_schema import render_backward_schema


def gradient_values(contract: OperatorContract, gradient: Gradient) -> dict[str, Any]:
    """Return the values of the template: the schema, parameters and lines of the backward operator."""
    inputs = {item.name: item for item in contract.inputs}
    likes = [_shape_source(contract, gradient, name) for name in gradient.inputs]
    following = [*gradient.inputs[1:], None]
    return {
        "schema": cpp_text(render_backward_schema(contract)),
        "inputs_text": ", ".join(gradient.inputs),
        "parameters": ", ".join(_parameters(contract, gradient, None)),
        "meta_parameters": ", ".join(_parameters(contract, gradient, likes)),
        "results": [
            {"name": name, "like": like, "next": after}
            for name, like, after in zip(gradient.inputs, likes, following, strict=True)
        ],
        "kernel_inputs": [
            *((f"grad_{item.name}", f"grad_{item.name}") for item in contract.outputs),
            *((name, cpp_name(name)) for name in gradient.saved),
        ],
        "saved_values": [_saved_value(contract, name) for name in gradient.saved],
        "counts": ", ".join(f"count_of({cpp_name(name)})" for name in inputs),
        "restore_lines": [
            *(
                f"const auto {cpp_name(name)} = saved.{_restore(inputs.get(name))}({index});"
                for index, name in enumerate(gradient.saved)
            ),
            *map(restored_attribute, contract.attributes),
        ],
        "call_arguments": ", ".join(
            [
                *(f"gradients[{index}]" for index in range(len(contract.outputs))),
                *map(cpp_name, gradient.saved),
                *(cpp_name(item.name) for item in contract.attributes),
            ]
        ),
        "differentiated": ", ".join("true" if name in gradient.inputs else "false" for name in inputs),
    }


def _parameters(contract: OperatorContract, gradient: Gradient, read: list[str] | None) -> list[str]:
    """Return the parameters; with ``read`` only those have names that it lists."""
    inputs = {item.name: item for item in contract.inputs}

    def named(name: str) -> bool:
        return read is None or name in read

    gradients = [f"grad_{item.name}" for item in contract.outputs]
    return [
        *(tensor_parameter(name, named=named(name)) for name in gradients),
        *(
            input_parameter(inputs[name], named=named(cpp_name(name)))
            if name in inputs
            else tensor_parameter(cpp_name(name), named=named(cpp_name(name)))
            for name in gradient.saved
        ),
        *(attribute_parameter(item, named=read is None) for item in contract.attributes),
    ]


def _shape_source(contract: OperatorContract, gradient: Gradient, name: str) -> str:
    """Return what has the shape of an input: itself where it is saved, else the gradient of an output of that shape."""
    if name in gradient.saved:
        return cpp_name(name)
    return next(f"grad_{output.name}" for output in contract.outputs if contract.output_rule(output).same_as == name)


def _saved_value(contract: OperatorContract, name: str) -> str:
    outputs = [item.name for item in contract.outputs]
    if name not in outputs:
        return cpp_name(name)
    return f"std::get<{outputs.index(name)}>(outputs)" if len(outputs) > 1 else "outputs"


def _restore(item: Input | None) -> str:
    if item is None or not (item.optional or item.variadic):
        return "one"
    return "group" if item.variadic else "optional"
