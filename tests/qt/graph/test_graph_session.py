"""The open model: what is known of it, step by step, and what ends with the window."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import onnx  # noqa: TID253 - the second opinion
import pytest
from onnx import TensorProto, helper  # noqa: TID253
from pytestqt.qtbot import QtBot

from opstudio.model.diagram.records import NodeState
from opstudio.qt.graph.graph_session import GraphSession, GraphState
from opstudio.workflows.bundled import bundled_workspace
from opstudio.workflows.workspace_contracts import contracts_at
from tests.qt.graph.pictures import PATIENCE_MS, wait_for_picture
from tests.support.operator_libraries import WrittenOperator, build_library
from tests.unit.model.graph.samples import rich_model, sample, written


@pytest.fixture
def session() -> Iterator[GraphSession]:
    session = GraphSession(lambda: sys.executable)
    yield session
    session.close()
    session.deleteLater()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_library(tmp_path_factory.mktemp("library") / "twice.so", [WrittenOperator(domain="lab", type="Twice")])


def twice_model(folder: Path, name: str = "twice.onnx") -> Path:
    node = helper.make_node("Twice", ["x"], ["y"], name="only", domain="lab")
    ends = [helper.make_tensor_value_info(value, TensorProto.FLOAT, [1]) for value in ("x", "y")]
    graph = helper.make_graph([node], "twice", ends[:1], ends[1:])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("lab", 1)]
    return written(folder, helper.make_model(graph, opset_imports=opsets, ir_version=9), name)


def test_that_a_model_is_read_drawn_and_resolved(session: GraphSession, qtbot: QtBot) -> None:
    path = sample("open/int4_qdq.onnx")
    states: list[GraphState] = []
    session.state_changed.connect(lambda: states.append(session.state))
    session.open(path)
    assert session.state is GraphState.READING
    wait_for_picture(session, qtbot, resolved=True)
    assert states == [GraphState.READING, GraphState.READY]
    assert session.placed is not None
    nodes = onnx.load(path).graph.node
    assert len(session.marks()) == len(nodes)
    assert [session.node(number).type for number in range(len(nodes))] == [node.op_type for node in nodes]  # type: ignore[union-attr]


def test_that_a_file_that_is_no_model_says_so(session: GraphSession, qtbot: QtBot) -> None:
    session.open(sample("open/corrupt_30_bytes.onnx"))
    qtbot.waitUntil(lambda: session.state is GraphState.FAILING, timeout=PATIENCE_MS)
    assert [finding.id for finding in session.findings] == ["MOD001"]
    session.open(sample("open/int4_qdq.onnx"))
    wait_for_picture(session, qtbot)
    assert session.findings == () or all(finding.id != "MOD001" for finding in session.findings)


def test_that_nested_graphs_and_functions_are_entered_and_left(
    session: GraphSession, tmp_path: Path, qtbot: QtBot
) -> None:
    session.open(written(tmp_path, rich_model()))
    wait_for_picture(session, qtbot)
    number = next(at for at, node in enumerate(rich_model().graph.node) if node.op_type == "If")
    scopes = session.scopes_of(number)
    assert {path[-1] for path in scopes} == {"then_branch", "else_branch"}
    session.enter(scopes[0])
    assert session.scope == scopes[0]
    wait_for_picture(session, qtbot)
    assert session.placed is not None
    assert session.placed.diagram.scope == scopes[0]
    session.leave()
    assert (session.scope, session.selected_node) == ((), number)
    assert session.index is not None
    (function,) = session.index.functions.values()
    session.enter(function.path)
    current = session.current
    assert current is not None
    assert [node.type for node in current.content.nodes] == [node.op_type for node in rich_model().functions[0].node]
    session.leave()
    assert session.scope == ()
    session.leave()
    assert session.scope == ()


def test_that_a_library_resolves_the_nodes_it_brings(
    session: GraphSession, library: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    session.open(twice_model(tmp_path))
    wait_for_picture(session, qtbot, resolved=True)
    assert session.marks()[0].state is NodeState.UNRESOLVED
    session.add_libraries([library, library])
    assert session.libraries == (library,)
    wait_for_picture(session, qtbot, resolved=True)
    assert (session.marks()[0].state, session.marks()[0].party) == (NodeState.RESOLVED, "twice.so")
    session.remove_library(library)
    wait_for_picture(session, qtbot, resolved=True)
    assert session.marks()[0].state is NodeState.UNRESOLVED


def test_that_code_of_a_library_runs_only_once_that_is_allowed(library: Path, tmp_path: Path, qtbot: QtBot) -> None:
    session = GraphSession(lambda: sys.executable, lambda: False)
    asked: list[tuple[Path, ...]] = []
    session.trust_needed.connect(asked.append)
    session.open(twice_model(tmp_path))
    session.add_libraries([library])
    assert asked == [(library,)]
    assert session.libraries == ()
    session.trust_libraries(asked[0])
    wait_for_picture(session, qtbot, resolved=True)
    assert session.marks()[0].state is NodeState.RESOLVED
    session.close()
    session.deleteLater()


def test_that_a_file_that_changed_is_read_again_and_the_same_graph_looked_at(
    session: GraphSession, tmp_path: Path, qtbot: QtBot
) -> None:
    path = written(tmp_path, rich_model())
    session.open(path)
    wait_for_picture(session, qtbot)
    number = next(at for at, node in enumerate(rich_model().graph.node) if node.op_type == "If")
    session.enter(session.scopes_of(number)[0])
    inner = session.scope
    session.look_again()
    assert session.state is GraphState.READY, "nothing changed"
    changed = rich_model()
    changed.producer_name = "somebody else"
    written(tmp_path, changed)
    os.utime(path, ns=(1, 1))
    session.look_again()
    assert session.state is GraphState.READING
    wait_for_picture(session, qtbot)
    assert session.model is not None
    assert session.model.producer == "somebody else"
    assert session.scope == inner


def test_that_a_damaged_file_is_read_again_only_once_it_changed(
    session: GraphSession, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "model.onnx"
    path.write_text("no model")
    session.open(path)
    qtbot.waitUntil(lambda: session.state is GraphState.FAILING, timeout=PATIENCE_MS)
    session.look_again()
    assert session.state is GraphState.FAILING
    written(tmp_path, rich_model())
    session.look_again()
    wait_for_picture(session, qtbot)


def test_that_the_model_opened_last_counts(session: GraphSession, tmp_path: Path, qtbot: QtBot) -> None:
    for number in range(6):
        session.open(twice_model(tmp_path, f"{number}.onnx"))
    session.open(written(tmp_path, rich_model()))
    wait_for_picture(session, qtbot, resolved=True)
    assert session.model is not None
    assert session.model.path.name == "model.onnx"
    assert session.placed is not None
    assert "If" in {box.title for box in session.placed.diagram.boxes}
    assert session.report is not None
    assert session.report.model is session.model


def test_that_closing_while_everything_runs_leaves_nothing(tmp_path: Path) -> None:
    session = GraphSession(lambda: sys.executable)
    session.open(twice_model(tmp_path))
    session.close()
    session.deleteLater()


def test_that_an_interpreter_that_is_missing_is_a_finding(tmp_path: Path, qtbot: QtBot) -> None:
    assert shutil.which("no-such-python") is None
    session = GraphSession(lambda: "no-such-python")
    session.open(twice_model(tmp_path))
    wait_for_picture(session, qtbot, resolved=True)
    assert session.report is None
    assert session.findings[0].id == "STU003"
    assert session.marks() == {}
    session.close()
    session.deleteLater()


def test_that_a_function_is_left_to_the_node_that_it_was_entered_at(
    session: GraphSession, tmp_path: Path, qtbot: QtBot
) -> None:
    body = [helper.make_node("Relu", ["a"], ["b"])]
    twice = helper.make_function("lab", "Block", ["a"], ["b"], body, [helper.make_opsetid("", 17)])
    nodes = [helper.make_node("Block", [f"v{number}"], [f"v{number + 1}"], domain="lab") for number in range(3)]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("v0", "v3")]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("lab", 1)]
    graph = helper.make_graph(nodes, "calls", ends[:1], ends[1:])
    session.open(written(tmp_path, helper.make_model(graph, functions=[twice], opset_imports=opsets, ir_version=9)))
    wait_for_picture(session, qtbot)
    session.select_node(1)
    (inside,) = session.scopes_of(1)
    session.enter(inside)
    assert session.selected_node is None
    session.leave()
    assert (session.scope, session.selected_node) == ((), 1)


def test_that_a_file_that_changes_is_read_again_once_it_is_written(
    session: GraphSession, tmp_path: Path, qtbot: QtBot
) -> None:
    path = twice_model(tmp_path)
    session.open(path)
    wait_for_picture(session, qtbot)
    session.watch()
    first = session.model
    shutil.copy(written(tmp_path, rich_model(), "other.onnx"), path)
    session.watch()
    # It may still be written: only a file that stays as it is is read.
    assert session.model is first
    session.watch()
    wait_for_picture(session, qtbot)
    assert session.model is not first
    second = session.model
    for _ in range(3):
        session.watch()
    assert session.model is second
    path.unlink()
    session.watch()
    session.watch()
    assert session.model is second


def test_that_a_contract_of_the_workspace_explains_a_node_that_nobody_provides(tmp_path: Path, qtbot: QtBot) -> None:
    contracts = contracts_at(bundled_workspace().root)
    (known,) = [item for item in contracts if item.name == "relu6_scale"]
    domain, kind = known.key
    node = helper.make_node(kind, ["x"], ["y"], domain=domain, scale=2.0)
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "y")]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(domain, 1)]
    model = helper.make_model(helper.make_graph([node], "g", ends[:1], ends[1:]), opset_imports=opsets, ir_version=9)
    session = GraphSession(lambda: sys.executable, contracts=lambda: contracts)
    session.open(written(tmp_path, model))
    wait_for_picture(session, qtbot, resolved=True)
    (finding,) = session.findings
    session.close()
    session.deleteLater()
    assert "contract of relu6_scale" in finding.cause
    assert "opstudio build --release relu6_scale" in finding.fix


def test_that_a_file_that_is_no_library_leaves_what_is_known_without_it(
    session: GraphSession, tmp_path: Path, qtbot: QtBot
) -> None:
    other = tmp_path / "text.so"
    other.write_text("no library")
    session.open(twice_model(tmp_path))
    session.add_libraries([other, tmp_path / "gone.so"])
    wait_for_picture(session, qtbot, resolved=True)
    assert session.report is not None
    assert [mark.state for mark in session.marks().values()] == [NodeState.UNRESOLVED]
    titles = [finding.title for finding in session.findings]
    assert titles[0] == "text.so is no shared library"
    assert "gone.so" in titles[1]
    assert "lab:Twice" in titles[2]
