"""The panel Nodes: every node of the model in one table, in step with the picture."""

from __future__ import annotations

from pathlib import Path

import onnx  # noqa: TID253 - models are what this is about
from onnx import TensorProto, helper  # noqa: TID253 - the same
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.node_table import NodeColumn
from opstudio.qt.panel import PanelState
from opstudio.qt.panels.node_list import NodeListPanel
from tests.qt.graph_panels.opened import open_model
from tests.qt.window_access import panel_of
from tests.unit.model.graph.samples import rich_model, sample, written

MANY = 50_000


def cells(panel: NodeListPanel, column: NodeColumn) -> list[str]:
    """Return the texts of a column as they are shown."""
    return [panel.model.text(row, column) for row in range(panel.model.rowCount())]


def chain(count: int) -> onnx.ModelProto:
    """Return a model of nodes in a row, every tenth of a domain that nobody provides."""
    nodes = [
        helper.make_node(
            "Strange" if number % 10 == 9 else "Neg",
            [f"v{number}"],
            [f"v{number + 1}"],
            name=f"n{number:05}",
            domain="lab" if number % 10 == 9 else "",
        )
        for number in range(count)
    ]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("v0", f"v{count}")]
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("lab", 1)]
    return helper.make_model(
        helper.make_graph(nodes, "g", values[:1], values[1:]), opset_imports=imports, ir_version=10
    )


def test_that_all_nodes_are_listed_also_nested_ones_and_those_of_functions(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    open_model(window, written(tmp_path, rich_model()), qtbot)
    panel = panel_of(window, NodeListPanel)
    listed = list(zip(cells(panel, NodeColumn.SCOPE), cells(panel, NodeColumn.TYPE), strict=True))
    assert listed == [
        ("", "Add"),
        ("", "If"),
        ("", "Everything"),
        ("", "Gate"),
        ("If outer / else_branch", "Identity"),
        ("If outer / then_branch", "If"),
        ("If outer / then_branch / If inner / else_branch", "Abs"),
        ("If outer / then_branch / If inner / then_branch", "Neg"),
        ("function local:Gate (f32)", "Everything"),
    ]
    assert cells(panel, NodeColumn.DOMAIN)[2:4] == ["lab", "local"]
    assert cells(panel, NodeColumn.NAME)[0] == "Add #0"
    assert cells(panel, NodeColumn.INPUTS)[0] == "float32[batch, 3, ?], float32[3]"


def test_that_the_table_tells_who_implements_nodes_and_which_step_fails(window: MainWindow, qtbot: QtBot) -> None:
    path = sample("synth/custom_inside_if.onnx")
    open_model(window, path, qtbot)
    panel = panel_of(window, NodeListPanel)
    by_type = dict(zip(cells(panel, NodeColumn.TYPE), cells(panel, NodeColumn.PARTY), strict=True))
    assert by_type["If"] == "CPU"
    custom = [name for name, party in by_type.items() if party == "domain"]
    assert len(custom) == 1
    panel.only_unresolved.click()
    assert cells(panel, NodeColumn.TYPE) == custom
    index = panel.model.index(0, NodeColumn.PARTY)
    assert index.data() == "nobody: domain"
    assert panel.panel_state is PanelState.FAILING


def test_that_rows_are_sorted_by_any_column_and_back_to_the_order_of_the_file(window: MainWindow, qtbot: QtBot) -> None:
    path = sample("open/int4_qdq.onnx")
    open_model(window, path, qtbot)
    panel, names = panel_of(window, NodeListPanel), [node.name for node in onnx.load(path).graph.node]
    panel.view.sortByColumn(NodeColumn.NAME, Qt.SortOrder.AscendingOrder)
    assert cells(panel, NodeColumn.NAME) == sorted(names, key=str.casefold)
    panel.view.sortByColumn(NodeColumn.NAME, Qt.SortOrder.DescendingOrder)
    assert cells(panel, NodeColumn.NAME) == sorted(names, key=str.casefold, reverse=True)
    panel.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert cells(panel, NodeColumn.NAME) == names


def test_that_the_filter_takes_what_the_search_of_the_picture_takes(window: MainWindow, qtbot: QtBot) -> None:
    path = sample("open/int4_qdq.onnx")
    open_model(window, path, qtbot)
    panel, nodes = panel_of(window, NodeListPanel), onnx.load(path).graph.node
    for asked, wanted in (
        ("weight", [node.name for node in nodes if "weight" in f"{node.name} {node.input} {node.output}"]),
        ("type:conv", [node.name for node in nodes if node.op_type == "Conv"]),
        ("-type:conv", [node.name for node in nodes if node.op_type != "Conv"]),
    ):
        panel.filter.setText(asked)
        qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
        assert cells(panel, NodeColumn.NAME) == wanted, asked
    panel.filter.setText("name:/(/")
    qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
    assert "At letter" in panel.filter.toolTip()
    panel.filter.clear()
    qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
    assert panel.model.rowCount() == len(nodes)


def test_that_the_selection_is_one_with_that_of_the_picture(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    open_model(window, written(tmp_path, rich_model()), qtbot)
    panel, session = panel_of(window, NodeListPanel), window.graph
    revealed: list[int | None] = []
    session.reveal_requested.connect(lambda: revealed.append(session.selected_node))
    session.select_node(2)
    assert panel.view.currentIndex().row() == 2
    panel.view.selectRow(3)
    assert (session.scope, session.selected_node, revealed) == ((), 3, [])
    nested = cells(panel, NodeColumn.TYPE).index("Abs")
    panel.view.selectRow(nested)
    assert session.scope == ("If outer", "then_branch", "If inner", "else_branch")
    assert session.selected_node == 0
    assert panel.view.currentIndex().row() == nested
    panel.view.activated.emit(panel.model.index(1, 0))
    assert (session.scope, session.selected_node, revealed) == ((), 1, [1])
    session.select_node(None)
    assert not panel.view.selectionModel().hasSelection()


def test_that_rows_are_copied_with_tabs_between_the_cells(window: MainWindow, qtbot: QtBot) -> None:
    path = sample("open/int4_qdq.onnx")
    open_model(window, path, qtbot)
    panel, nodes = panel_of(window, NodeListPanel), onnx.load(path).graph.node
    panel.view.selectRow(1)
    panel.view.setFocus()
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(panel.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert lines[0] == ["Name", "Operator", "Domain", "Implemented by", "Inputs", "Graph"]
    assert lines[1][:4] == [nodes[1].name, nodes[1].op_type, "ai.onnx", "CPU"]
    assert len(lines) == 2
    panel.view.clearSelection()
    panel.view.copy_selected()
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert [line[0] for line in lines[1:]] == [node.name for node in nodes]


def test_that_fifty_thousand_nodes_are_listed_filtered_and_found(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = written(tmp_path, chain(MANY))
    open_model(window, path, qtbot, resolved=False)
    panel = panel_of(window, NodeListPanel)
    assert panel.model.rowCount() == MANY
    panel.filter.setText("n49")
    qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
    assert cells(panel, NodeColumn.NAME) == [f"n49{number:03}" for number in range(1000)]
    panel.filter.clear()
    qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
    window.graph.select_node(MANY - 1)
    assert panel.view.currentIndex().row() == MANY - 1
    panel.view.sortByColumn(NodeColumn.NAME, Qt.SortOrder.DescendingOrder)
    assert panel.view.currentIndex().row() == 0 or not panel.view.currentIndex().isValid()
    assert panel.model.text(0, NodeColumn.NAME) == f"n{MANY - 1}"


def test_that_the_model_keeps_its_promises_to_qt(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    panel = panel_of(window, NodeListPanel)
    QAbstractItemModelTester(panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal, panel)
    open_model(window, written(tmp_path, chain(30)), qtbot)
    panel.only_unresolved.click()
    assert panel.model.rowCount() == 3
    panel.view.sortByColumn(NodeColumn.NAME, Qt.SortOrder.DescendingOrder)
    open_model(window, sample("synth/html_error_page.onnx"), qtbot)
    assert panel.model.rowCount() == 0


def test_that_the_panel_says_what_it_shows(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    panel = panel_of(window, NodeListPanel)
    assert panel.panel_state is PanelState.EMPTY
    window.graph.open(written(tmp_path, chain(5)))
    assert panel.panel_state is PanelState.BUSY
    open_model(window, sample("synth/html_error_page.onnx"), qtbot)
    assert panel.panel_state is PanelState.FAILING
    open_model(window, sample("open/int4_qdq.onnx"), qtbot)
    assert panel.panel_state is PanelState.READY
    assert panel.model.unresolved == 0
