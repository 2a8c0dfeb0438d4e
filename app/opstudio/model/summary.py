"""What a model file holds, as plain records: nodes, imports, inputs and outputs; no weights.

Nodes of nested subgraphs and of local functions are listed with those of the main graph.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Dimension = int | str
"""A size, or the name of a dimension that varies; an empty name where the file says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeSummary:
    """An attribute of a node: its kind in ONNX's words (FLOAT, INTS …) and its value as text.

    Inside of a function a value may be that of the function's own attribute: ``@name``.
    """

    name: str
    kind: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSummary:
    """A node. ``place`` tells in which function or subgraph it stands; empty for the main graph."""

    name: str
    domain: str
    type: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: tuple[AttributeSummary, ...]
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorSummary:
    """An input or output of the model. ``shape`` is ``None`` where the rank is unknown."""

    name: str
    type: int
    shape: tuple[Dimension, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSummary:
    """A model file.

    ``custom_nodes`` are the nodes outside of ONNX's own domains; the others are counted by ``domain:type``. The
    standard domain, which files call ``ai.onnx`` or nothing at all, has no name here. ``external_files`` hold weights
    beside the model, ``external_bytes`` of them. ``checker`` is what ONNX's own checker says, empty where it is
    content. ``first_nodes`` are the nodes that people look at, of any domain, in the order of the file.
    """

    ir_version: int
    imports: Mapping[str, int]
    inputs: tuple[TensorSummary, ...]
    outputs: tuple[TensorSummary, ...]
    custom_nodes: tuple[NodeSummary, ...]
    standard_types: Mapping[str, int]
    external_files: tuple[str, ...]
    checker: str
    external_bytes: int = 0
    first_nodes: tuple[NodeSummary, ...] = ()


_SHOWN_NODES = 20
_SHOWN_LETTERS = 120
"""Of the value of an attribute of a node that is only looked at."""
_OWN_DOMAINS = frozenset({"", "ai.onnx", "ai.onnx.ml", "ai.onnx.training", "ai.onnx.preview.training"})


def summarize_model(path: Path) -> ModelSummary:
    """Read a model file.

    Raises:
        Exception: what ONNX says of a file that it cannot read.
    """
    import onnx

    model = onnx.load(str(path), load_external_data=False)
    nodes = list(_all_nodes(model))
    standard = Counter(f"{_short(node.domain)}:{node.op_type}" for node, _ in nodes if node.domain in _OWN_DOMAINS)
    custom = [_node(node, place) for node, place in nodes if node.domain not in _OWN_DOMAINS]
    functions = {(function.domain, function.name) for function in model.functions}
    files = _external_files(model)
    return ModelSummary(
        ir_version=model.ir_version,
        imports={_short(item.domain): item.version for item in model.opset_import},
        inputs=tuple(map(_tensor, _true_inputs(model.graph))),
        outputs=tuple(map(_tensor, model.graph.output)),
        custom_nodes=tuple(node for node in custom if (node.domain, node.type) not in functions),
        standard_types=dict(standard),
        external_files=tuple(sorted(files)),
        external_bytes=sum(files.values()),
        checker=_check(path),
        first_nodes=tuple(_shortened(_node(node, place)) for node, place in nodes[:_SHOWN_NODES]),
    )


def _short(domain: str) -> str:
    return "" if domain == "ai.onnx" else domain


def _all_nodes(model: Any) -> Iterator[tuple[Any, str]]:
    yield from _graph_nodes(model.graph, "")
    for function in model.functions:
        for node in function.node:
            yield from _with_subgraphs(node, f"function {function.domain}:{function.name}")


def _graph_nodes(graph: Any, place: str) -> Iterator[tuple[Any, str]]:
    for node in graph.node:
        yield from _with_subgraphs(node, place)


def _with_subgraphs(node: Any, place: str) -> Iterator[tuple[Any, str]]:
    yield node, place
    for attribute in node.attribute:
        for graph in [attribute.g] if attribute.HasField("g") else list(attribute.graphs):
            yield from _graph_nodes(graph, f"{place}/{node.op_type} {node.name}".lstrip("/"))


def _node(node: Any, place: str) -> NodeSummary:
    import onnx

    return NodeSummary(
        name=node.name,
        domain=node.domain,
        type=node.op_type,
        inputs=tuple(node.input),
        outputs=tuple(node.output),
        attributes=tuple(
            AttributeSummary(
                name=attribute.name,
                kind=onnx.AttributeProto.AttributeType.Name(attribute.type),
                value=f"@{attribute.ref_attr_name}"
                if attribute.ref_attr_name
                else _attribute_text(onnx.helper.get_attribute_value(attribute)),
            )
            for attribute in node.attribute
        ),
        place=place,
    )


def _shortened(node: NodeSummary) -> NodeSummary:
    """Return a node with long values of attributes cut."""
    attributes = tuple(
        item
        if len(item.value) <= _SHOWN_LETTERS
        else dataclasses.replace(item, value=f"{item.value[:_SHOWN_LETTERS]}…")
        for item in node.attributes
    )
    return dataclasses.replace(node, attributes=attributes)


def _attribute_text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, int | float | str):
        return repr(value)
    try:
        items = list(value)
    except TypeError:
        return type(value).__name__
    return f"[{', '.join(_attribute_text(item) for item in items)}]"


def _true_inputs(graph: Any) -> list[Any]:
    """Leave out inputs that only name weights, as old files have them."""
    weights = {item.name for item in graph.initializer}
    return [item for item in graph.input if item.name not in weights]


def _tensor(value: Any) -> TensorSummary:
    tensor = value.type.tensor_type
    if not tensor.HasField("shape"):
        return TensorSummary(name=value.name, type=tensor.elem_type, shape=None)
    sizes = tuple(
        dimension.dim_value if dimension.HasField("dim_value") else dimension.dim_param
        for dimension in tensor.shape.dim
    )
    return TensorSummary(name=value.name, type=tensor.elem_type, shape=sizes)


def _external_files(model: Any) -> dict[str, int]:
    """Return the files that hold weights, and how many bytes of them each."""
    found: dict[str, int] = {}
    for item in _stored_tensors(model):
        if item.data_location == item.EXTERNAL:
            entries = {entry.key: entry.value for entry in item.external_data}
            name = entries.get("location", "")
            found[name] = found.get(name, 0) + int(entries.get("length", 0))
    return found


def _stored_tensors(model: Any) -> Iterator[Any]:
    """Yield the weights of all graphs, and the tensors that nodes hold as attributes."""
    yield from model.graph.initializer
    for node, _ in _all_nodes(model):
        for attribute in node.attribute:
            graphs = [attribute.g] if attribute.HasField("g") else list(attribute.graphs)
            for graph in graphs:
                yield from graph.initializer
            yield from [attribute.t] if attribute.HasField("t") else attribute.tensors


def _check(path: Path) -> str:
    """Return the checker's complaint. It reads the file itself, since it finds external data relative to it."""
    import onnx

    try:
        onnx.checker.check_model(str(path))
    except Exception as error:  # noqa: BLE001 - whatever the checker says is what is asked for
        return str(error).strip()
    return ""
