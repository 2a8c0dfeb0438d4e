"""Boxes and edges of pictures, against what onnx says of the same files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx  # noqa: TID253 - the independent source
import pytest
from onnx import helper  # noqa: TID253

from opstudio.base.errors import CancelledError
from opstudio.jobs.cancel import CancelToken
from opstudio.model.diagram.building import build_diagram
from opstudio.model.diagram.records import BoxKind
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.value_index import index_model
from tests.unit.model.diagram.graphs import a_chain, a_model, a_value, a_weight, drawn, lines_of, opened, titles
from tests.unit.model.graph.samples import a_branch, real_models, rich_model

Line = tuple[str, int, str, int, str]


def given_by_onnx(graph: Any) -> set[str]:
    """Return the names of constants: initializers and what nodes make of nothing else."""
    names = {tensor.name for tensor in graph.initializer}
    names |= {tensor.values.name for tensor in graph.sparse_initializer}
    for node in graph.node:
        is_identity = node.op_type == "Identity" and node.domain in ("", "ai.onnx") and node.input[0] in names
        is_constant = node.op_type == "Constant" and node.domain in ("", "ai.onnx") and not node.input
        if (is_identity or is_constant) and node.output[0] not in {value.name for value in graph.output}:
            names.add(node.output[0])
    return names


def lines_by_onnx(graph: Any) -> Iterator[Line]:
    """Yield the edges of a main graph as a walk over onnx's own messages finds them, nested reads left out."""
    constants = given_by_onnx(graph)
    makers = {value.name: ("input", index) for index, value in enumerate(graph.input) if value.name not in constants}
    for number, node in enumerate(graph.node):
        for slot, name in enumerate(node.output):
            if name and name not in constants:
                makers.setdefault(name, (f"node {number}", slot))
    for number, node in enumerate(graph.node):
        for slot, name in enumerate(node.input):
            if name in makers:
                source, port = makers[name]
                yield source, 0 if source == "input" else port, f"node {number}", slot, name
    for value in graph.output:
        if value.name in makers:
            source, port = makers[value.name]
            yield source, 0 if source == "input" else port, "output", 0, value.name


def has_nested_graphs(graph: Any) -> bool:
    return any(item.HasField("g") or item.graphs for node in graph.node for item in node.attribute)


def test_that_edges_of_real_models_are_those_that_onnx_finds() -> None:
    checked = 0
    for path in real_models():
        proto = onnx.load(path, load_external_data=False)
        names = [name for node in proto.graph.node for name in node.output if name]
        if has_nested_graphs(proto.graph) or len(set(names)) < len(names):
            continue
        model = read_model(path)
        diagram = build_diagram(model, index_model(model).main, ())
        edges = diagram.edges
        found: Counter[Line] = Counter()
        called = {number: f"node {box.nodes[0]}" if box.nodes else box.kind for number, box in enumerate(diagram.boxes)}
        for source, port, target, slot, value in zip(
            edges.source.tolist(),
            edges.source_port.tolist(),
            edges.target.tolist(),
            edges.target_port.tolist(),
            diagram.values,
            strict=True,
        ):
            found[called[source], port, called[target], slot, value] += 1
        assert found == Counter(lines_by_onnx(proto.graph)), path.name
        checked += 1
    if not checked:
        pytest.skip("no collection of real models")


def test_that_inputs_and_outputs_are_boxes_and_weights_are_not(tmp_path: Path) -> None:
    node = helper.make_node("Add", ["x", "w"], ["y"])
    model = a_model([node], [a_value("x", 2), a_value("w", 2)], [a_value("y", 2)], a_weight("w", 2))

    diagram = drawn(tmp_path, model)

    assert [(box.kind, box.title, box.value) for box in diagram.boxes] == [
        (BoxKind.INPUT, "x", "x"),
        (BoxKind.NODE, "Add", ""),
        (BoxKind.OUTPUT, "y", "y"),
    ]
    assert [box.detail for box in diagram.boxes if box.value] == ["2 float32", "2 float32"]


def test_that_a_constant_belongs_to_the_first_node_that_reads_it(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Constant", [], ["c"], value_float=1.0),
        helper.make_node("Identity", ["w"], ["same"]),
        helper.make_node("Identity", ["same"], ["again"]),
        helper.make_node("Add", ["x", "c"], ["a"]),
        helper.make_node("Mul", ["c", "again"], ["m"]),
        helper.make_node("Sub", ["a", "m"], ["y"]),
    ]
    diagram = drawn(tmp_path, a_model(nodes, [a_value("x", 2)], [a_value("y", 2)], a_weight("w", 2)))

    assert titles(diagram, BoxKind.NODE) == ["Add", "Mul", "Sub"]
    assert [diagram.boxes[box].title for box in diagram.box_of_node] == ["Add", "Mul", "Mul", "Add", "Mul", "Sub"]


def test_that_a_constant_that_is_an_output_or_that_nobody_reads_is_a_box(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Constant", [], ["y"], value_float=1.0),
        helper.make_node("Constant", [], ["unread"], value_float=2.0),
    ]
    diagram = drawn(tmp_path, a_model(nodes, [], [a_value("y")]))

    assert titles(diagram, BoxKind.NODE) == ["Constant", "Constant"]
    assert lines_of(diagram) == [("Constant", "y", "y")]


def test_that_a_node_reads_what_graphs_nested_in_it_read(tmp_path: Path) -> None:
    diagram = drawn(tmp_path, rich_model())

    # The inner If of the first branch reads flag, x and shifted; the second branch reads x.
    assert [line for line in lines_of(diagram) if line[1] == "If"] == [
        ("flag", "If", "flag"),
        ("x", "If", "x"),
        ("Add", "If", "shifted"),
    ]
    branch = next(number for number, box in enumerate(diagram.boxes) if box.title == "If")
    ports = diagram.edges.target_port[diagram.edges.target == branch].tolist()
    assert ports == [0, 1, 2]


def test_that_values_around_a_nested_graph_are_boxes_of_it(tmp_path: Path) -> None:
    record, index = opened(tmp_path, rich_model())
    pictures = {scope.path[1:]: build_diagram(record, scope) for scope in index.main.walk()}

    then = pictures[("then_branch",)]
    assert titles(then, BoxKind.OUTER) == ["flag", "shifted", "x"]
    assert lines_of(then)[:1] == [("flag", "If", "flag")]
    deep = pictures[("then_branch", "If inner", "else_branch")]
    assert lines_of(deep) == [("shifted", "Abs", "shifted"), ("Abs", "m", "m")]


def test_that_a_constant_around_a_nested_graph_is_no_box(tmp_path: Path) -> None:
    branches = {
        name: a_branch(name, helper.make_node("Add", ["w", "x"], [f"{name}_y"]), output=f"{name}_y")
        for name in ("then_branch", "else_branch")
    }
    node = helper.make_node("If", ["flag"], ["y"], **branches)
    model = a_model([node], [a_value("flag"), a_value("x", 2)], [a_value("y", 2)], a_weight("w", 2))
    record, index = opened(tmp_path, model)

    nested = build_diagram(record, index.main.children[0])

    assert titles(nested, BoxKind.OUTER) == ["x"]


def test_that_a_function_has_its_inputs_and_outputs(tmp_path: Path) -> None:
    record, index = opened(tmp_path, rich_model())

    diagram = build_diagram(record, index.functions["local", "Gate", "f32"])

    assert lines_of(diagram) == [("a", "Everything", "a"), ("Everything", "b", "b")]
    assert diagram.scope == ("function local:Gate (f32)",)


def test_that_a_closed_group_is_one_box_of_all_its_nodes(tmp_path: Path) -> None:
    model = a_chain(["/stem/Relu", "/block/a/Relu", "/block/a/Relu_1", "/block/Relu", "/head/Relu"])

    diagram = drawn(tmp_path, model, ["block"])

    assert [(box.title, box.nodes) for box in diagram.boxes if box.nodes] == [
        ("Relu", (0,)),
        ("block", (1, 2, 3)),
        ("Relu", (4,)),
    ]
    group = diagram.boxes[2]
    assert (group.kind, group.group, group.detail) == (BoxKind.GROUP, "block", "3 nodes")
    assert diagram.values == ("v0", "v1", "v4", "v5")
    assert diagram.box_of_node.tolist() == [1, 2, 2, 2, 3]


def test_that_a_node_tells_the_group_that_can_be_closed_around_it(tmp_path: Path) -> None:
    diagram = drawn(tmp_path, a_chain(["/block/a/Relu", "/block/a/Relu_1", "/block/b/Relu", "/Relu"]))

    # A group of one node is none: closing it would only hide what the node is.
    assert [box.around for box in diagram.boxes if box.nodes] == ["block/a", "block/a", "block", ""]
    assert [box.name for box in diagram.boxes if box.nodes] == ["block/a", "block/a", "block/b", "/Relu"]


def test_that_edges_between_groups_are_one_and_carry_the_first_value(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Split", ["x"], ["a", "b"], name="/one/Split"),
        helper.make_node("Relu", ["a"], ["c"], name="/one/Relu"),
        helper.make_node("Add", ["b", "c"], ["d"], name="/two/Add"),
        helper.make_node("Add", ["d", "c"], ["y"], name="/two/Add_1"),
    ]
    model = a_model(nodes, [a_value("x", 2)], [a_value("y", 1)])

    assert lines_of(drawn(tmp_path, model, ["one", "two"])) == [
        ("x", "one", "x"),
        ("one", "two", "b"),
        ("two", "y", "y"),
    ]


def test_that_nodes_in_any_order_and_inputs_left_out_are_drawn(tmp_path: Path) -> None:
    nodes = [helper.make_node("Relu", ["m"], ["y"]), helper.make_node("Clip", ["x", "", "top"], ["m"])]
    model = a_model(nodes, [a_value("x", 2), a_value("top")], [a_value("y", 2)])

    diagram = drawn(tmp_path, model)

    assert lines_of(diagram) == [("Clip", "Relu", "m"), ("x", "Clip", "x"), ("top", "Clip", "top"), ("Relu", "y", "y")]
    assert diagram.edges.target_port.tolist() == [0, 0, 2, 0]


def test_that_an_empty_graph_has_an_empty_picture(tmp_path: Path) -> None:
    diagram = drawn(tmp_path, a_model([], [], []), None)

    assert (diagram.boxes, diagram.values, diagram.edges.count) == ((), (), 0)
    assert np.array_equal(diagram.box_of_node, [])


def test_that_work_nobody_waits_for_ends(tmp_path: Path) -> None:
    record, index = opened(tmp_path, a_chain(["a", "b"]))
    cancel = CancelToken()
    cancel.cancel()

    with pytest.raises(CancelledError):
        build_diagram(record, index.main, checkpoint=cancel.check)
