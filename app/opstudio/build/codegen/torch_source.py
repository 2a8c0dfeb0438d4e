"""The PyTorch side of a release: one source for all operators of a domain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opstudio import __version__
from opstudio.build.codegen.cpp_names import comment_text, cpp_name, cpp_text
from opstudio.build.codegen.cpp_shapes import ShapeBody, shape_attributes
from opstudio.build.codegen.render import render_template
from opstudio.build.codegen.torch_arguments import (
    attribute_line,
    attribute_parameter,
    check_line,
    input_parameter,
    output_type,
    saved_attribute,
)
from opstudio.build.codegen.torch_gradient import gradient_values
from opstudio.contract.operator import OperatorContract
from opstudio.contract.torch_schema import render_schema


def entry_name(contract: OperatorContract) -> str:
    """Return the name of a kernel's entry point in a library that holds several."""
    return f"opstudio_kernel_{contract.domain}_{contract.name}"


def render_torch_source(contracts: Sequence[OperatorContract]) -> str:
    """Return the C++ source that registers all operators of one domain with PyTorch."""
    return render_template(
        "release/torch_operators.cpp.j2",
        domain=contracts[0].domain,
        version=__version__,
        operators=[_operator(contract) for contract in contracts],
    )


def _operator(contract: OperatorContract) -> dict[str, Any]:
    inputs = [cpp_name(item.name) for item in contract.inputs]
    attributes = [cpp_name(item.name) for item in contract.attributes]
    gradient = contract.gradient
    return {
        "name": contract.name,
        "space": f"{contract.name}_operator",
        "summary": comment_text(contract.summary),
        "qualified": contract.qualified_name,
        "entry": entry_name(contract),
        "schema": cpp_text(render_schema(contract)),
        "strided": contract.kernel.strided,
        "inputs": [{"name": item.name, "cpp": cpp_name(item.name)} for item in contract.inputs],
        "attributes": [{"name": item.name, "saved": saved_attribute(item)} for item in contract.attributes],
        "parameters": ", ".join(
            [*map(input_parameter, contract.inputs), *map(attribute_parameter, contract.attributes)]
        ),
        "argument_names": ", ".join([*inputs, *attributes]),
        "attribute_parameters": ", ".join(map(attribute_parameter, contract.attributes)),
        "attribute_arguments": ", ".join(attributes),
        "attribute_lines": list(map(attribute_line, contract.attributes)),
        "check_lines": [check_line(contract, item) for item in contract.inputs],
        "gradient": None if gradient is None else gradient_values(contract, gradient),
        **_shapes(contract),
        **_results(contract),
    }


def _shapes(contract: OperatorContract) -> dict[str, Any]:
    """Return the shape function: parameters, lines, and the arguments for plain and for symbolic sizes."""
    body = ShapeBody(contract)
    shaping = shape_attributes(contract)
    inputs = [cpp_name(item.name) for item in contract.inputs]
    read = [item for item in contract.attributes if item.name in shaping]
    arguments = [cpp_name(item.name) for item in read]
    return {
        "shape_parameters": ", ".join(
            [
                *(f"const std::vector<std::vector<Size>>& {name}" for name in inputs),
                *map(attribute_parameter, read),
            ]
        ),
        "shape_lines": body.lines,
        "shape_results": body.results(),
        "plain_shape_arguments": ", ".join([*(f"plain_shapes({name})" for name in inputs), *arguments]),
        "symbolic_shape_arguments": ", ".join([*(f"symbolic_shapes({name})" for name in inputs), *arguments]),
        # Meta reads only the attributes that shape rules use; the others stay without a name, which warns nobody.
        "meta_parameters": ", ".join(
            [
                *map(input_parameter, contract.inputs),
                *(attribute_parameter(item, named=item in read) for item in contract.attributes),
            ]
        ),
    }


def _results(contract: OperatorContract) -> dict[str, Any]:
    """Return what functions give back: a tensor, or a tuple of them."""
    outputs = [cpp_name(item.name) for item in contract.outputs]
    several = len(outputs) > 1
    types = ", ".join("at::Tensor" for _ in outputs)
    elements = ", ".join(f"std::get<{index}>(outputs)" for index in range(len(outputs)))
    picked = ", ".join(f"outputs[{index}]" for index in range(len(outputs)))
    names = [item.name for item in contract.inputs] + [item.name for item in contract.attributes]
    applied = f"Function::apply({', '.join(map(cpp_name, names))})"
    return {
        "outputs": [
            {"name": item.name, "cpp": cpp_name(item.name), "type": output_type(item)} for item in contract.outputs
        ],
        "result_type": f"std::tuple<{types}>" if several else "at::Tensor",
        "result_value": f"std::make_tuple({', '.join(outputs)})" if several else outputs[0],
        "meta_results": ", ".join(
            f"at::empty_symint(shapes[{index}], options.dtype({output_type(item)}))"
            for index, item in enumerate(contract.outputs)
        ),
        "autograd_result": "variable_list" if several else "at::Tensor",
        "autograd_value": f"{{{elements}}}" if several else "outputs",
        "differentiable_body": f"auto outputs = {applied};\n  return std::make_tuple({picked});"
        if several
        else f"return {applied};",
    }
