"""The panels Evidence and History, and the page that compares builds: on results of a real check."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from opstudio.checks.check import all_checks
from opstudio.jobs.events import JobStarted, StageStarted, Verdict
from opstudio.qt.difference_page import DifferencePage
from opstudio.qt.evidence.fitting_table import fitting_widths
from opstudio.qt.evidence.sections import TableSection
from opstudio.qt.evidence.stage_choice import StageChoice
from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.history_model import HistoryColumn
from opstudio.qt.panel import PanelState
from opstudio.qt.panels.evidence import EvidencePanel
from opstudio.qt.panels.history import HistoryPanel
from opstudio.qt.theme.theme import Theme
from opstudio.workflows.evidence_sections import CommandLines, table
from tests.qt.conftest import MakeWindow
from tests.qt.events import AT, OPERATOR, bad_stage, finished, stage_finished, started, verdict
from tests.qt.window_access import feed, label_texts, panel_of, words
from tests.support.workspaces import TestWorkspace


@pytest.fixture
def window(make_window: MakeWindow, checked_workspace: TestWorkspace) -> MainWindow:
    return make_window(checked_workspace.root)


def show(window: MainWindow, stage: str, qtbot: QtBot) -> EvidencePanel:
    window.selection.select_stage(stage)
    panel = panel_of(window, EvidencePanel)
    qtbot.waitUntil(lambda: panel.evidence is not None and panel.evidence.stage == stage, timeout=20_000)
    return panel


def test_that_without_a_stage_the_panel_says_how_to_choose_one(window: MainWindow) -> None:
    panel = panel_of(window, EvidencePanel)
    panel.refresh()
    assert "No stage is selected" in label_texts(panel)


def test_that_while_no_stage_is_selected_the_first_bad_one_is_shown(
    make_window: MakeWindow, wrong_workspace: TestWorkspace, qtbot: QtBot
) -> None:
    window = make_window(wrong_workspace.root)
    panel = panel_of(window, EvidencePanel)
    bad = verdict(Verdict.BAD)
    feed(window, started(), stage_finished("build"), bad_stage("parity"), bad_stage("value"), bad, finished())
    qtbot.waitUntil(lambda: panel.evidence is not None, timeout=20_000)
    assert panel.evidence is not None
    assert (panel.evidence.stage, panel.panel_state) == ("value", PanelState.FAILING)
    assert window.selection.stage == ""

    feed(window, started(), stage_finished("value"))
    panel.refresh()
    assert panel.evidence.stage == "value", "it stays until there is another verdict"
    feed(window, stage_finished("parity"), verdict(), finished())
    panel.refresh()
    assert panel.evidence is None
    assert "No stage is selected" in label_texts(panel)


def test_that_the_title_of_the_panel_names_the_stage_and_lets_another_be_chosen(
    window: MainWindow, qtbot: QtBot
) -> None:
    panel = show(window, "value", qtbot)
    (choice,) = [widget for widget in panel.header_widgets() if isinstance(widget, StageChoice)]
    assert "value" in choice.text()
    choice.fill()
    stages = [str(action.data()) for action in choice.menu().actions()]
    assert stages == [check.id for check in all_checks()]
    assert [str(action.data()) for action in choice.menu().actions() if action.isChecked()] == ["value"]
    choice.menu().actions()[stages.index("build")].trigger()
    assert window.selection.stage == "build"
    qtbot.waitUntil(lambda: "build" in choice.text())


@pytest.mark.parametrize("stage", [check.id for check in all_checks()])
def test_that_every_stage_shows_its_evidence_or_says_that_there_is_none(
    window: MainWindow, stage: str, qtbot: QtBot
) -> None:
    panel = show(window, stage, qtbot)
    assert panel.evidence is not None
    assert panel.evidence.stage == stage
    assert bool(panel.evidence.sections) or panel.evidence.note


def test_that_the_errors_of_every_case_can_be_sorted_filtered_and_copied(window: MainWindow, qtbot: QtBot) -> None:
    panel = show(window, "value", qtbot)
    section = next(iter(panel.findChildren(TableSection)))
    model = section.view.model()
    rows = model.rowCount()
    assert rows >= 12  # three samples, four types
    cases = {str(model.index(row, 0).data()) for row in range(rows)}
    assert {"single (float32)", "typical (bfloat16)", "extreme (float64)"} <= cases
    section.filter.setText("bfloat16")
    assert model.rowCount() == sum("bfloat16" in case for case in cases)
    section.filter.clear()
    elements = next(
        column
        for column in range(model.columnCount())
        if model.headerData(column, Qt.Orientation.Horizontal) == "elements"
    )
    section.view.sortByColumn(elements, Qt.SortOrder.DescendingOrder)
    largest = 8 * 512 * 768  # the typical sample of the contract
    assert int(str(model.index(0, elements).data()).replace(",", "")) == largest
    window.activateWindow()
    section.view.setFocus()
    qtbot.waitUntil(section.view.hasFocus)
    qtbot.keyClick(section.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text().splitlines()
    assert len(copied) == rows + 1
    assert {line.count("\t") for line in copied} == {model.columnCount() - 1}


def test_that_the_commands_of_the_build_can_be_run_as_they_are_copied(window: MainWindow, qtbot: QtBot) -> None:
    panel = show(window, "build", qtbot)
    assert panel.evidence is not None
    commands = [item.content for item in panel.evidence.sections if isinstance(item.content, CommandLines)]
    assert any(f"{OPERATOR}.cpp" in command for content in commands for command in content.commands)


def test_that_one_click_copies_all_about_the_result(window: MainWindow, qtbot: QtBot) -> None:
    panel = show(window, "value", qtbot)
    feed(window, verdict())
    _choice, button = panel.header_widgets()
    qtbot.waitUntil(button.isEnabled)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    for word in (
        "version of torch",
        "version of onnxruntime",
        "machine",
        "SHA-256",
        "source relu6_scale.cpp",
        "stage value",
    ):
        assert word in text, word
    assert re.search(r"\b[0-9a-f]{64}\b", text)


def test_that_the_evidence_of_a_running_stage_is_dimmed_and_nothing_else_shows_through(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.docks.reveal("evidence")
    panel = show(window, "value", qtbot)

    def brightest(ground: Qt.GlobalColor) -> int:
        picture = QPixmap(panel.size())
        picture.fill(ground)
        panel.render(picture)
        image = picture.toImage()
        middle = range(0, image.width(), 2), range(image.height() // 4, image.height(), 2)
        return max(image.pixelColor(x, y).lightness() for x in middle[0] for y in middle[1])

    bright = brightest(Qt.GlobalColor.black)
    feed(window, JobStarted(job=1, key=OPERATOR, title="check", at=AT))
    feed(window, StageStarted(operator=OPERATOR, stage="value", at=AT))
    panel.refresh()
    assert panel.panel_state is PanelState.BUSY
    assert brightest(Qt.GlobalColor.black) < 0.8 * bright
    # Whatever lies beneath the panel has no part in the picture.
    assert brightest(Qt.GlobalColor.white) == brightest(Qt.GlobalColor.black)


def show_history(window: MainWindow, qtbot: QtBot) -> HistoryPanel:
    window.docks.show_panel("history")
    panel = panel_of(window, HistoryPanel)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 2, timeout=20_000)
    return panel


def test_that_builds_are_listed_newest_first_with_their_figures(window: MainWindow, qtbot: QtBot) -> None:
    model = show_history(window, qtbot).model
    verdicts = [str(model.index(row, HistoryColumn.VERDICT).data()) for row in range(model.rowCount())]
    assert [verdict.split()[0] for verdict in verdicts] == ["good", "bad"]
    assert "NUM012" in verdicts[1]
    assert float(str(model.index(0, HistoryColumn.ERROR).data())) <= 1.0
    # By how much something is wrong says no more from some size on.
    assert model.index(1, HistoryColumn.ERROR).data() == "over 1,000"
    assert float(model.index(1, HistoryColumn.ERROR).data(Qt.ItemDataRole.ToolTipRole).split()[0]) > 1000


def test_that_a_pinned_baseline_says_what_became_better(window: MainWindow, qtbot: QtBot) -> None:
    panel = show_history(window, qtbot)
    window.selection.select_build(1)
    panel.toggle_pin()
    qtbot.waitUntil(lambda: panel.model.baseline == 1, timeout=20_000)
    error = panel.model.index(0, HistoryColumn.ERROR)
    assert error.data() == "0  was over 1,000"
    assert error.data(Qt.ItemDataRole.ForegroundRole).name() == panel._context.theme.tokens.good.lower()
    panel.toggle_pin()
    qtbot.waitUntil(lambda: panel.model.baseline is None, timeout=20_000)


def test_that_two_builds_are_compared_line_by_line(window: MainWindow) -> None:
    window.perspectives.show("history")
    page = window.center.shown
    assert isinstance(page, DifferencePage)
    window.selection.select_build(2)
    text = page.view.toPlainText()
    assert re.search(r"^ +14 +− .*Compute\(1\)\)", text, re.MULTILINE), text
    assert re.search(r"^ +14 +\+ .*Compute\(0\)\)", text, re.MULTILINE), text
    window.selection.select_build(1)
    assert "There is no build before it" in label_texts(page)


class _ShownWindows(QObject):
    """Notes what is shown as a window."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - of Qt
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.kinds.append(type(watched).__name__)
        return False


def test_that_no_part_of_the_evidence_is_a_window_for_a_moment(theme: Theme, qapp: QApplication) -> None:
    shown = _ShownWindows()
    qapp.installEventFilter(shown)
    rows = [(f"case {number}", str(number)) for number in range(40)]
    section = TableSection(table(("case", "elements"), rows, numbers=("elements",)), theme)
    qapp.removeEventFilter(shown)
    assert shown.kinds == []
    assert not section.filter.isHidden()
    section.deleteLater()


def test_that_numbers_of_a_table_are_sorted_by_what_they_count(theme: Theme, qtbot: QtBot) -> None:
    times = ["200 µs", "1.5 s", "30 ms", "4 ms", "900 ns"]
    section = TableSection(table(["time"], [[time] for time in times], numbers=["time"]), theme)
    qtbot.addWidget(section)
    model = section.view.model()
    section.view.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    shown = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert shown == ["1.5 s", "30 ms", "4 ms", "200 µs", "900 ns"]


def test_that_a_selected_build_shows_its_own_evidence_and_says_so(window: MainWindow, qtbot: QtBot) -> None:
    panel = show(window, "value", qtbot)
    assert panel.evidence is not None
    assert (panel.evidence.number, panel.evidence.findings) == (2, ())
    window.selection.select_build(1)
    qtbot.waitUntil(lambda: panel.evidence is not None and panel.evidence.number == 1, timeout=20_000)
    assert [finding.id for finding in panel.evidence.findings] == ["NUM012"]
    assert "Build 1, which is selected in the history." in words(panel)
    panel.copy_about()
    assert "build 1" in QGuiApplication.clipboard().text().lower()
    panel._note.linkActivated.emit("newest")
    qtbot.waitUntil(lambda: panel.evidence is not None and panel.evidence.number == 2, timeout=20_000)
    assert "selected in the history" not in words(panel)


def test_that_who_saves_looks_at_the_newest_build_again(window: MainWindow) -> None:
    window.selection.select_build(1)
    page = window.editors.current
    assert page is not None
    text = page.editor.file_text()
    page.editor.insertPlainText("// x\n")
    window.editors.save_current()
    assert window.selection.build is None
    page.editor.replace_text(text)
    window.editors.save_current()


@pytest.mark.parametrize("width", [900, 420, 330])
def test_that_tables_take_the_width_there_is_and_texts_are_elided_before_numbers(
    theme: Theme, width: int, qtbot: QtBot
) -> None:
    rows = [
        ("typical[float32] of a very long case that goes on and on", "1.2e-07", "0.12", "a note of some length")
    ] * 3
    section = TableSection(table(("case", "largest", "allowed", "what"), rows, numbers=("largest", "allowed")), theme)
    qtbot.addWidget(section)
    section.resize(width, 300)
    section.show()
    view = section.view
    widths = [view.columnWidth(column) for column in range(4)]
    assert sum(widths) <= view.viewport().width()
    for column in (1, 2):
        assert widths[column] >= view.sizeHintForColumn(column)
    assert section.minimumSizeHint().width() <= 260  # the page never scrolls sideways
    index = view.model().index(0, 0)
    assert index.data(Qt.ItemDataRole.ToolTipRole) == rows[0][0]


@pytest.mark.parametrize(
    ("wanted", "least", "room", "fitting"),
    [
        ((100, 50), (44, 50), 200, [100, 50]),
        ((100, 50), (44, 50), 120, [70, 50]),
        ((100, 50), (44, 50), 80, [44, 50]),
        ((300, 200, 40), (44, 44, 40), 340, [150, 150, 40]),
        ((10, 10), (10, 10), 5, [10, 10]),
        ((), (), 100, []),
    ],
)
def test_that_the_widest_columns_give_first(
    wanted: tuple[int, ...], least: tuple[int, ...], room: int, fitting: list[int]
) -> None:
    assert fitting_widths(wanted, least, room) == fitting
