"""Models in the window: files that are opened, dropped, remembered, and allowed to run."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from opstudio.model.diagram.records import NodeState
from opstudio.qt.graph.graph_session import GraphState
from opstudio.qt.language import Language
from opstudio.qt.main_window import MainWindow
from opstudio.qt.theme.theme import Theme
from opstudio.qt.window_memory import WindowMemory
from opstudio.workspace.folder import open_workspace
from opstudio.workspace.trust import Trust
from tests.qt.conftest import MakeWindow
from tests.qt.graph.pictures import PATIENCE_MS, wait_for_picture
from tests.qt.window_access import answer
from tests.support.operator_libraries import WrittenOperator, build_library
from tests.support.workspaces import TestWorkspace
from tests.unit.model.graph.samples import rich_model, written


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What resolves the node ``Everything`` of the model that has everything."""
    operators = [
        WrittenOperator(domain="lab", type="Everything"),
        WrittenOperator(domain="local", type="Gate"),
    ]
    return build_library(tmp_path_factory.mktemp("library") / "lab.so", operators)


def drop(window: MainWindow, *paths: Path) -> bool:
    """Drag files over the window and let them go; return whether they were wanted."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(50, 50), Qt.DropAction.CopyAction, data, button, keys)
    QApplication.sendEvent(window, enter)
    if not enter.isAccepted():
        return False
    QApplication.sendEvent(window, QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, data, button, keys))
    return True


def test_that_a_model_is_opened_in_its_graph(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = written(tmp_path, rich_model())
    window.open_file(path)
    assert window.perspectives.shown == "graph"
    wait_for_picture(window.graph, qtbot)
    assert window.graph.path == path
    assert window.windowTitle().startswith("model.onnx")
    window.perspectives.show("kernels")
    assert window.windowTitle().startswith("relu6_scale.cpp")


def test_that_dropped_files_are_opened_and_held_against_the_model(
    window: MainWindow, library: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    path = written(tmp_path, rich_model())
    assert drop(window, path, library)
    assert window.graph.libraries == (library,)
    wait_for_picture(window.graph, qtbot, resolved=True)
    number = next(at for at, node in enumerate(rich_model().graph.node) if node.op_type == "Everything")
    assert window.graph.report is not None
    assert [item.contents is not None for item in window.graph.report.libraries] == [True]
    assert number in window.graph.marks()
    notes = tmp_path / "notes.txt"
    notes.write_text("nothing to open")
    assert not drop(window, notes)


def test_that_a_model_that_is_dropped_on_the_editor_is_no_text(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    page = window.editors.current
    assert page is not None
    before = page.editor.toPlainText()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(written(tmp_path, rich_model())))])
    data.setText("model.onnx")
    assert not page.editor.canInsertFromMimeData(data)
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    viewport = page.editor.viewport()
    QApplication.sendEvent(viewport, QDragEnterEvent(QPoint(20, 20), Qt.DropAction.CopyAction, data, button, keys))
    QApplication.sendEvent(viewport, QDropEvent(QPointF(20, 20), Qt.DropAction.CopyAction, data, button, keys))
    assert page.editor.toPlainText() == before
    assert window.graph.state is not GraphState.EMPTY
    qtbot.waitUntil(lambda: window.graph.state is GraphState.READY, timeout=PATIENCE_MS)


def test_that_a_dropped_library_asks_first_where_the_workspace_is_not_trusted(
    theme: Theme, language: Language, library: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    root = tmp_path / "from_elsewhere"
    root.mkdir()
    (root / "opstudio.toml").write_text('[workspace]\nname = "elsewhere"\n[environment]\npython = "/bin/false"\n')
    window = MainWindow(open_workspace(root), theme, language, trust=Trust(tmp_path / "records"))
    window.show()
    path = written(tmp_path, rich_model())
    assert drop(window, path, library)
    assert window.graph.libraries == ()
    assert "lab.so" in window.notice.text
    answer(window.notice, "Run its code", qtbot)
    assert window.graph.libraries == (library,)
    wait_for_picture(window.graph, qtbot, resolved=True)
    # Nor is the interpreter run that the workspace names.
    assert window.graph.report is not None
    assert all(mark.state is not NodeState.UNKNOWN for mark in window.graph.marks().values())
    window.close_at_once()
    window.deleteLater()


def test_that_the_model_of_last_time_is_opened_when_its_graph_is_looked_at(
    theme: Theme, language: Language, workspace: TestWorkspace, tmp_path: Path, qtbot: QtBot
) -> None:
    path, file = written(tmp_path, rich_model()), tmp_path / "memory.ini"
    first = MainWindow(open_workspace(workspace.root), theme, language, memory=WindowMemory(file))
    first.show()
    first.open_file(path)
    first.perspectives.show("kernels")
    first.close_at_once()
    first.deleteLater()
    second = MainWindow(open_workspace(workspace.root), theme, language, memory=WindowMemory(file))
    second.show()
    assert second.graph.state is GraphState.EMPTY
    second.perspectives.show("graph")
    assert second.graph.path == path
    wait_for_picture(second.graph, qtbot)
    second.close_at_once()
    second.deleteLater()


def test_that_a_model_that_went_away_is_not_opened_again(
    theme: Theme, language: Language, workspace: TestWorkspace, tmp_path: Path
) -> None:
    memory = WindowMemory(tmp_path / "memory.ini")
    memory.model = str(tmp_path / "gone.onnx")
    window = MainWindow(open_workspace(workspace.root), theme, language, memory=memory)
    window.show()
    window.perspectives.show("graph")
    assert window.graph.state is GraphState.EMPTY
    window.close_at_once()
    window.deleteLater()


def test_that_nodes_are_found_by_the_field_that_finds_everything(
    make_window: MakeWindow, workspace: TestWorkspace, tmp_path: Path, qtbot: QtBot
) -> None:
    window = make_window(workspace.root)
    window.graph.open(written(tmp_path, rich_model()))
    wait_for_picture(window.graph, qtbot)
    window.finder.picker.open("#")
    qtbot.keyClicks(window.finder.picker.field, "inner")
    picks = window.finder.picker.picks
    assert [pick.text for pick in picks] == ["inner"]
    qtbot.keyClick(window.finder.picker.field, Qt.Key.Key_Return)
    assert window.perspectives.shown == "graph"
    assert window.graph.scope == ("If outer", "then_branch")
    node = window.graph.node(window.graph.selected_node)
    assert node is not None
    assert node.name == "inner"
    qtbot.waitUntil(lambda: window.graph.placed is not None, timeout=PATIENCE_MS)
