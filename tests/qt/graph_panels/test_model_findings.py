"""The panel with the problems of a model: those of the session, each with its cause, its fix and its nodes."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from opstudio.base.finding import Place, Severity
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import PanelState
from opstudio.qt.panels.help import HelpPanel
from opstudio.qt.panels.model_findings import ModelFindingsPanel
from tests.qt.graph_panels.opened import open_model, show_panels
from tests.qt.window_access import panel_of, words
from tests.unit.model.graph.samples import rich_model, sample, written


def test_that_the_problems_are_those_of_the_session_cause_before_what_it_does(window: MainWindow, qtbot: QtBot) -> None:
    open_model(window, sample("synth/mmdeploy_grid_sampler.onnx"), qtbot)
    panel = panel_of(window, ModelFindingsPanel)
    show_panels(window, "model_findings")
    model, findings = panel.findings.model, window.graph.findings
    assert [model.at(row).finding for row in range(model.rowCount())] == list(findings)
    text = panel.findings.detail.toPlainText()
    first = findings[0]
    assert text.index(first.title) < text.index(first.cause) < text.index(first.fix)
    assert model.index(0, 0).data() == f"error {first.id} {first.title}"
    # The file is the same for all, so that places name what is in it.
    assert "node grid_sampler #0" in text
    assert str(window.graph.path) not in text
    assert panel.panel_state is PanelState.FAILING


def test_that_a_click_on_a_problem_selects_its_node_and_the_node_its_problem(window: MainWindow, qtbot: QtBot) -> None:
    open_model(window, sample("synth/custom_inside_if.onnx"), qtbot)
    panel, session = panel_of(window, ModelFindingsPanel), window.graph
    show_panels(window, "model_findings")
    errors = [row for row, item in enumerate(session.findings) if item.severity is Severity.ERROR]
    place = session.findings[errors[0]].places[0]
    view = panel.findings.view
    rectangle = view.visualRect(panel.findings.model.index(errors[0], 0))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rectangle.center())
    node = session.node(session.selected_node)
    assert session.scope != ()
    assert node is not None
    assert place.node is not None
    assert place.node.startswith("/".join(session.scope))
    assert node.domain
    for row in range(len(session.findings)):
        panel.findings.select_row(row)
    session.select_node(None)
    session.select_node(0)
    current = panel.findings.current
    assert current is not None
    assert current.finding.places[0].node == place.node


def test_that_a_problem_of_weights_selects_the_tensor(window: MainWindow, qtbot: QtBot) -> None:
    open_model(window, sample("open/ext_data_missing.onnx"), qtbot)
    panel, session = panel_of(window, ModelFindingsPanel), window.graph
    show_panels(window, "model_findings")
    row = next(row for row, item in enumerate(session.findings) if item.id == "MOD002")
    rectangle = panel.findings.view.visualRect(panel.findings.model.index(row, 0))
    qtbot.mouseClick(panel.findings.view.viewport(), Qt.MouseButton.LeftButton, pos=rectangle.center())
    assert session.selected_value == session.findings[row].places[0].tensor


def test_that_a_problem_is_explained(window: MainWindow, qtbot: QtBot) -> None:
    open_model(window, sample("synth/mmdeploy_grid_sampler.onnx"), qtbot)
    panel = panel_of(window, ModelFindingsPanel)
    show_panels(window, "model_findings")
    (button,) = [button for button in panel.findings.findChildren(QPushButton) if not button.isHidden()]
    identifier = window.graph.findings[0].id
    assert button.text() == f"Explain {identifier}"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert panel_of(window, HelpPanel).page == identifier


def test_that_a_model_that_is_taken_says_by_what(window: MainWindow, qtbot: QtBot) -> None:
    open_model(window, sample("open/deformconv_ok.onnx"), qtbot)
    panel = panel_of(window, ModelFindingsPanel)
    show_panels(window, "model_findings")
    assert window.graph.report is not None
    release = window.graph.report.evidence.catalogue.tables.release
    assert panel.panel_state is PanelState.READY
    assert f"ONNX Runtime {release} takes this model" in words(panel.empty_page)


def test_that_the_panel_says_what_it_shows(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    panel = panel_of(window, ModelFindingsPanel)
    assert panel.panel_state is PanelState.EMPTY
    window.graph.open(written(tmp_path, rich_model()))
    assert panel.panel_state is PanelState.BUSY
    open_model(window, sample("synth/html_error_page.onnx"), qtbot)
    assert panel.panel_state is PanelState.FAILING
    assert panel.findings.model.rowCount() == 1


def test_that_a_problem_of_the_whole_file_leads_to_the_model(window: MainWindow, qtbot: QtBot) -> None:
    open_model(window, sample("synth/custom_inside_if.onnx"), qtbot)
    panel, session = panel_of(window, ModelFindingsPanel), window.graph
    show_panels(window, "model_findings")
    panel.findings.select_row(0)
    inner = next(scope.path for scope in session.index.scopes() if scope.path)  # type: ignore[union-attr]
    session.enter(inner)
    session.select_node(0)
    panel.findings.place_chosen.emit(Place(file=str(session.path)))
    assert (session.scope, session.selected_node) == ((), None)
