"""The list of jobs, and notifications."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeView
from pytestqt.qtbot import QtBot

from opstudio.jobs.events import JobFinished, JobOutcome, JobStarted, Verdict
from opstudio.qt.bridge import CheckRequested
from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.job_model import MOST_ENDED, JobColumn
from opstudio.qt.panels.jobs import JobsPanel
from tests.qt.conftest import MakeWindow
from tests.qt.events import OPERATOR, a_finding, bad_run, finished, good_run, stage_started, started
from tests.qt.window_access import feed, panel_of
from tests.support.workspaces import TestWorkspace


def rows(window: MainWindow) -> list[tuple[str, ...]]:
    model = panel_of(window, JobsPanel).model
    columns = (JobColumn.JOB, JobColumn.STATE)
    return [tuple(str(model.index(row, column).data()) for column in columns) for row in range(model.rowCount())]


def test_that_jobs_stand_in_the_order_running_waiting_ended(make_window: MakeWindow, workspace: TestWorkspace) -> None:
    for name in ("b", "c"):
        workspace.add("relu6_scale", name)
    window = make_window(workspace.root)
    feed(window, *bad_run(operator="b"))
    feed(window, CheckRequested("c"), CheckRequested(OPERATOR))
    feed(window, started(OPERATOR), stage_started("build"))
    assert rows(window) == [(OPERATOR, "build…"), ("c", "waiting"), ("b", "bad")]


def test_that_an_ended_job_tells_how_long_it_took_and_why_there_is_no_verdict(window: MainWindow) -> None:
    feed(window, JobStarted(job=7, key=OPERATOR, title="check", at=1000.0))
    problem = a_finding("BLD005", title="There is no compiler")
    feed(window, JobFinished(job=7, key=OPERATOR, outcome=JobOutcome.FAILED, seconds=2.5, findings=(problem,)))
    model = panel_of(window, JobsPanel).model
    assert rows(window) == [(OPERATOR, "no verdict")]
    assert model.index(0, JobColumn.SECONDS).data() == "2.50 s"
    assert model.index(0, JobColumn.STATE).data(Qt.ItemDataRole.ToolTipRole) == "There is no compiler"


def test_that_the_button_and_delete_cancel_a_job(window: MainWindow, qtbot: QtBot) -> None:
    window.session._round.append(OPERATOR)
    window.state.set_waiting([OPERATOR], waiting=True)
    assert rows(window) == [(OPERATOR, "waiting")]
    window.docks.show_panel("jobs")
    view = panel_of(window, JobsPanel).findChild(QTreeView)
    assert view is not None
    place = view.visualRect(panel_of(window, JobsPanel).model.index(0, JobColumn.CANCEL)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert rows(window) == []
    window.session._round.append(OPERATOR)
    window.state.set_waiting([OPERATOR], waiting=True)
    view.setCurrentIndex(panel_of(window, JobsPanel).model.index(0, 0))
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert rows(window) == []


def test_that_old_jobs_make_room(window: MainWindow) -> None:
    for number in range(MOST_ENDED + 50):
        feed(window, JobStarted(job=number, key=OPERATOR, title="check"), finished(operator=OPERATOR))
    assert panel_of(window, JobsPanel).model.rowCount() == MOST_ENDED


def test_that_a_verdict_elsewhere_is_told_without_taking_the_keyboard(
    make_window: MakeWindow, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    workspace.add("relu6_scale", "another")
    window = make_window(workspace.root)
    window.selection.select_operator(OPERATOR)
    page = window.editors.current
    assert page is not None
    page.editor.setFocus()
    feed(window, *good_run("another"))
    assert window.notifications.kept == ()  # the first verdict changes nothing
    feed(window, *good_run("another"))
    feed(window, *bad_run(operator="another"))
    assert [item.text for item in window.notifications.kept] == ["another is bad now"]
    assert not window.toast.isHidden()
    assert window.focusWidget() is page.editor
    qtbot.mouseClick(window.toast, Qt.MouseButton.LeftButton)
    assert window.selection.operator == "another"
    assert window.toast.isHidden()
    # That of the operator which is looked at stands in the strip.
    feed(window, *good_run("another"))
    assert len(window.notifications.kept) == 1
    assert window.state.view("another").verdict is Verdict.GOOD


def test_that_a_check_that_cannot_be_done_is_told(window: MainWindow) -> None:
    feed(window, started(), finished(JobOutcome.FAILED, a_finding("BLD005", title="There is no compiler")))
    assert [item.text for item in window.notifications.kept] == ["There is no compiler"]
