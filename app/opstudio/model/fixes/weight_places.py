"""Where a file names the weights beside it: the locations of tensors, in graphs, attributes and functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from opstudio.model.fixes.field_spans import FieldReader, Range
from opstudio.model.fixes.model_places import FUNCTION, GRAPH

_NODE, _INITIALIZER, _SPARSE_INITIALIZER = 1, 5, 15
_FUNCTION_NODE, _NODE_ATTRIBUTE = 7, 5
_TENSOR, _GRAPH_ATTRIBUTE, _TENSORS, _GRAPHS, _SPARSE, _SPARSES = 5, 6, 10, 11, 22, 23
_SPARSE_PARTS = (1, 2)
_NAME, _EXTERNAL = 8, 13
"""Numbers of fields of ``GraphProto``, ``FunctionProto``, ``NodeProto``, ``AttributeProto``, ``SparseTensorProto`` and
``TensorProto``. Source: ``onnx.proto``."""
_KEY, VALUE = 1, 2
"""Numbers of fields of ``StringStringEntryProto``."""


class LocationPlace(NamedTuple):
    """An entry that names a file of weights: its content, the location, and the tensor's name."""

    entry: Range
    location: str
    tensor: str


def find_locations(reader: FieldReader, whole: Range) -> Iterator[LocationPlace]:
    """Yield all entries of a model that name files of weights.

    Raises:
        BrokenModelError: the bytes are no model.
    """
    for span in reader.spans(whole):
        if span.number == GRAPH and span.holds_message:
            yield from _of_graph(reader, span.inside)
        elif span.number == FUNCTION and span.holds_message:
            for node in reader.fields(span.inside, _FUNCTION_NODE):
                yield from _of_node(reader, node.inside)


def _of_graph(reader: FieldReader, graph: Range) -> Iterator[LocationPlace]:
    for span in reader.spans(graph):
        if not span.holds_message:
            continue
        if span.number == _INITIALIZER:
            yield from _of_tensor(reader, span.inside)
        elif span.number == _SPARSE_INITIALIZER:
            yield from _of_sparse(reader, span.inside)
        elif span.number == _NODE:
            yield from _of_node(reader, span.inside)


def _of_node(reader: FieldReader, node: Range) -> Iterator[LocationPlace]:
    for attribute in reader.fields(node, _NODE_ATTRIBUTE):
        for span in reader.spans(attribute.inside):
            if not span.holds_message:
                continue
            if span.number in (_TENSOR, _TENSORS):
                yield from _of_tensor(reader, span.inside)
            elif span.number in (_SPARSE, _SPARSES):
                yield from _of_sparse(reader, span.inside)
            elif span.number in (_GRAPH_ATTRIBUTE, _GRAPHS):
                yield from _of_graph(reader, span.inside)


def _of_sparse(reader: FieldReader, sparse: Range) -> Iterator[LocationPlace]:
    for span in reader.spans(sparse):
        if span.number in _SPARSE_PARTS and span.holds_message:
            yield from _of_tensor(reader, span.inside)


def _of_tensor(reader: FieldReader, tensor: Range) -> Iterator[LocationPlace]:
    name, entries = "", []
    for span in reader.spans(tensor):
        if span.number == _NAME and span.holds_message:
            name = reader.text(span.inside)
        elif span.number == _EXTERNAL and span.holds_message:
            entries.append(span.inside)
    for entry in entries:
        texts = {span.number: reader.text(span.inside) for span in reader.spans(entry) if span.holds_message}
        if texts.get(_KEY) == "location":
            yield LocationPlace(entry, texts.get(VALUE, ""), name)
