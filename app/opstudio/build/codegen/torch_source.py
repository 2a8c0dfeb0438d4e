"""The PyTorch side of a release: one source for all operators of a domain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opstudio import __version__
from opstudio.base.data_type import DataType
from opstudio.build.codegen.cpp_shapes import ShapeBody, shape_attributes
from opstudio.build.codegen.render import render_template
from opstudio.contract.operator import Attribute, AttributeKind, Input, OperatorContract, Output
from opstudio.contract.torch_schema import render_backward_schema, render_schema

_PARAMETERS = {
    AttributeKind.INT: "int64_t",
    AttributeKind.FLOAT: "double",
    AttributeKind.BOOL: "bool",
    AttributeKind.STRING: "c10::string_view",
    AttributeKind.INTS: "at::IntArrayRef",
    AttributeKind.FLOATS: "at::ArrayRef<double>",
}
_LOADS = {
    AttributeKind.INT: ("int64_t", "toInt()"),
    AttributeKind.FLOAT: ("double", "toDouble()"),
    AttributeKind.BOOL: ("bool", "toBool()"),
    AttributeKind.STRING: ("std::string", "toStringRef()"),
    AttributeKind.INTS: ("std::vector<int64_t>", "toIntVector()"),
    AttributeKind.FLOATS: ("std::vector<double>", "toDoubleVector()"),
}
_SCALAR_TYPES = {
    DataType.FLOAT32: "at::kFloat",
    DataType.FLOAT64: "at::kDouble",
    DataType.FLOAT16: "at::kHalf",
    DataType.BFLOAT16: "at::kBFloat16",
    DataType.INT8: "at::kChar",
    DataType.INT16: "at::kShort",
    DataType.INT32: "at::kInt",
    DataType.INT64: "at::kLong",
    DataType.UINT8: "at::kByte",
    DataType.BOOL: "at::kBool",
}


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
    body = ShapeBody(contract)
    attributes = {item.name: item for item in contract.attributes}
    shaping = shape_attributes(contract)
    names = [*(item.name for item in contract.inputs), *attributes]
    outputs = [item.name for item in contract.outputs]
    several = len(outputs) > 1
    results = ", ".join("at::Tensor" for _ in outputs)
    applied = f"Function::apply({', '.join(names)})"
    picked = ", ".join(f"outputs[{index}]" for index in range(len(outputs)))
    return {
        "name": contract.name,
        "summary": contract.summary,
        "qualified": contract.qualified_name,
        "entry": entry_name(contract),
        "schema": _escape(render_schema(contract)),
        "strided": contract.kernel.strided,
        "inputs": [{"name": item.name} for item in contract.inputs],
        "attributes": [{"name": item.name, "saved": _saved(item)} for item in contract.attributes],
        "parameters": ", ".join([*map(_input_parameter, contract.inputs), *map(_parameter, contract.attributes)]),
        # Meta reads only the attributes that shape rules use; the others stay without a name, which warns nobody.
        "meta_parameters": ", ".join(
            [
                *(_input_parameter(item) for item in contract.inputs),
                *(_parameter(item) if item.name in shaping else _nameless(item) for item in contract.attributes),
            ]
        ),
        "argument_names": ", ".join(names),
        "attribute_parameters": ", ".join(map(_parameter, contract.attributes)),
        "attribute_arguments": ", ".join(attributes),
        "attribute_lines": [_attribute_line(item) for item in contract.attributes],
        "shape_parameters": ", ".join(
            [
                *(f"const std::vector<std::vector<Size>>& {item.name}" for item in contract.inputs),
                *(_parameter(attributes[name]) for name in shaping),
            ]
        ),
        "plain_shape_arguments": ", ".join([*(f"plain_shapes({item.name})" for item in contract.inputs), *shaping]),
        "symbolic_shape_arguments": ", ".join(
            [*(f"symbolic_shapes({item.name})" for item in contract.inputs), *shaping]
        ),
        "shape_lines": body.lines,
        "shape_results": body.results(),
        "check_lines": [_check_line(contract, item) for item in contract.inputs],
        "outputs": [{"name": item.name, "type": _output_type(item)} for item in contract.outputs],
        "result_type": f"std::tuple<{results}>" if several else "at::Tensor",
        "result_value": f"std::make_tuple({', '.join(outputs)})" if several else outputs[0],
        "meta_results": ", ".join(
            f"at::empty_symint(shapes[{index}], options.dtype({_output_type(item)}))"
            for index, item in enumerate(contract.outputs)
        ),
        "autograd_result": "variable_list" if several else "at::Tensor",
        "autograd_value": f"{{{', '.join(f'std::get<{index}>(outputs)' for index in range(len(outputs)))}}}"
        if several
        else "outputs",
        "differentiable_body": f"auto outputs = {applied};\n  return std::make_tuple({picked});"
        if several
        else f"return {applied};",
        "gradient": _gradient(contract) if contract.gradient is not None else None,
    }


def _gradient(contract: OperatorContract) -> dict[str, Any]:
    assert contract.gradient is not None
    gradient = contract.gradient
    inputs = {item.name: item for item in contract.inputs}
    outputs = [item.name for item in contract.outputs]
    grad_names = [f"grad_{name}" for name in outputs]
    saved_parameters = [
        _input_parameter(inputs[name]) if name in inputs else f"const at::Tensor& {name}" for name in gradient.saved
    ]
    following = [*gradient.inputs[1:], None]
    sources = [_shape_source(contract, name) for name in gradient.inputs]
    return {
        "schema": _escape(render_backward_schema(contract)),
        "inputs_text": ", ".join(gradient.inputs),
        "meta_parameters": ", ".join(
            [
                *(f"const at::Tensor& {name if name in sources else ''}" for name in grad_names),
                *(
                    _input_parameter(inputs[name], name if name in sources else "")
                    if name in inputs
                    else "const at::Tensor&"
                    for name in gradient.saved
                ),
                *map(_nameless, contract.attributes),
            ]
        ),
        "parameters": ", ".join(
            [
                *(f"const at::Tensor& {name}" for name in grad_names),
                *saved_parameters,
                *map(_parameter, contract.attributes),
            ]
        ),
        "results": [
            {"name": name, "like": like, "next": after}
            for name, like, after in zip(gradient.inputs, sources, following, strict=True)
        ],
        "kernel_inputs": [
            *((name, name) for name in grad_names),
            *((name, name) for name in gradient.saved),
        ],
        "saved_values": [
            name if name in inputs else f"std::get<{outputs.index(name)}>(outputs)" if len(outputs) > 1 else "outputs"
            for name in gradient.saved
        ],
        "counts": ", ".join(f"count_of({name})" for name in inputs),
        "restore_lines": [
            *(
                f"const auto {name} = saved.{_restore(inputs.get(name))}({index});"
                for index, name in enumerate(gradient.saved)
            ),
            *(
                f'const {_LOADS[item.kind][0]} {item.name} = context->saved_data["{item.name}"].{_LOADS[item.kind][1]};'
                for item in contract.attributes
            ),
        ],
        "call_arguments": ", ".join(
            [
                *(f"gradients[{index}]" for index in range(len(outputs))),
                *gradient.saved,
                *(item.name for item in contract.attributes),
            ]
        ),
        "differentiated": ", ".join("true" if name in gradient.inputs else "false" for name in inputs),
    }


def _shape_source(contract: OperatorContract, name: str) -> str:
    """Return what has the shape of an input: itself where it is saved, else the gradient of an output of that shape."""
    assert contract.gradient is not None
    if name in contract.gradient.saved:
        return name
    return next(f"grad_{output.name}" for output in contract.outputs if contract.output_rule(output).same_as == name)


def _restore(item: Input | None) -> str:
    if item is None or not (item.optional or item.variadic):
        return "one"
    return "group" if item.variadic else "optional"


def _input_parameter(item: Input, name: str | None = None) -> str:
    name = item.name if name is None else name
    if item.variadic:
        return f"at::TensorList {name}"
    if item.optional:
        return f"const std::optional<at::Tensor>& {name}"
    return f"const at::Tensor& {name}"


def _parameter(item: Attribute) -> str:
    return f"{_PARAMETERS[item.kind]} {item.name}"


def _nameless(item: Attribute) -> str:
    return f"{_PARAMETERS[item.kind]} /*{item.name}*/"


def _saved(item: Attribute) -> str:
    if item.kind is AttributeKind.STRING:
        return f"std::string({item.name})"
    return f"{item.name}.vec()" if item.kind.is_list else item.name


def _attribute_line(item: Attribute) -> str:
    integers, numbers, text = "{}", "{}", '""'
    match item.kind:
        case AttributeKind.INT:
            integers = f"{{{item.name}}}"
        case AttributeKind.BOOL:
            integers = f"{{{item.name} ? 1 : 0}}"
        case AttributeKind.FLOAT:
            numbers = f"as_float32({{{item.name}}})"
        case AttributeKind.INTS:
            integers = f"{item.name}.vec()"
        case AttributeKind.FLOATS:
            numbers = f"as_float32({item.name}.vec())"
        case AttributeKind.STRING:
            text = f"std::string({item.name})"
    kind = f"OPSTUDIO_ATTRIBUTE_{item.kind.name}"
    return f'attributes.add("{item.name}", {kind}, {integers}, {numbers}, {text});'


def _check_line(contract: OperatorContract, item: Input) -> str:
    allowed = (
        f"type_{item.same_type_as}" if item.same_type_as else ", ".join(_SCALAR_TYPES[kind] for kind in item.types)
    )
    call = f'check_types("{contract.qualified_name}", "{item.name}", {item.name}, {{{allowed}}});'
    return call if item.same_type_as else f"[[maybe_unused]] const at::ScalarType type_{item.name} = {call}"


def _output_type(item: Output) -> str:
    return _SCALAR_TYPES[item.type] if item.type is not None else f"type_{item.same_type_as}"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
