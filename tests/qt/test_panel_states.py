"""Every panel is designed for four states: empty, busy, failing, and full of ten thousand rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import PanelState, find_panels
from opstudio.qt.panels.log import LogPanel
from tests.qt.conftest import MakeWindow
from tests.qt.events import OPERATOR, a_finding, bad_run, output
from tests.qt.scenes import MANY, Scene, make_workspace, play
from tests.support.workspaces import TestWorkspace

EMPTY, BUSY, FAILING, READY = PanelState.EMPTY, PanelState.BUSY, PanelState.FAILING, PanelState.READY
EXPECTED = {
    "operators": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: READY},
    "findings": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: EMPTY},
    "log": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: READY, Scene.FULL: READY},
    "jobs": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: READY},
    # What these show is read from results of real checks: tests/qt/test_evidence_panel.py.
    "evidence": {Scene.EMPTY: EMPTY, Scene.FULL: EMPTY},
    "history": {Scene.EMPTY: EMPTY, Scene.FULL: EMPTY},
    "help": {Scene.EMPTY: READY, Scene.BUSY: READY, Scene.FAILING: READY, Scene.FULL: READY},
}


def test_that_every_panel_has_its_states() -> None:
    assert {panel.id for panel in find_panels()} == EXPECTED.keys()


@pytest.mark.parametrize("scene", list(Scene))
def test_that_panels_say_what_they_show(scene: Scene, make_window: MakeWindow, tmp_path: Path) -> None:
    window = make_window(make_workspace(tmp_path / "myops", scene).root)
    play(window, scene)
    for name, states in EXPECTED.items():
        if scene in states:
            assert window.docks.panels[name].panel_state is states[scene], name


def test_that_a_log_of_two_hundred_thousand_lines_is_kept_and_searched(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.docks.panels["log"]
    assert isinstance(panel, LogPanel)
    for start in range(0, 200_000, 2000):
        window.bridge.events_received.emit([output(f"line {number}\n") for number in range(start, start + 2000)])
    assert panel.model.kept == 200_000
    search = next(widget for widget in panel.header_widgets() if isinstance(widget, QLineEdit))
    qtbot.keyClicks(search, "line 199999")
    assert panel.model.rowCount() == 1
    search.clear()
    assert panel.model.rowCount() == 200_000


def test_that_ten_thousand_findings_are_listed(make_window: MakeWindow, workspace: TestWorkspace) -> None:
    window = make_window(workspace.root)
    findings = tuple(a_finding("NUM012", title=f"finding {number}", line=number + 1) for number in range(MANY))
    window.bridge.events_received.emit(list(bad_run(*findings, operator=OPERATOR)))
    QApplication.processEvents()
    assert window.docks.panels["findings"].panel_state is FAILING
    window.actions_.next_problem.trigger()
    assert window.selection.operator == OPERATOR
