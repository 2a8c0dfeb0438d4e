"""How an operator becomes a node of its own domain: translations for both exporters, derived from its contract."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from opstudio.contract.operator import Attribute, AttributeKind, OperatorContract
from opstudio.model.torchscript_types import set_output_type

_PARSERS = {
    AttributeKind.INT: "i",
    AttributeKind.FLOAT: "f",
    AttributeKind.BOOL: "b",
    AttributeKind.STRING: "s",
    AttributeKind.INTS: "is",
    AttributeKind.FLOATS: "fs",
}
"""What ``torch.onnx.symbolic_helper.parse_args`` calls the kinds."""
_SUFFIXES = {
    AttributeKind.INT: "i",
    AttributeKind.FLOAT: "f",
    AttributeKind.BOOL: "i",
    AttributeKind.STRING: "s",
    AttributeKind.INTS: "i",
    AttributeKind.FLOATS: "f",
}
"""How ``g.op`` is told the type of an attribute; lists have that of their items."""


def register_symbolic(contract: OperatorContract, opset: int) -> None:
    """Register the translation for the TorchScript exporter."""
    from torch.onnx import register_custom_op_symbolic, symbolic_helper

    count = len(contract.inputs)

    def symbolic(graph: Any, *arguments: Any) -> Any:
        values = dict(zip((item.name for item in contract.attributes), arguments[count:], strict=True))
        groups = _graph_inputs(contract, arguments[:count])
        tensors = _without_trailing_none([tensor for group in groups for tensor in group])
        outputs = graph.op(
            f"{contract.domain}::{contract.onnx_type}",
            *tensors,
            **{
                f"{item.name}_{_SUFFIXES[item.kind]}": _onnx_value(item, values[item.name])
                for item in contract.attributes
            },
            outputs=len(contract.outputs),
        )
        for output, value in zip(contract.outputs, outputs if len(contract.outputs) > 1 else [outputs], strict=True):
            set_output_type(contract, output, value, groups, values)
        return outputs

    # parse_args takes the names of the arguments from the signature.
    names = ["graph", *(item.name for item in contract.inputs), *(item.name for item in contract.attributes)]
    parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    symbolic.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    kinds = [*["v"] * count, *(_PARSERS[item.kind] for item in contract.attributes)]
    symbolic = symbolic_helper.parse_args(*kinds)(symbolic)
    register_custom_op_symbolic(contract.qualified_name, symbolic, opset)


def translation_entry(contract: OperatorContract, operator: Any, version: int) -> dict[Any, Callable[..., Any]]:
    """Return the entry of ``custom_translation_table`` for the dynamo exporter.

    It emits the node through a schema of the contract: without one, the exporter drops attributes that it does not
    know. ``version`` is that of the domain in the file.
    """
    from onnxscript import values

    opset = values.Opset(contract.domain, version)
    # Optional inputs have no default in the schema either: the exporter always passes them.
    parameters = [inspect.Parameter(item.name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for item in contract.inputs]
    parameters += [
        inspect.Parameter(
            item.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            annotation=_annotation(item),
            **_default(item),
        )
        for item in contract.attributes
    ]
    signature = inspect.Signature(parameters)

    def translate(*arguments: Any, **named: Any) -> Any:
        bound = signature.bind(*arguments, **named)
        bound.apply_defaults()
        groups = [
            list(bound.arguments[item.name]) if item.variadic else [bound.arguments[item.name]]
            for item in contract.inputs
        ]
        tensors = [tensor for group in groups for tensor in group]
        while tensors and tensors[-1] is None:
            tensors.pop()
        attributes = {item.name: _typed_value(item, bound.arguments[item.name]) for item in contract.attributes}
        schema = node_schema(contract, [len(group) for group in groups], version)
        return values.Op(opset, contract.onnx_type, schema)(*tensors, **attributes)

    translate.__signature__ = signature  # type: ignore[attr-defined]  # the exporter reads the arguments from it
    translate.__name__ = contract.name
    return {operator.default: translate}


def node_schema(contract: OperatorContract, counts: Sequence[int], version: int) -> Any:
    """Return ONNX's description of an operator's node: inputs, types, attributes.

    ``counts`` says how many tensors each input has. The exporter repeats the inputs before a variadic one, so that
    every tensor of a list is an input of its own here.
    """
    import onnx

    schema = onnx.defs.OpSchema
    options = schema.FormalParameterOption
    inputs = [
        schema.FormalParameter(
            f"{item.name}_{index}" if item.variadic else item.name,
            f"T_{item.same_type_as or item.name}",
            param_option=options.Optional if item.optional else options.Single,
        )
        for item, count in zip(contract.inputs, counts, strict=True)
        for index in range(count)
    ]
    outputs = [
        schema.FormalParameter(item.name, f"T_{item.same_type_as}" if item.same_type_as else _type_text(item.type))
        for item in contract.outputs
    ]
    used = {item.type_str for item in (*inputs, *outputs)}
    constraints = [
        (f"T_{item.name}", [_type_text(data_type) for data_type in item.types], "")
        for item in contract.type_variables
        if f"T_{item.name}" in used
    ]
    return schema(
        contract.onnx_type,
        contract.domain,
        version,
        inputs=inputs,
        outputs=outputs,
        type_constraints=constraints,
        attributes=[_schema_attribute(item) for item in contract.attributes],
    )


def _schema_attribute(item: Attribute) -> Any:
    import onnx

    kinds = onnx.defs.OpSchema.AttrType
    kind = {
        AttributeKind.INT: kinds.INT,
        AttributeKind.FLOAT: kinds.FLOAT,
        AttributeKind.BOOL: kinds.INT,
        AttributeKind.STRING: kinds.STRING,
        AttributeKind.INTS: kinds.INTS,
        AttributeKind.FLOATS: kinds.FLOATS,
    }[item.kind]
    if item.default is None:
        return onnx.defs.OpSchema.Attribute(item.name, kind, required=True)
    default = onnx.helper.make_attribute(item.name, _onnx_value(item, item.default), attr_type=_attribute_proto(item))
    return onnx.defs.OpSchema.Attribute(item.name, default)


def _attribute_proto(item: Attribute) -> Any:
    """Say the type outright: an empty list does not tell its own."""
    import onnx

    kinds = {AttributeKind.INTS: onnx.AttributeProto.INTS, AttributeKind.FLOATS: onnx.AttributeProto.FLOATS}
    return kinds.get(item.kind)


def _type_text(data_type: Any) -> str:
    names = {"float32": "float", "float64": "double"}
    return f"tensor({names.get(data_type.value, data_type.value)})"


def _annotation(item: Attribute) -> Any:
    return {
        AttributeKind.INT: int,
        AttributeKind.FLOAT: float,
        AttributeKind.BOOL: bool,
        AttributeKind.STRING: str,
        AttributeKind.INTS: Sequence[int],
        AttributeKind.FLOATS: Sequence[float],
    }[item.kind]


def _default(item: Attribute) -> dict[str, Any]:
    value = item.default
    return {} if value is None else {"default": list(value) if isinstance(value, tuple) else value}


def _onnx_value(item: Attribute, value: Any) -> Any:
    if item.kind is AttributeKind.BOOL:
        return int(value)
    return list(value) if isinstance(value, tuple | list) else value


def _typed_value(item: Attribute, value: Any) -> Any:
    """Return a value for the dynamo exporter, which cannot tell the type of an empty list."""
    import onnx_ir

    if not item.kind.is_list or len(value):
        return _onnx_value(item, value)
    kinds = {AttributeKind.INTS: onnx_ir.AttributeType.INTS, AttributeKind.FLOATS: onnx_ir.AttributeType.FLOATS}
    return onnx_ir.Attr(item.name, kinds[item.kind], [])


def _graph_inputs(contract: OperatorContract, arguments: tuple[Any, ...]) -> list[list[Any]]:
    """Return the tensors of each input: those of a list, or the one; an absent optional one is a value of type None."""
    from torch.onnx import symbolic_helper

    return [
        list(symbolic_helper._unpack_list(value)) if item.variadic else [value]  # noqa: SLF001 - no public form
        for item, value in zip(contract.inputs, arguments, strict=True)
    ]


def _without_trailing_none(tensors: list[Any]) -> list[Any]:
    from torch.onnx import symbolic_helper

    while tensors and symbolic_helper._is_none(tensors[-1]):  # noqa: SLF001 - no public form
        tensors = tensors[:-1]
    return tensors
