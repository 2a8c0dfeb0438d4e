"""Inputs, attributes and outputs of an operator as the generated PyTorch code writes them."""

from __future__ import annotations

from opstudio.base.data_type import DataType
from opstudio.build.codegen.cpp_names import cpp_name
from opstudio.contract.operator import Attribute, AttributeKind, Input, OperatorContract, Output

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


def input_parameter(item: Input, *, named: bool = True) -> str:
    """Return the parameter of an input; without a name where a function does not read it."""
    name = f" {cpp_name(item.name)}" if named else ""
    if item.variadic:
        return f"at::TensorList{name}"
    if item.optional:
        return f"const std::optional<at::Tensor>&{name}"
    return f"const at::Tensor&{name}"


def tensor_parameter(name: str, *, named: bool = True) -> str:
    """Return the parameter of one tensor."""
    return f"const at::Tensor& {name}" if named else "const at::Tensor&"


def attribute_parameter(item: Attribute, *, named: bool = True) -> str:
    """Return the parameter of an attribute; with its name as a comment where a function does not read it."""
    return f"{_PARAMETERS[item.kind]} {cpp_name(item.name) if named else f'/*{item.name}*/'}"


def saved_attribute(item: Attribute) -> str:
    """Return an attribute as a value that outlives the call."""
    name = cpp_name(item.name)
    if item.kind is AttributeKind.STRING:
        return f"std::string({name})"
    return f"{name}.vec()" if item.kind.is_list else name


def restored_attribute(item: Attribute) -> str:
    """Return the line that takes a saved attribute up again."""
    kind, load = _LOADS[item.kind]
    return f'const {kind} {cpp_name(item.name)} = context->saved_data["{item.name}"].{load};'


def attribute_line(item: Attribute) -> str:
    """Return the line that hands an attribute to the kernel."""
    name = cpp_name(item.name)
    integers, numbers, text = "{}", "{}", '""'
    match item.kind:
        case AttributeKind.INT:
            integers = f"{{{name}}}"
        case AttributeKind.BOOL:
            integers = f"{{{name} ? 1 : 0}}"
        case AttributeKind.FLOAT:
            numbers = f"as_float32({{{name}}})"
        case AttributeKind.INTS:
            integers = f"{name}.vec()"
        case AttributeKind.FLOATS:
            numbers = f"as_float32({name}.vec())"
        case AttributeKind.STRING:
            text = f"std::string({name})"
    return f'attributes.add("{item.name}", OPSTUDIO_ATTRIBUTE_{item.kind.name}, {integers}, {numbers}, {text});'


def check_line(contract: OperatorContract, item: Input) -> str:
    """Return the line that refuses types which the contract does not list, and names the one that is there."""
    if item.same_type_as:
        allowed = f"type_{item.same_type_as}"
    else:
        allowed = ", ".join(_SCALAR_TYPES[kind] for kind in item.types)
    call = f'check_types("{contract.qualified_name}", "{item.name}", {cpp_name(item.name)}, {{{allowed}}});'
    return call if item.same_type_as else f"[[maybe_unused]] const at::ScalarType type_{item.name} = {call}"


def output_type(item: Output) -> str:
    """Return the type of an output."""
    return _SCALAR_TYPES[item.type] if item.type is not None else f"type_{item.same_type_as}"
