"""The panel Export at work: real workspaces, real workers, both exporters."""

from __future__ import annotations

import onnx  # noqa: TID253 - what the panel says of a file is held against the file
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from opstudio.base.finding import Severity
from opstudio.model.export_debugging.records import Fate, Step, StubKind
from opstudio.model.export_request import Exporter, Route
from opstudio.qt.export.explanation_view import Section
from opstudio.qt.export.export_target import ExportOptions, Varying
from opstudio.qt.graph.graph_session import GraphState
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import PanelState
from opstudio.workspace.trust import Trust
from tests.qt.conftest import MakeWindow, child_processes
from tests.qt.export_panel.explained import (
    CALL,
    PATIENCE_MS,
    explain,
    explained,
    export_panel,
    line_of,
    session_of,
    wait_open,
    where,
)
from tests.qt.window_access import answer, words
from tests.support.workspaces import TestWorkspace

# A watcher of other folders than the operators' may complain of folders that come and go.
pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")


@pytest.fixture
def both(operators_workspace: TestWorkspace, live: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window at work on two operators."""
    del operators_workspace  # before the window is made
    wait_open(live, qtbot)
    live.selection.select_operator("relu6_scale")
    return live


def test_that_both_exports_of_an_operator_stand_side_by_side(
    both: MainWindow, operators_workspace: TestWorkspace, qtbot: QtBot
) -> None:
    panel, session = export_panel(both), session_of(both)
    assert panel.panel_state is PanelState.EMPTY
    assert "No export was explained yet" in words(panel.empty_page)
    found = explained(both, qtbot)
    assert found.good
    assert (panel.panel_state, both.perspectives.shown) == (PanelState.READY, "export")
    for exporter, head in panel.view.heads.items():
        file = onnx.load(found.attempt(exporter).file)
        assert f"written · {len(file.graph.node)} nodes" in head.text
        panel.view.select(Section.NODES)
        shown = panel.view.nodes[exporter].model
        types = [f"{node.domain}:{node.op_type}".removeprefix(":") for node in file.graph.node]
        assert [shown.row_at(row).cells[0].text for row in range(shown.rowCount())] == types

    # A line of a node leads into the editor, which stands above.
    table = panel.view.nodes[Exporter.DYNAMO]
    row = next(row for row in range(table.model.rowCount()) if "Relu6Scale" in table.model.row_at(row).cells[0].text)
    index = table.model.index(row, table.model.columnCount() - 1)
    qtbot.mouseClick(table.view.viewport(), Qt.MouseButton.LeftButton, pos=table.view.visualRect(index).center())
    model = operators_workspace.root / "relu6_scale" / "model.py"
    assert where(both) == ("model.py", line_of(model, "torch.ops.myops.relu6_scale(self.expand(x)"))
    assert both.perspectives.shown == "export"

    # Each operator has its own result, which is there again with it.
    both.selection.select_operator("other_scale")
    assert panel.panel_state is PanelState.EMPTY
    both.selection.select_operator("relu6_scale")
    assert panel.view.explanation is found
    assert panel.view.section is Section.NODES

    assert session.result is not None
    session.set_options(ExportOptions(route=Route.STANDARD, varying=Varying.NONE))
    fixed = explained(both, qtbot)
    assert fixed.attempt(Exporter.DYNAMO).record.request.dynamic == ()
    assert {attempt.record.request.route for attempt in fixed.attempts} == {Route.STANDARD}
    domains = {node.domain for node in onnx.load(fixed.attempt(Exporter.TORCHSCRIPT).file).graph.node}
    assert domains == {""}

    panel.view.heads[Exporter.TORCHSCRIPT].open_button.click()
    qtbot.waitUntil(lambda: both.graph.state is GraphState.READY, timeout=PATIENCE_MS)
    assert both.perspectives.shown == "graph"
    assert str(both.graph.path) == fixed.attempt(Exporter.TORCHSCRIPT).file
    assert both.graph.path is not None
    assert both.graph.path.is_relative_to(operators_workspace.root / ".opstudio")


def test_that_an_operator_without_translation_is_told_with_its_line_and_code_that_mends_it(
    live: MainWindow, models_workspace: TestWorkspace, qtbot: QtBot
) -> None:
    panel, session, file = export_panel(live), session_of(live), models_workspace.root / "models" / "nets.py"
    wait_open(live, qtbot)
    session.choose_factory(file, "make")
    found = explained(live, qtbot)
    assert panel.panel_state is PanelState.FAILING
    assert [(item.id, item.severity) for item in found.findings] == [("EXP001", Severity.ERROR)] * 2
    call = line_of(file, CALL)
    for exporter, body in panel.view.bodies.items():
        attempt = found.attempt(exporter)
        assert (attempt.step, attempt.has_file) == (Step.TRANSLATE, False)
        assert "cannot translate an operator" in panel.view.heads[exporter].text
        assert panel.view.heads[exporter].open_button.isHidden()
        assert "lab::swish" in body.toPlainText() or "lab.swish" in body.toPlainText()
        assert f"nets.py:{call}" in body.toPlainText()
    body.anchorClicked.emit("0")
    assert where(live) == ("nets.py", call)

    panel.view.select(Section.OPERATORS)
    swish = panel.view.operators.model.row_at(0)
    assert swish.cells[0].text == "lab::swish"
    assert [cell.text for cell in swish.cells[2:4]] == ["the export ended here"] * 2
    assert [fate.fate for fate in found.attempts[0].fates if fate.is_custom] == [Fate.FAILED]

    # What the panel offers to paste is what the model lacks.
    panel.view.select(Section.CODE)
    assert {stub.kind for stub in found.stubs} == {StubKind.SYMBOLIC, StubKind.TRANSLATION}
    for number, stub in enumerate(found.stubs):
        panel.view.code.list.setCurrentIndex(panel.view.code.list.model().index(number, 0))
        assert panel.view.code.editor.isReadOnly()
        panel.view.code.copy_button.click()
        pasted = QGuiApplication.clipboard().text()
        assert pasted == stub.text
        with file.open("a", encoding="utf-8") as models:
            models.write(f"\n\n{pasted}")
    mended = explained(live, qtbot)
    assert mended.good, mended.findings
    for attempt in mended.attempts:
        nodes = onnx.load(attempt.file).graph.node
        assert [node.op_type for node in nodes if node.domain == "lab"] == ["Swish"]
    assert (panel.panel_state, panel.view.section) == (PanelState.READY, Section.CODE)


def test_that_a_model_that_cannot_be_made_is_told_in_place(
    live: MainWindow, models_workspace: TestWorkspace, qtbot: QtBot
) -> None:
    panel, session, file = export_panel(live), session_of(live), models_workspace.root / "models" / "nets.py"
    wait_open(live, qtbot)
    session.choose_factory(file, "broken")
    result = explain(live, qtbot)
    assert (result.explanation, panel.panel_state) == (None, PanelState.FAILING)
    assert panel.failure.isVisible()
    assert "there are no weights here" in panel.failure.detail.toPlainText()
    place = f"models/nets.py:{line_of(file, 'there are no weights here')}"
    assert place in panel.failure.detail.toPlainText()

    session.choose_factory(file, "dies")
    assert panel.panel_state is PanelState.EMPTY
    assert explain(live, qtbot).explanation is None
    assert "SIGABRT" in panel.failure.detail.toPlainText()
    assert "models/nets.py" in panel.failure.detail.toPlainText()
    session.choose_factory(file, "broken")
    assert "there are no weights here" in panel.failure.detail.toPlainText()


def test_that_an_explanation_is_cancelled_and_what_was_known_stays(
    live: MainWindow, models_workspace: TestWorkspace, qtbot: QtBot
) -> None:
    panel, session = export_panel(live), session_of(live)
    file, actions = models_workspace.root / "models" / "nets.py", live.actions_
    wait_open(live, qtbot)
    session.choose_factory(file, "broken")
    before = explain(live, qtbot)
    assert not actions.cancel_export.isEnabled()
    actions.explain_export.trigger()
    qtbot.waitUntil(lambda: session.running is not None and session.running.step == "torchscript", timeout=PATIENCE_MS)
    assert panel.panel_state is PanelState.BUSY
    assert "TorchScript exporter" in words(panel.busy_row)
    assert panel.failure.isVisible()
    actions.cancel_export.trigger()
    assert (session.running, session.result) == (None, before)
    assert panel.busy_row.isHidden()
    kept = models_workspace.root / ".opstudio" / "exports"
    qtbot.waitUntil(lambda: not list(kept.rglob(".opstudio-export-*")), timeout=PATIENCE_MS)


def test_that_nothing_is_left_of_an_explanation_when_the_window_closes(
    live: MainWindow, models_workspace: TestWorkspace, qtbot: QtBot
) -> None:
    session, others = session_of(live), child_processes()
    wait_open(live, qtbot)
    session.choose_factory(models_workspace.root / "models" / "nets.py", "make")
    live.actions_.explain_export.trigger()
    qtbot.waitUntil(lambda: session.running is not None and session.running.step == "dynamo", timeout=PATIENCE_MS)
    kept = models_workspace.root / ".opstudio" / "exports"
    assert list(kept.rglob(".opstudio-export-*"))
    live.close_at_once()
    assert session.running is None
    assert not list(kept.rglob(".opstudio-export-*"))
    assert child_processes() - others == set()


def test_that_nothing_is_run_before_the_workspace_is_trusted(
    models_workspace: TestWorkspace, live: MainWindow, make_window: MakeWindow, qtbot: QtBot
) -> None:
    live.close_at_once()
    Trust.of_user().revoke(models_workspace.root)
    window = make_window(models_workspace.root)
    window.start()
    panel, session = export_panel(window), session_of(window)
    qtbot.waitUntil(lambda: session.needs_trust, timeout=PATIENCE_MS)
    session.choose_factory(models_workspace.root / "models" / "nets.py", "broken")
    assert "is not trusted" in words(panel.empty_page)
    answer(window.notice, "Only read", qtbot)
    window.actions_.explain_export.trigger()
    assert "comes from elsewhere" in window.notice.text
    assert (session.running, session.result) == (None, None)
    answer(window.notice, "Trust and check", qtbot)
    wait_open(window, qtbot)
    assert "No export was explained yet" in " ".join(label.text() for label in panel.empty_page.findChildren(QLabel))
    assert explain(window, qtbot).failure
