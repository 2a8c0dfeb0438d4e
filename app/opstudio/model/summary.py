"""Reads what a model file holds: nodes, imports, inputs and outputs; no weights.

Nodes of nested subgraphs and of local functions are listed with those of the main graph.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from opstudio.model.graph.attribute_values import read_attribute_value
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import AttributeKind, AttributeValue, GraphRecord, ModelRecord, NodeRecord
from opstudio.model.graph.tensor_records import ExternalBytes, SparseTensorRecord, TensorRecord
from opstudio.model.graph.value_types import TensorType, ValueRecord
from opstudio.model.summary_records import AttributeSummary, ModelSummary, NodeSummary, TensorSummary

_SHOWN_NODES = 20
_SHOWN_LETTERS = 120
"""Of the value of an attribute of a node that is only looked at."""
_OWN_DOMAINS = frozenset({"", "ai.onnx.ml", "ai.onnx.training", "ai.onnx.preview.training"})


def summarize_model(path: Path) -> ModelSummary:
    """Read a model file. ONNX's checker is asked as well.

    Raises:
        InputError: the file is no model, or damaged.
    """
    model = read_model(path)
    nodes = list(_all_nodes(model))
    functions = {(function.domain, function.name) for function in model.functions}
    custom = [
        (node, place)
        for node, place in nodes
        if node.domain not in _OWN_DOMAINS and (node.domain, node.type) not in functions
    ]
    files = _external_files(model, [node for node, _ in nodes])
    return ModelSummary(
        ir_version=model.ir_version,
        imports=model.opsets,
        inputs=tuple(map(_tensor, model.graph.true_inputs)),
        outputs=tuple(map(_tensor, model.graph.outputs)),
        custom_nodes=tuple(_node(model, node, place) for node, place in custom),
        standard_types=dict(Counter(f"{node.domain}:{node.type}" for node, _ in nodes if node.domain in _OWN_DOMAINS)),
        external_files=tuple(sorted(files)),
        external_bytes=sum(files.values()),
        checker=_check(path),
        first_nodes=tuple(_shortened(_node(model, node, place)) for node, place in nodes[:_SHOWN_NODES]),
    )


def _all_nodes(model: ModelRecord) -> Iterator[tuple[NodeRecord, str]]:
    yield from _with_nested(model.graph.nodes, "")
    for function in model.functions:
        yield from _with_nested(function.nodes, f"function {function.title}")


def _with_nested(nodes: Iterable[NodeRecord], place: str) -> Iterator[tuple[NodeRecord, str]]:
    for node in nodes:
        yield node, place
        for _, graph in node.subgraphs:
            yield from _with_nested(graph.nodes, f"{place}/{node.type} {node.name}".lstrip("/"))


def _node(model: ModelRecord, node: NodeRecord, place: str) -> NodeSummary:
    return NodeSummary(
        name=node.name,
        domain=node.domain,
        type=node.type,
        inputs=node.inputs,
        outputs=node.outputs,
        attributes=tuple(
            AttributeSummary(
                name=item.name,
                kind=_KINDS.get(item.kind, item.kind.name),
                value=f"@{item.reference}" if item.reference else _attribute_text(read_attribute_value(model, item)),
            )
            for item in node.attributes
        ),
        place=place,
    )


_KINDS = {AttributeKind.TYPE: "TYPE_PROTO", AttributeKind.TYPES: "TYPE_PROTOS"}
"""ONNX's words where the record has shorter ones."""


def _shortened(node: NodeSummary) -> NodeSummary:
    """Return a node with long values of attributes cut."""
    attributes = tuple(
        item
        if len(item.value) <= _SHOWN_LETTERS
        else dataclasses.replace(item, value=f"{item.value[:_SHOWN_LETTERS]}…")
        for item in node.attributes
    )
    return dataclasses.replace(node, attributes=attributes)


def _attribute_text(value: AttributeValue) -> str:
    match value:
        case bytes():
            return value.decode("utf-8", "replace")
        case str():
            return value
        case int() | float():
            return repr(value)
        case tuple():
            return f"[{', '.join(_attribute_text(item) for item in value)}]"
        case TensorRecord() | SparseTensorRecord():
            return "TensorProto" if isinstance(value, TensorRecord) else "SparseTensorProto"
        case GraphRecord():
            return "GraphProto"
        case _:
            return "TypeProto"


def _tensor(value: ValueRecord) -> TensorSummary:
    if not isinstance(value.type, TensorType):
        return TensorSummary(name=value.name, type=0, shape=None)
    shape = value.type.shape
    sizes = None if shape is None else tuple("" if size is None else size for size in shape)
    return TensorSummary(name=value.name, type=value.type.element_type, shape=sizes)


def _external_files(model: ModelRecord, nodes: Iterable[NodeRecord]) -> dict[str, int]:
    """Return the files that hold weights, and how many bytes of them each."""
    found: Counter[str] = Counter()
    for tensor in _stored_tensors(model, nodes):
        if isinstance(tensor.data, ExternalBytes):
            found[tensor.data.location] += tensor.data.length
    return dict(found)


def _stored_tensors(model: ModelRecord, nodes: Iterable[NodeRecord]) -> Iterator[TensorRecord]:
    """Yield the weights of all graphs, and the tensors that nodes hold as attributes."""
    yield from model.graph.initializers
    for node in nodes:
        for attribute in node.attributes:
            for value in attribute.value if isinstance(attribute.value, tuple) else (attribute.value,):
                if isinstance(value, TensorRecord):
                    yield value
                elif isinstance(value, GraphRecord):
                    yield from value.initializers


def _check(path: Path) -> str:
    """Return the checker's complaint. It reads the file itself, since it finds external data relative to it."""
    import onnx

    try:
        onnx.checker.check_model(str(path))
    except Exception as error:  # noqa: BLE001 - whatever the checker says is what is asked for
        return str(error).strip()
    return ""
