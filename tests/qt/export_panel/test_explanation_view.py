"""What the panel shows of an explanation, and what stays when another one takes its place."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from opstudio.base.finding import Finding
from opstudio.model.export_debugging.records import ExportExplanation
from opstudio.model.export_request import DynamicAxis, Exporter
from opstudio.qt.export.explanation_view import Section
from opstudio.qt.export.export_target import ExportOptions, ExportResult, ExportTarget, first_axes
from opstudio.qt.export.row_view import RowTable
from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.model_tree import DETAIL_ROLE
from opstudio.qt.panel import PanelState
from opstudio.qt.panels.export import ExportPanel
from tests.qt.export_panel.explained import export_panel, session_of
from tests.qt.export_panel.samples import Made, make_explanation
from tests.qt.window_access import words

TARGET = ExportTarget(file=Path("/models/nets.py"), factory="make")
MANY = 10_000


def show(window: MainWindow, explanation: ExportExplanation, target: ExportTarget = TARGET) -> ExportPanel:
    """Keep a result, and look at the factory."""
    session = session_of(window)
    assert target.file is not None
    session.keep(ExportResult(target=target, options=session.options, explanation=explanation))
    window.perspectives.show("export")
    QApplication.processEvents()
    return export_panel(window)


def texts(table: RowTable, column: int) -> list[str]:
    return [table.model.row_at(row).cells[column].text for row in range(table.model.rowCount())]


def test_that_ten_thousand_nodes_are_filtered_sorted_and_copied(window: MainWindow, qtbot: QtBot) -> None:
    session_of(window).choose_factory(Path("/models/nets.py"), "make")
    panel = show(window, make_explanation(Made(torchscript=MANY, dynamo=MANY)))
    panel.view.select(Section.NODES)
    table = panel.view.nodes[Exporter.TORCHSCRIPT]
    QAbstractItemModelTester(table.model, QAbstractItemModelTester.FailureReportingMode.Fatal, window)
    assert table.model.rowCount() == MANY
    qtbot.keyClicks(panel.filter, "layers.9999 mul")
    qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
    assert (texts(table, 2), texts(panel.view.nodes[Exporter.DYNAMO], 3)) == (["layers.9999"], ["nets.py:10000"])
    panel.filter.setText("layers.9999 conv")
    qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
    assert table.model.rowCount() == 0
    assert "No row has all these words" in words(table)
    panel.filter.clear()
    qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
    table.view.sortByColumn(3, Qt.SortOrder.DescendingOrder)
    assert texts(table, 3)[:2] == ["nets.py:10000", "nets.py:9999"]
    table.view.selectRow(1)
    table.copy_selected()
    copied = "Node\tPyTorch operator\tModule\tLine\nMul\taten::mul\tlayers.9998\tnets.py:9999"
    assert QGuiApplication.clipboard().text() == copied


def test_that_section_row_and_filter_stay_when_a_new_result_arrives(window: MainWindow, qtbot: QtBot) -> None:
    session_of(window).choose_factory(Path("/models/nets.py"), "make")
    panel = show(window, make_explanation(Made(torchscript=40, dynamo=40), "lab::a", "lab::b"))
    panel.view.select(Section.CODE)
    panel.view.code.list.setCurrentIndex(panel.view.code.list.model().index(1, 0))
    panel.view.select(Section.NODES)
    panel.filter.setText("aten")
    qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
    table = panel.view.nodes[Exporter.DYNAMO]
    table.view.setCurrentIndex(table.model.index(30, 0))

    show(window, make_explanation(Made(torchscript=None, dynamo=50), "lab::new", "lab::b"))
    assert (panel.view.section, panel.filter.text()) == (Section.NODES, "aten")
    assert table.model.rowCount() == 50
    assert table.model.row_at(table.view.currentIndex().row()).cells[2].text == "layers.30"
    assert "There is no file" in words(panel.view.nodes[Exporter.TORCHSCRIPT])
    panel.view.select(Section.CODE)
    assert panel.view.code.editor.toPlainText() == "# lab::b\n"


def test_that_a_result_of_another_target_changes_nothing_that_is_shown(window: MainWindow) -> None:
    session = session_of(window)
    session.choose_factory(Path("/models/nets.py"), "make")
    shown = make_explanation(Made(torchscript=3, dynamo=3))
    panel = show(window, shown)
    other = make_explanation(Made(torchscript=None, dynamo=None))
    show(window, other, ExportTarget(file=Path("/models/nets.py"), factory="other"))
    assert panel.view.explanation is shown
    session.choose_factory(Path("/models/nets.py"), "other")
    assert panel.view.explanation is other
    session.choose_operator()
    assert panel.panel_state is PanelState.EMPTY


def test_that_operators_stand_with_both_fates_lost_attributes_and_lines(window: MainWindow) -> None:
    session_of(window).choose_factory(Path("/models/nets.py"), "make")
    panel = show(window, make_explanation(Made(torchscript=4, dynamo=None)))
    panel.view.select(Section.OPERATORS)
    table = panel.view.operators
    assert [cell.text for cell in table.model.row_at(0).cells] == [
        "lab::swish",
        "2",
        "decomposed: 2 × Sigmoid, 2 × Mul",
        "the export ended here",
        "beta",
        "nets.py:5 +1",
    ]
    assert table.model.row_at(0).cells[5].tip == "/models/nets.py:5\nline 5\n/models/nets.py:6\nline 6"
    told: list[object] = []
    table.place_chosen.connect(told.append)
    table.view.clicked.emit(table.model.index(0, 0))
    assert told == []
    table.view.clicked.emit(table.model.index(0, 5))
    (place,) = told
    assert str(place) == "/models/nets.py:5"


def test_that_dimensions_stand_as_asked_and_as_found(window: MainWindow) -> None:
    session_of(window).choose_factory(Path("/models/nets.py"), "make")
    panel = show(window, make_explanation(Made(torchscript=4, dynamo=None)))
    panel.view.select(Section.REQUEST)
    rows = [panel.view.request.model.row_at(row) for row in range(2)]
    assert [[cell.text for cell in row.cells] for row in rows] == [
        ["opset", "18", "18", "no file", ""],
        ["axis 0 of x", "batch", "4", "no file", "nets.py:3"],
    ]
    assert [cell.icon for cell in rows[1].cells[2:4]] == ["bad", "not_run"]
    assert "axis 0 of x == 4" in rows[1].cells[2].tip
    item = panel.view.sections.model().index(Section.REQUEST, 0)
    assert item.data(DETAIL_ROLE) == "2 ✖"


def test_that_a_failure_names_its_cause_and_a_file_its_values(window: MainWindow) -> None:
    session_of(window).choose_factory(Path("/models/nets.py"), "make")
    panel = show(window, make_explanation(Made(torchscript=4, dynamo=None)))
    assert panel.panel_state is PanelState.FAILING
    written, failed = (panel.view.bodies[exporter].toPlainText() for exporter in Exporter)
    assert "x[batch, 8]" in written
    assert "4 × Mul" in written
    assert "DispatchError: no translation of lab::swish" in failed
    assert "written · 4 nodes · 2.00 KiB · 1.50 s" in panel.view.heads[Exporter.TORCHSCRIPT].text


def test_that_an_export_is_refused_where_the_studio_cannot_be_opened(window: MainWindow) -> None:
    session, panel = session_of(window), export_panel(window)
    window.actions_.explain_export.trigger()
    assert session.running is not None
    assert panel.panel_state is PanelState.BUSY
    assert "Waiting for the worker" in words(panel.busy_row)
    finding = Finding(id="STU003", stage="workspace", title="No Python", cause="it is gone", fix="Install it")
    window.session.refused.emit((finding,))
    assert (session.running, panel.panel_state) == (None, PanelState.FAILING)
    assert "No Python" in panel.failure.detail.toPlainText()
    window.actions_.explain_export.trigger()
    assert (session.running, panel.panel_state) == (None, PanelState.FAILING)


def test_that_first_axes_of_one_size_share_a_name() -> None:
    explanation = make_explanation(Made(torchscript=1, dynamo=1))
    attempt = explanation.attempts[0]
    eager = dataclasses.replace(attempt.record.eager, inputs=((4, 8), (4,), (), (3, 8)))
    record = dataclasses.replace(attempt.record, inputs=("x", "mask", "scale", "y"), eager=eager)
    several = dataclasses.replace(explanation, attempts=(dataclasses.replace(attempt, record=record),))
    known = ExportResult(target=TARGET, options=ExportOptions(), explanation=several)
    assert first_axes(known) == (
        DynamicAxis(input="x", axis=0, name="batch"),
        DynamicAxis(input="mask", axis=0, name="batch"),
        DynamicAxis(input="y", axis=0, name="batch_2"),
    )
    assert first_axes(ExportResult(target=TARGET, options=ExportOptions())) is None
