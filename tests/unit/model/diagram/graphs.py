"""Small models made by hand, and their pictures."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from onnx import ModelProto, TensorProto, helper  # noqa: TID253 - models are what this is about

from opstudio.model.diagram.building import build_diagram
from opstudio.model.diagram.placing import place_diagram
from opstudio.model.diagram.records import Box, BoxKind, Diagram, PlacedDiagram
from opstudio.model.diagram.text_metrics import ESTIMATED
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import ModelRecord
from opstudio.model.graph.value_index import ModelIndex, index_model
from tests.unit.model.graph.samples import written


def a_value(name: str, *shape: int | str) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))


def a_weight(name: str, *shape: int) -> Any:
    count = 1
    for size in shape:
        count *= size
    return helper.make_tensor(name, TensorProto.FLOAT, shape, [0.5] * count)


def a_model(nodes: Sequence[Any], inputs: Sequence[Any], outputs: Sequence[Any], *weights: Any, **more: Any) -> Any:
    graph = helper.make_graph(list(nodes), "main", list(inputs), list(outputs), list(weights), **more)
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("lab", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=10)


def a_chain(names: Sequence[str], *, types: Sequence[str] = ("Relu",)) -> Any:
    """Return a model of nodes with these names, one behind the other; types are taken in turns."""
    nodes = [
        helper.make_node(types[index % len(types)], [f"v{index}"], [f"v{index + 1}"], name=name)
        for index, name in enumerate(names)
    ]
    return a_model(nodes, [a_value("v0", 1, 8)], [a_value(f"v{len(names)}", 1, 8)])


def opened(folder: Path, model: ModelProto) -> tuple[ModelRecord, ModelIndex]:
    """Return a model as it is read from a file."""
    record = read_model(written(folder, model))
    return record, index_model(record)


def drawn(folder: Path, model: ModelProto, collapsed: Collection[str] | None = ()) -> Diagram:
    """Return the picture of the main graph."""
    record, index = opened(folder, model)
    return build_diagram(record, index.main, collapsed)


def placed(folder: Path, model: ModelProto, collapsed: Collection[str] | None = ()) -> PlacedDiagram:
    return place_diagram(drawn(folder, model, collapsed), ESTIMATED)


def lines_of(diagram: Diagram) -> list[tuple[str, str, str]]:
    """Return from where each edge leads to where and what it carries, by the titles of boxes."""
    return [
        (diagram.boxes[source].title, diagram.boxes[target].title, value)
        for source, target, value in zip(
            diagram.edges.source.tolist(), diagram.edges.target.tolist(), diagram.values, strict=True
        )
    ]


def titles(diagram: Diagram, kind: BoxKind) -> list[str]:
    return [box.title for box in diagram.boxes if box.kind is kind]


def box_called(diagram: Diagram, title: str) -> Box:
    return next(box for box in diagram.boxes if box.title == title)
