"""How an operator becomes a node of its own domain: translations for both exporters, derived from its contract."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from opstudio.contract.operator import Attribute, AttributeKind, AttributeValue, OperatorContract, Output
from opstudio.contract.shape_evaluation import ShapeEnvironment, evaluate
from opstudio.contract.shape_syntax import Letter, Number, Star, letters_of

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
            _set_type(contract, output, value, groups, values)
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

    It emits the node through a schema of the contract, which is registered with ``onnx.defs``: without one, the
    exporter drops attributes that it does not know. ``version`` is that of the domain in the file.
    """
    from onnxscript import values

    register_onnx_schema(contract)
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
        tensors: list[Any] = []
        for item in contract.inputs:
            value = bound.arguments[item.name]
            tensors += list(value) if item.variadic else [value]
        while tensors and tensors[-1] is None:
            tensors.pop()
        attributes = {item.name: _onnx_value(item, bound.arguments[item.name]) for item in contract.attributes}
        return getattr(opset, contract.onnx_type)(*tensors, **attributes)

    translate.__signature__ = signature  # type: ignore[attr-defined]  # the exporter reads the arguments from it
    translate.__name__ = contract.name
    return {operator.default: translate}


def register_onnx_schema(contract: OperatorContract) -> None:
    """Tell ONNX of the operator: inputs, types, attributes."""
    import onnx

    schema = onnx.defs.OpSchema
    options = schema.FormalParameterOption
    inputs = [
        schema.FormalParameter(
            item.name,
            f"T_{item.same_type_as or item.name}",
            param_option=options.Variadic if item.variadic else options.Optional if item.optional else options.Single,
        )
        for item in contract.inputs
    ]
    outputs = [
        schema.FormalParameter(item.name, f"T_{item.same_type_as}" if item.same_type_as else _type_text(item.type))
        for item in contract.outputs
    ]
    constraints = [
        (f"T_{item.name}", [_type_text(data_type) for data_type in item.types], "") for item in contract.type_variables
    ]
    if onnx.defs.has(contract.onnx_type, contract.domain):
        onnx.defs.deregister_schema(contract.onnx_type, contract.version, contract.domain)
    onnx.defs.register_schema(
        schema(
            contract.onnx_type,
            contract.domain,
            contract.version,
            inputs=inputs,
            outputs=outputs,
            type_constraints=constraints,
            attributes=[_schema_attribute(item) for item in contract.attributes],
        )
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


def _set_type(
    contract: OperatorContract, output: Output, value: Any, inputs: list[list[Any]], attributes: Mapping[str, Any]
) -> None:
    """Give an output type and shape, without which everything behind the node has neither."""
    import torch

    known = {
        item.name: group[0].type()
        for item, group in zip(contract.inputs, inputs, strict=True)
        if group and _is_tensor(group[0])
    }
    like = known.get(output.same_type_as or "")
    data_type = getattr(torch, output.type.value) if output.type is not None else like.dtype() if like else None
    rule = contract.output_rule(output)
    # The type of an input that the output is like keeps the names of dimensions that vary.
    tensor_type = known.get(rule.same_as or "", torch._C.TensorType.get())  # noqa: SLF001 - no public form
    if rule.same_as is None:
        sizes = _output_sizes(contract, output, {name: item.varyingSizes() for name, item in known.items()}, attributes)
        tensor_type = tensor_type if sizes is None else tensor_type.with_sizes(sizes)
    value.setType(tensor_type if data_type is None else tensor_type.with_dtype(data_type))


def _is_tensor(value: Any) -> bool:
    """Whether a value of the graph is a tensor: an absent optional input is a value too, of type None."""
    return bool(value.type().kind() == "TensorType")


def _output_sizes(
    contract: OperatorContract,
    output: Output,
    known: Mapping[str, Sequence[int | None] | None],
    attributes: Mapping[str, Any],
) -> list[int | None] | None:
    """Return the sizes as far as they are known; ``None`` where even the rank is not."""
    rule = contract.output_rule(output)
    letters: dict[str, int | None] = {}
    stars: dict[str, list[int | None]] = {}
    for item in contract.inputs:
        sizes = known.get(item.name)
        if item.pattern is None or item.optional:
            continue  # rules use letters of required inputs only
        if sizes is None:
            return None
        _bind_partly(item.pattern.elements, list(sizes), letters, stars)
    plain: dict[str, AttributeValue] = {key: tuple(v) if isinstance(v, list) else v for key, v in attributes.items()}
    environment = ShapeEnvironment(plain, {name: size for name, size in letters.items() if size is not None})
    result: list[int | None] = []
    for element in rule.elements:
        if isinstance(element, Star):
            result += stars[element.name]
        elif all(name in environment.letters for name in letters_of(element)):
            result.append(evaluate(element, environment))
        else:
            result.append(None)
    return result


def _bind_partly(
    elements: tuple[Any, ...],
    sizes: list[int | None],
    letters: dict[str, int | None],
    stars: dict[str, list[int | None]],
) -> None:
    covered = len(sizes) - (len(elements) - 1)
    position = 0
    for element in elements:
        if isinstance(element, Star):
            stars.setdefault(element.name, sizes[position : position + covered])
            position += covered
            continue
        if isinstance(element, Letter) and letters.get(element.name) is None:
            letters[element.name] = sizes[position]
        assert isinstance(element, Letter | Number)
        position += 1
