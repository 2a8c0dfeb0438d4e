from __future__ import annotations

import gc
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QTextBrowser
from pytestqt.qtbot import QtBot

from opstudio.jobs.events import JobOutcome
from opstudio.qt.bridge import LoopRefused
from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.log_model import MOST_LINES
from opstudio.qt.panel import PanelArea, find_panels
from opstudio.qt.panels.findings import FindingsPanel
from opstudio.qt.panels.log import LogPanel
from opstudio.qt.panels.operators import OperatorsPanel
from tests.qt.conftest import MakeWindow
from tests.qt.events import (
    OPERATOR,
    a_finding,
    bad_run,
    finished,
    good_run,
    output,
    stage_finished,
    stage_started,
    started,
    verdict,
)
from tests.qt.window_access import feed, panel_of, words
from tests.support.workspaces import TestWorkspace

LONGEST_STALL_SECONDS = 0.1


def ids(window: MainWindow) -> list[str]:
    model = panel_of(window, FindingsPanel).model
    return [model.at(row).finding.id for row in range(model.rowCount())]


def test_that_panels_are_found_in_areas_of_their_own() -> None:
    areas = {panel.id: panel.area for panel in find_panels()}
    assert len(areas) == len(find_panels())
    assert (areas["operators"], areas["findings"]) == (PanelArea.LEFT, PanelArea.RIGHT)
    assert areas["log"] is areas["jobs"] is PanelArea.BOTTOM
    first: dict[PanelArea, str] = {}
    for panel in find_panels():
        first.setdefault(panel.area, panel.id)
    assert set(first.values()) == {"operators", "findings", "log"}


def test_that_findings_are_listed_with_cause_fix_and_place(window: MainWindow) -> None:
    feed(window, *bad_run(a_finding(), a_finding("NUM013")))
    assert ids(window) == ["NUM012", "NUM013"]
    detail = panel_of(window, FindingsPanel).findChild(QTextBrowser)
    assert detail is not None
    text = detail.toPlainText()
    assert "12 of 64 elements differ" in text
    assert "Compute the element by hand" in text
    assert "relu6_scale/relu6_scale.cpp:8" in text


def test_that_enter_on_a_finding_goes_to_its_line(window: MainWindow, qtbot: QtBot) -> None:
    feed(window, *bad_run(a_finding(line=16)))
    window.editors.open_file(window.editors.paths[1])
    view = panel_of(window, FindingsPanel).view
    qtbot.keyClick(view, Qt.Key.Key_Return)
    page = window.editors.current
    assert page is not None
    assert page.path.name == "relu6_scale.cpp"
    assert page.editor.textCursor().blockNumber() == 15


def test_that_a_click_on_a_finding_goes_to_its_line(window: MainWindow, qtbot: QtBot) -> None:
    feed(window, *bad_run(a_finding(line=8), a_finding("NUM014", line=20)))
    view = panel_of(window, FindingsPanel).view
    middle = view.visualRect(view.model().index(1, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert window.editors.current is not None
    assert window.editors.current.editor.textCursor().blockNumber() + 1 == 20


def test_that_a_place_that_is_no_file_is_only_told(window: MainWindow, qtbot: QtBot) -> None:
    feed(window, *bad_run(a_finding(file="relu6_scale/gone.cpp")))
    qtbot.keyClick(panel_of(window, FindingsPanel).view, Qt.Key.Key_Return)
    assert "gone.cpp is not a file" in window.statusBar().currentMessage()


def test_that_a_stage_shows_its_summary_and_its_findings_only(window: MainWindow) -> None:
    feed(window, *bad_run(a_finding()))
    window.selection.select_stage("build")
    assert ids(window) == []
    assert "build: good" in words(panel_of(window, FindingsPanel))
    assert "12 cases" in words(panel_of(window, FindingsPanel))
    window.selection.select_stage("")
    assert ids(window) == ["NUM012"]


def test_that_earlier_findings_stay_dimmed_while_a_check_runs(window: MainWindow) -> None:
    feed(window, *bad_run(a_finding()))
    feed(window, started(), stage_started("build", at=time.time() - 5))
    model = panel_of(window, FindingsPanel).model
    assert [(model.at(0).finding.id, model.at(0).stale)] == [("NUM012", True)]
    assert "Running build for 5 s" in words(panel_of(window, FindingsPanel))
    feed(window, stage_finished("build"), stage_finished("value"), verdict(), finished())
    assert ids(window) == []
    assert "Running" not in words(panel_of(window, FindingsPanel))


def test_that_the_findings_panel_says_what_will_be_there(window: MainWindow) -> None:
    page = panel_of(window, FindingsPanel).empty_page
    assert "relu6_scale: unchecked" in words(page)
    feed(window, *good_run())
    assert "No findings" in words(page)
    assert "2 stages, verdict in 400 ms" in words(page)


def test_that_why_nothing_can_be_checked_is_a_finding_in_place(window: MainWindow) -> None:
    feed(window, LoopRefused((a_finding("STU003", line=None, title="The workspace's Python lacks torch"),)))
    assert ids(window) == ["STU003"]


def test_that_a_job_that_failed_shows_its_finding(window: MainWindow) -> None:
    feed(window, started(), finished(JobOutcome.FAILED, a_finding("BLD005", line=None)))
    assert ids(window) == ["BLD005"]


def test_that_ten_thousand_findings_are_shown_without_a_stall(window: MainWindow) -> None:
    found = tuple(a_finding(f"NUM{number:05d}", line=number) for number in range(10_000))
    start = time.thread_time()
    feed(window, *bad_run(*found))
    QGuiApplication.processEvents()
    assert panel_of(window, FindingsPanel).model.rowCount() == 10_000
    assert time.thread_time() - start < 1.0


def test_that_selecting_an_operator_opens_its_files(
    make_window: MakeWindow, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    workspace.add("relu6_scale", "another")
    window = make_window(workspace.root)
    assert window.selection.operator == "another"
    qtbot.keyClick(panel_of(window, OperatorsPanel).view, Qt.Key.Key_Down)
    assert window.selection.operator == OPERATOR
    assert {path.parent.name for path in window.editors.paths} == {OPERATOR}


def test_that_an_empty_workspace_says_what_an_operator_is(make_window: MakeWindow, tmp_path: Path) -> None:
    window = make_window(TestWorkspace(tmp_path / "empty").root)
    assert "An operator is a folder with a contract.toml" in words(panel_of(window, OperatorsPanel))
    assert window.strip.isHidden()


def test_that_an_operator_that_appears_is_listed_and_shown(make_window: MakeWindow, tmp_path: Path) -> None:
    empty = TestWorkspace(tmp_path / "empty")
    window = make_window(empty.root)
    empty.add("relu6_scale", "new")
    window.actions_.look_again.trigger()
    assert window.selection.operator == "new"
    assert not window.strip.isHidden()


def test_that_many_operators_can_be_searched(make_window: MakeWindow, tmp_path: Path, qtbot: QtBot) -> None:
    many = TestWorkspace(tmp_path / "many")
    for number in range(14):
        many.add("relu6_scale", f"op{number:02d}")
    window = make_window(many.root)
    panel = panel_of(window, OperatorsPanel)
    search = panel.findChild(QLineEdit)
    assert search is not None
    assert search.isVisible()
    qtbot.keyClicks(search, "OP1")
    assert panel.view.model().rowCount() == 4


def test_that_output_is_listed_line_by_line_and_the_verdict_after_it(window: MainWindow) -> None:
    feed(window, output("one\ntw"), output("o\nthree"), verdict())
    model = panel_of(window, LogPanel).model
    assert [str(model.at(row)).split(maxsplit=1)[1] for row in range(model.rowCount())] == [
        "relu6_scale  build  one",
        "relu6_scale  build  two",
        "relu6_scale  build  three",
        "relu6_scale  verdict  good after 400 ms",
    ]


def test_that_a_flood_of_output_is_bounded_and_never_stalls_the_window(window: MainWindow) -> None:
    panel, longest = panel_of(window, LogPanel), 0.0
    # Nor are the objects that other tests left to the garbage collector.
    gc.freeze()
    for number in range(101):
        batch = [output(f"line {number}-{line}: " + "x" * 60 + "\n") for line in range(2000)]
        # What other programs of the machine do meanwhile is not the window's fault.
        start = time.thread_time()
        feed(window, *batch)
        QGuiApplication.processEvents()
        longest = max(longest, time.thread_time() - start)
    gc.unfreeze()
    assert (panel.model.kept, panel.model.received) == (MOST_LINES, 202_000)
    assert panel.model.at(MOST_LINES - 1).text.startswith("line 100-1999")
    assert longest < LONGEST_STALL_SECONDS


def test_that_the_log_follows_its_end_until_the_person_scrolls_away(window: MainWindow) -> None:
    panel = panel_of(window, LogPanel)
    feed(window, *(output(f"{number}\n") for number in range(500)))
    QGuiApplication.processEvents()
    bar = panel._view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    bar.setValue(10)
    feed(window, *(output(f"{number}\n") for number in range(500)))
    QGuiApplication.processEvents()
    assert bar.value() == 10


def test_that_selected_lines_are_copied_with_their_sources(window: MainWindow) -> None:
    panel = panel_of(window, LogPanel)
    feed(window, output("one\ntwo\n"))
    panel._view.selectAll()
    panel.copy_selected()
    copied = QGuiApplication.clipboard().text().splitlines()
    assert [line.split(maxsplit=1)[1] for line in copied] == ["relu6_scale  build  one", "relu6_scale  build  two"]


@pytest.mark.parametrize("part", ["operators", "findings", "log"])
def test_that_every_panel_takes_the_keyboard(window: MainWindow, part: str) -> None:
    panel = window.docks.panels[part]
    window.activateWindow()
    panel.focus_content()
    focused = window.focusWidget()
    assert focused is not None
    assert focused is panel or panel.isAncestorOf(focused) or focused in panel.header_widgets()
