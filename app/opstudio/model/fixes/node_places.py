"""Where nodes stand in a file: the graph around each, and its field, so that other nodes can be put before it."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from opstudio.model.fixes.field_spans import FieldReader, FieldSpan, Range
from opstudio.model.graph.records import NodeRecord

_NODE, _ATTRIBUTE, _GRAPHS = 1, 5, (6, 11)
"""Numbers of fields of ``GraphProto``, ``NodeProto`` and ``AttributeProto``. Source: ``onnx.proto``."""


class NodePlace(NamedTuple):
    """A node: the content of the graph that it stands in, and its field there."""

    graph: Range
    span: FieldSpan


def find_nodes(reader: FieldReader, graph: Range, nodes: Iterable[NodeRecord]) -> Mapping[int, NodePlace]:
    """Return where nodes of a graph and of those nested in it stand, by their offsets.

    Nodes of functions are not among them.

    Raises:
        BrokenModelError: the bytes are no graph.
    """
    wanted = sorted({node.offset for node in nodes})
    found: dict[int, NodePlace] = {}
    pending = [graph] if wanted else []
    while pending:
        current = pending.pop()
        for span in reader.fields(current, _NODE):
            first = bisect.bisect_left(wanted, span.content)
            if first < len(wanted) and wanted[first] == span.content:
                found[span.content] = NodePlace(current, span)
                first += 1
            if first < len(wanted) and wanted[first] < span.end:
                pending.extend(_graphs_of(reader, span.inside))
    return found


def _graphs_of(reader: FieldReader, node: Range) -> list[Range]:
    return [
        span.inside
        for attribute in reader.fields(node, _ATTRIBUTE)
        for span in reader.spans(attribute.inside)
        if span.number in _GRAPHS and span.holds_message
    ]
