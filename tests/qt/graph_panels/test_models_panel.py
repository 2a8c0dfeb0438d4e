"""The panel Models: files of the workspace and from elsewhere, graphs of the open one, operator libraries."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QStandardItem
from pytestqt.qtbot import QtBot

from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.model_tree import DETAIL_ROLE, FOLDER_ROLE, Entry, EntryKind
from opstudio.qt.panel import PanelState
from opstudio.qt.panels.models import ModelsPanel
from tests.qt.graph_panels.opened import PATIENCE_MS, open_model, show_panels
from tests.qt.window_access import panel_of
from tests.support.operator_libraries import FLOAT, REQUIRED, WrittenOperator, build_library
from tests.support.workspaces import TestWorkspace
from tests.unit.model.graph.samples import rich_model, sample, written


def rows(panel: ModelsPanel) -> list[tuple[int, str, str]]:
    """Return depth, text and what stands at the right end of all rows."""

    def walk(item: QStandardItem, depth: int) -> Iterator[tuple[int, str, str]]:
        for row in range(item.rowCount()):
            child = item.child(row, 0)
            yield depth, child.text(), child.data(DETAIL_ROLE) or child.data(FOLDER_ROLE) or ""
            yield from walk(child, depth + 1)

    return list(walk(panel.tree.invisibleRootItem(), 0))


def click(panel: ModelsPanel, entry: Entry, qtbot: QtBot) -> None:
    """Click the row of something."""
    item = panel.tree.item_of(entry)
    assert item is not None
    index: QModelIndex = item.index()
    panel.view.scrollTo(index)
    centre = panel.view.visualRect(index).center()
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=centre)


def look(window: MainWindow, qtbot: QtBot) -> ModelsPanel:
    """Show the panel and wait until it has looked through the workspace."""
    panel = panel_of(window, ModelsPanel)
    show_panels(window)
    panel.look_again()
    qtbot.waitUntil(lambda: not panel.is_looking, timeout=PATIENCE_MS)
    return panel


def test_that_the_models_of_the_workspace_are_listed_and_opened_by_a_click(
    window: MainWindow, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    (workspace.root / "exports" / "deep").mkdir(parents=True)
    path = workspace.root / "exports" / "deep" / "small.onnx"
    shutil.copy(sample("open/int4_qdq.onnx"), path)
    shutil.copy(sample("open/ortfmt_custom.ort"), workspace.root / "other.ort")
    panel = look(window, qtbot)
    assert rows(panel)[:3] == [
        (0, "In this workspace", ""),
        (1, "small.onnx", "exports/deep"),
        (1, "other.ort", ""),
    ]
    assert panel.panel_state is PanelState.READY
    click(panel, Entry(kind=EntryKind.MODEL, path=path), qtbot)
    qtbot.waitUntil(lambda: window.graph.report is not None, timeout=PATIENCE_MS)
    assert window.graph.path == path
    assert rows(panel)[1] == (1, "small.onnx", "7 nodes")


def test_that_the_graphs_of_the_open_model_stand_below_it_and_are_entered(
    window: MainWindow, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    path = written(workspace.root, rich_model())
    panel = look(window, qtbot)
    open_model(window, path, qtbot)
    listed = rows(panel)
    assert listed[1][:2] == (1, "model.onnx")
    # The Add, whose domain is spelt out, and the nodes of the domain lab: as the runtime sees it.
    assert listed[1][2] == "3 unresolved"
    assert [row for row in listed if row[0] > 1] == [
        (2, "If outer · else_branch", "1 node"),
        (2, "If outer · then_branch", "1 node"),
        (3, "If inner · else_branch", "1 node"),
        (3, "If inner · then_branch", "1 node"),
        (2, "Gate (f32)", "1 node"),
    ]
    inner = ("If outer", "then_branch", "If inner", "else_branch")
    click(panel, Entry(kind=EntryKind.GRAPH, scope=inner), qtbot)
    assert window.graph.scope == inner
    click(panel, Entry(kind=EntryKind.MODEL, path=path), qtbot)
    assert window.graph.scope == ()
    window.graph.enter(("function local:Gate (f32)",))
    assert panel.view.currentIndex().data() == "Gate (f32)"


def test_that_models_from_elsewhere_are_remembered(
    window: MainWindow, workspace: TestWorkspace, tmp_path: Path, qtbot: QtBot
) -> None:
    panel = look(window, qtbot)
    assert panel.panel_state is PanelState.EMPTY
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    path = written(elsewhere, rich_model())
    open_model(window, path, qtbot)
    assert rows(panel)[:2] == [(0, "From elsewhere", ""), (1, "model.onnx", rows(panel)[1][2])]
    assert str(path) in (workspace.root / ".opstudio" / "recent_models.json").read_text(encoding="utf-8")


def test_that_a_file_that_is_no_model_says_so_in_place(window: MainWindow, qtbot: QtBot) -> None:
    panel = look(window, qtbot)
    open_model(window, sample("synth/html_error_page.onnx"), qtbot)
    assert panel.panel_state is PanelState.FAILING
    assert rows(panel)[1:3] == [
        (1, "html_error_page.onnx", "cannot be read"),
        (2, window.graph.findings[0].title, ""),
    ]


def test_that_libraries_are_added_told_and_removed(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    operator = WrittenOperator(
        domain="mmdeploy", type="grid_sampler", inputs=((FLOAT, REQUIRED),) * 2, outputs=((FLOAT, REQUIRED),)
    )
    usable = build_library(tmp_path / "libgrid.so", [operator])
    broken = tmp_path / "not_a_library.so"
    broken.write_text("nothing", encoding="utf-8")
    panel = look(window, qtbot)
    open_model(window, sample("synth/mmdeploy_grid_sampler.onnx"), qtbot)
    assert rows(panel)[1][2] == "1 unresolved"
    window.graph.trust_libraries([usable])
    qtbot.waitUntil(lambda: not window.graph.is_resolving, timeout=PATIENCE_MS)
    assert rows(panel)[-2:] == [(0, "Operator libraries", ""), (1, usable.name, "1 operator")]
    assert rows(panel)[1][2] == "1 node"
    window.graph.trust_libraries([broken])
    qtbot.waitUntil(lambda: not window.graph.is_resolving, timeout=PATIENCE_MS)
    listed = rows(panel)
    row = listed.index((1, broken.name, "not usable"))
    assert broken.name in listed[row + 1][1]
    click(panel, Entry(kind=EntryKind.LIBRARY, path=broken), qtbot)
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: window.graph.libraries == (usable,), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: not window.graph.is_resolving, timeout=PATIENCE_MS)
    assert rows(panel)[-1] == (1, usable.name, "1 operator")


def test_that_two_thousand_models_are_listed_and_searched(
    window: MainWindow, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    for number in range(2_010):
        (workspace.root / f"model_{number:04}.onnx").touch()
    panel = look(window, qtbot)
    listed = [text for depth, text, _ in rows(panel) if depth]
    assert listed[:2_000] == [f"model_{number:04}.onnx" for number in range(2_000)]
    assert listed[2_000].startswith("There are more")
    qtbot.keyClicks(panel.search, "199")
    listed = [text for depth, text, _ in rows(panel) if depth]
    assert listed[:11] == ["model_0199.onnx", *(f"model_{number}.onnx" for number in (1199, *range(1990, 1999)))]
