"""Every panel is designed for four states: empty, busy, failing, and full of ten thousand rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import PanelState, find_panels
from opstudio.qt.panels.findings import FindingsPanel
from opstudio.qt.panels.log import LogPanel
from tests.qt.conftest import MakeWindow
from tests.qt.events import OPERATOR, a_finding, bad_run, output
from tests.qt.scenes import MANY, OF_RESULTS, STATES, Scene, make_workspace, play, play_checked
from tests.qt.window_access import feed, panel_of
from tests.support.workspaces import TestWorkspace


def test_that_every_panel_has_its_states() -> None:
    assert {panel.id for panel in find_panels()} == STATES.keys()


@pytest.mark.parametrize("scene", list(Scene))
def test_that_panels_say_what_they_show(scene: Scene, make_window: MakeWindow, tmp_path: Path) -> None:
    window = make_window(make_workspace(tmp_path / "myops", scene).root)
    play(window, scene)
    for name in STATES.keys() - OF_RESULTS:
        assert window.docks.panels[name].panel_state is STATES[name][scene], name


@pytest.mark.parametrize("scene", list(Scene))
def test_that_panels_of_results_say_what_they_show(
    scene: Scene, make_window: MakeWindow, checked_scenes: Mapping[Scene, Path], qtbot: QtBot
) -> None:
    window = make_window(checked_scenes[scene])
    play_checked(window, scene, qtbot)
    for name in OF_RESULTS:
        assert window.docks.panels[name].panel_state is STATES[name][scene], name


def test_that_a_log_of_two_hundred_thousand_lines_is_kept_and_searched(window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window, LogPanel)
    for start in range(0, 200_000, 2000):
        feed(window, *(output(f"line {number}\n") for number in range(start, start + 2000)))
    assert panel.model.kept == 200_000
    search = next(widget for widget in panel.header_widgets() if isinstance(widget, QLineEdit))
    qtbot.keyClicks(search, "line 199999")
    assert panel.model.rowCount() == 1
    search.clear()
    assert panel.model.rowCount() == 200_000


def test_that_ten_thousand_findings_are_listed(make_window: MakeWindow, workspace: TestWorkspace) -> None:
    window = make_window(workspace.root)
    findings = tuple(a_finding("NUM012", title=f"finding {number}", line=number + 1) for number in range(MANY))
    feed(window, *bad_run(*findings, operator=OPERATOR))
    QApplication.processEvents()
    assert panel_of(window, FindingsPanel).panel_state is PanelState.FAILING
    window.actions_.next_problem.trigger()
    assert window.selection.operator == OPERATOR
