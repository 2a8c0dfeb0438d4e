"""What of a model came with which version of the file format, so that a lower one is written where nothing needs more.

Source: ``onnx.proto`` (``Version``), whose comments name what each version added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from opstudio.model.fixes.field_spans import Range
from opstudio.model.fixes.model_places import open_fields
from opstudio.model.graph.element_types import element_type_name
from opstudio.model.graph.records import AttributeRecord, FunctionRecord, GraphRecord, ModelRecord, NodeRecord
from opstudio.model.graph.tensor_records import SparseTensorRecord, TensorRecord
from opstudio.model.graph.value_types import MapType, OptionalType, SequenceType, TensorType, ValueType

OLDEST = 3
"""The first version with imports of operator sets; older files are of another kind."""
NEWEST = 14
"""The last version whose parts are known here."""
_ELEMENT_TYPES = {
    16: 4,
    **dict.fromkeys((17, 18, 19, 20), 9),
    **dict.fromkeys((21, 22), 10),
    23: 11,
    24: 12,
    **dict.fromkeys((25, 26), 13),
    **dict.fromkeys((27, 28), 14),
}
_TYPE_ATTRIBUTES = ("to", "dtype", "output_dtype")
"""Attributes of standard operators that hold the number of an element type."""
_NODE_METADATA, _NODE_DEVICES, _MODEL_DEVICES = 9, 10, 26
"""Numbers of fields of ``NodeProto`` and ``ModelProto``."""
METADATA_VERSION = 10


class Feature(NamedTuple):
    """Something of a model, and the version of the file format that it came with."""

    version: int
    words: str


def features(model: ModelRecord) -> Iterator[Feature]:
    """Yield what asks for a version of the file format, unless the oldest has it.

    Raises:
        InputError: the file has changed since it was read.
    """
    yield Feature(OLDEST, "imports of operator sets")
    if model.training_graphs:
        yield Feature(7, "graphs for training")
    if model.functions:
        yield Feature(8, f"local functions such as {model.functions[0].name}")
    yield from _graph(model.graph)
    for function in model.functions:
        yield from _function(function)
    yield from _devices(model)


def has_metadata(model: ModelRecord) -> bool:
    """Whether graphs or nodes have metadata of their own, which older readers pass over.

    Raises:
        InputError: the file has changed since it was read.
    """
    if model.graph.metadata or any(function.metadata for function in model.functions):
        return True
    with open_fields(model) as reader:
        return any(
            span.number == _NODE_METADATA
            for node in model.graph.nodes
            for span in reader.spans(Range(node.offset, node.offset + node.length))
        )


def _devices(model: ModelRecord) -> Iterator[Feature]:
    with open_fields(model) as reader:
        if any(span.number == _MODEL_DEVICES for span in reader.spans(Range(0, model.identity.size))):
            yield Feature(11, "a configuration of devices")
            return
        for node in model.graph.nodes:
            spans = reader.spans(Range(node.offset, node.offset + node.length))
            if any(span.number == _NODE_DEVICES for span in spans):
                yield Feature(11, f"devices of the node {node.name or node.type}")
                return


def _graph(graph: GraphRecord) -> Iterator[Feature]:
    given = {value.name for value in graph.inputs}
    for tensor in graph.initializers:
        yield from _tensor(tensor)
        if tensor.name not in given:
            yield Feature(4, f"the initializer {tensor.name}, which is no input")
    if graph.sparse_initializers:
        yield Feature(6, f"the sparse initializer {graph.sparse_initializers[0].name}")
    if graph.quantization:
        yield Feature(5, "notes on quantisation")
    for value in (*graph.inputs, *graph.outputs, *graph.value_infos):
        yield from _type(value.type, value.name)
    yield from _nodes(graph.nodes)


def _function(function: FunctionRecord) -> Iterator[Feature]:
    if function.defaults:
        yield Feature(9, f"defaults of attributes of the function {function.name}")
    if function.overload:
        yield Feature(10, f"overloads of the function {function.name}")
    for value in function.value_infos:
        yield Feature(10, f"described values of the function {function.name}")
        yield from _type(value.type, value.name)
    yield from _nodes(function.nodes)


def _nodes(nodes: Iterable[NodeRecord]) -> Iterator[Feature]:
    for node in nodes:
        if node.overload:
            yield Feature(10, f"the overload of the node {node.name or node.type}")
        for attribute in node.attributes:
            yield from _attribute(node, attribute)
        for _, graph in node.subgraphs:
            yield from _graph(graph)


def _attribute(node: NodeRecord, attribute: AttributeRecord) -> Iterator[Feature]:
    value = attribute.value
    if attribute.name in _TYPE_ATTRIBUTES and isinstance(value, int) and not node.domain:
        yield from _element(value, f"the attribute {attribute.name} of {node.name or node.type}")
    for item in value if isinstance(value, tuple) else (value,):
        match item:
            case TensorRecord():
                yield from _tensor(item)
            case SparseTensorRecord():
                yield Feature(6, f"a sparse tensor of the node {node.name or node.type}")
            case TensorType() | SequenceType() | OptionalType() | MapType():
                yield from _type(item, node.name or node.type)


def _tensor(tensor: TensorRecord) -> Iterator[Feature]:
    yield from _element(tensor.element_type, f"the tensor {tensor.name}")


def _type(value: ValueType | None, name: str) -> Iterator[Feature]:
    match value:
        case TensorType(element_type=element, is_sparse=is_sparse):
            yield from _element(element, f"the value {name}")
            if is_sparse:
                yield Feature(8, f"the sparse value {name}")
        case SequenceType(element=inner) | MapType(value=inner):
            yield from _type(inner, name)
        case OptionalType(element=inner):
            yield Feature(8, f"the optional value {name}")
            yield from _type(inner, name)


def _element(number: int, what: str) -> Iterator[Feature]:
    if number in _ELEMENT_TYPES:
        yield Feature(_ELEMENT_TYPES[number], f"{what} of {element_type_name(number)}")
