"""Records of a model made with onnx's own messages, to compare with what the reader makes of the same file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import onnx  # noqa: TID253 - the independent source

from opstudio.model.graph import records, tensor_records, value_types
from opstudio.model.graph.attribute_values import read_attribute_value

Plain = Any
"""Nested tuples and dictionaries: what both sides are turned into."""


def plain_model(model: Any) -> Plain:
    return {
        "ir": model.ir_version,
        "producer": (model.producer_name, model.producer_version, model.domain, model.model_version, model.doc_string),
        "opsets": _opsets(model.opset_import),
        "metadata": {entry.key: entry.value for entry in model.metadata_props},
        "graph": plain_graph(model.graph),
        "functions": [_function(function) for function in model.functions],
    }


def plain_record(model: records.ModelRecord) -> Plain:
    return {
        "ir": model.ir_version,
        "producer": (model.producer, model.producer_version, model.domain, model.model_version, model.doc_string),
        "opsets": dict(model.opsets),
        "metadata": dict(model.metadata),
        "graph": plain_graph_record(model.graph, model),
        "functions": [_function_record(function, model) for function in model.functions],
    }


def plain_graph(graph: Any) -> Plain:
    return {
        "name": graph.name,
        "doc": graph.doc_string,
        "nodes": [_node(node) for node in graph.node],
        "values": [[_value(value) for value in group] for group in (graph.input, graph.output, graph.value_info)],
        "initializers": [_tensor(tensor) for tensor in graph.initializer],
        "sparse": [_sparse(tensor) for tensor in graph.sparse_initializer],
        "quantization": {
            item.tensor_name: {entry.key: entry.value for entry in item.quant_parameter_tensor_names}
            for item in graph.quantization_annotation
        },
        "metadata": {entry.key: entry.value for entry in graph.metadata_props},
    }


def plain_graph_record(graph: records.GraphRecord, model: records.ModelRecord) -> Plain:
    groups = (graph.inputs, graph.outputs, graph.value_infos)
    return {
        "name": graph.name,
        "doc": graph.doc_string,
        "nodes": [_node_record(node, model) for node in graph.nodes],
        "values": [[(value.name, _type_record(value.type)) for value in group] for group in groups],
        "initializers": [_tensor_record(tensor) for tensor in graph.initializers],
        "sparse": [_sparse_record(tensor) for tensor in graph.sparse_initializers],
        "quantization": {name: dict(entries) for name, entries in graph.quantization.items()},
        "metadata": dict(graph.metadata),
    }


def _opsets(imports: Any) -> dict[str, int]:
    return {_domain(item.domain): item.version for item in imports}


def _domain(domain: str) -> str:
    return "" if domain == "ai.onnx" else domain


def _function(function: Any) -> Plain:
    return (
        (_domain(function.domain), function.name, function.overload, function.doc_string),
        (tuple(function.input), tuple(function.output), tuple(function.attribute)),
        [_attribute(attribute) for attribute in function.attribute_proto],
        [_node(node) for node in function.node],
        [_value(value) for value in function.value_info],
        _opsets(function.opset_import),
    )


def _function_record(function: records.FunctionRecord, model: records.ModelRecord) -> Plain:
    return (
        (function.domain, function.name, function.overload, function.doc_string),
        (function.inputs, function.outputs, function.attributes),
        [_attribute_record(attribute, model) for attribute in function.defaults],
        [_node_record(node, model) for node in function.nodes],
        [(value.name, _type_record(value.type)) for value in function.value_infos],
        dict(function.opsets),
    )


def _node(node: Any) -> Plain:
    names = (node.name, _domain(node.domain), node.op_type, node.overload)
    return names, tuple(node.input), tuple(node.output), [_attribute(attribute) for attribute in node.attribute]


def _node_record(node: records.NodeRecord, model: records.ModelRecord) -> Plain:
    names = (node.name, node.domain, node.type, node.overload)
    return names, node.inputs, node.outputs, [_attribute_record(attribute, model) for attribute in node.attributes]


def _attribute(attribute: Any) -> Plain:
    value = None
    if not attribute.ref_attr_name:
        value = onnx.helper.get_attribute_value(attribute)
        value = tuple(map(_item, value)) if isinstance(value, Sequence) and not _is_text(value) else _item(value)
    return attribute.name, int(attribute.type), attribute.ref_attr_name, value


def _attribute_record(attribute: records.AttributeRecord, model: records.ModelRecord) -> Plain:
    value = read_attribute_value(model, attribute)
    plain = (
        tuple(_item_record(item, model) for item in value) if isinstance(value, tuple) else _item_record(value, model)
    )
    return attribute.name, int(attribute.kind), attribute.reference, plain


def _is_text(value: Any) -> bool:
    return isinstance(value, str | bytes)


def _item(item: Any) -> Plain:
    match item:
        case onnx.TensorProto():
            return _tensor(item)
        case onnx.GraphProto():
            return plain_graph(item)
        case onnx.SparseTensorProto():
            return _sparse(item)
        case onnx.TypeProto():
            return _type(item)
        case bytes():
            return _text_or_bytes(item)
    return item


def _item_record(item: Any, model: records.ModelRecord) -> Plain:
    match item:
        case tensor_records.TensorRecord():
            return _tensor_record(item)
        case records.GraphRecord():
            return plain_graph_record(item, model)
        case tensor_records.SparseTensorRecord():
            return _sparse_record(item)
        case value_types.TensorType() | value_types.SequenceType() | value_types.OptionalType() | value_types.MapType():
            return _type_record(item)
    return item


def _text_or_bytes(value: bytes) -> str | bytes:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _tensor(tensor: Any) -> Plain:
    raw = len(tensor.raw_data) if tensor.HasField("raw_data") and tensor.data_location != tensor.EXTERNAL else None
    external = {entry.key: entry.value for entry in tensor.external_data}.get("location")
    return tensor.name, tensor.data_type, tuple(tensor.dims), raw, external


def _tensor_record(tensor: tensor_records.TensorRecord) -> Plain:
    raw = tensor.data.length if isinstance(tensor.data, tensor_records.RawBytes) else None
    external = tensor.data.location if isinstance(tensor.data, tensor_records.ExternalBytes) else None
    return tensor.name, tensor.element_type, tensor.shape, raw, external


def _sparse(tensor: Any) -> Plain:
    return _tensor(tensor.values), _tensor(tensor.indices), tuple(tensor.dims)


def _sparse_record(tensor: tensor_records.SparseTensorRecord) -> Plain:
    assert tensor.indices is not None
    return _tensor_record(tensor.values), _tensor_record(tensor.indices), tensor.shape


def _value(value: Any) -> Plain:
    return value.name, _type(value.type) if value.HasField("type") else None


def _type(type_proto: Any) -> Plain:
    match type_proto.WhichOneof("value"):
        case "tensor_type" | "sparse_tensor_type" as field:
            tensor = getattr(type_proto, field)
            sizes = tuple(map(_dimension, tensor.shape.dim)) if tensor.HasField("shape") else None
            return field, tensor.elem_type, sizes
        case "sequence_type" | "optional_type" as field:
            return field, _type(getattr(type_proto, field).elem_type)
        case "map_type":
            return "map_type", type_proto.map_type.key_type, _type(type_proto.map_type.value_type)
    return None


def _dimension(dimension: Any) -> int | str | None:
    if dimension.HasField("dim_value"):
        return int(dimension.dim_value)
    return str(dimension.dim_param) or None


def _type_record(kind: value_types.ValueType | None) -> Plain:
    match kind:
        case value_types.TensorType():
            return "sparse_tensor_type" if kind.is_sparse else "tensor_type", kind.element_type, kind.shape
        case value_types.SequenceType():
            return "sequence_type", _type_record(kind.element)
        case value_types.OptionalType():
            return "optional_type", _type_record(kind.element)
        case value_types.MapType():
            return "map_type", kind.key_type, _type_record(kind.value)
    return None
