"""Windows in the states that panels are designed for: without anything, busy, failing, and full."""

from __future__ import annotations

import enum
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pytestqt.qtbot import QtBot

from opstudio.jobs.events import JobStarted, StageStarted
from opstudio.qt.bridge import CheckRequested
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import PanelState
from opstudio.qt.panels.evidence import EvidencePanel
from opstudio.qt.panels.history import HistoryPanel
from opstudio.workspace.build_history import KEPT_RECORDS, BuildHistory, HistoryRecord
from opstudio.workspace.folder import open_workspace
from tests.qt.events import AT, OPERATOR, a_finding, bad_run, good_run, output
from tests.qt.window_access import feed, panel_of
from tests.support.workspaces import TestWorkspace

EMPTY, BUSY, FAILING, READY = PanelState.EMPTY, PanelState.BUSY, PanelState.FAILING, PanelState.READY
MANY = 10_000
NOW = AT + 3.0
"""When a busy scene is looked at: what runs began three seconds before."""
STAGE = "value"
"""The stage that is selected in scenes of an operator that was really checked."""


class Scene(enum.StrEnum):
    """What goes on in the window."""

    EMPTY = "empty"
    BUSY = "busy"
    FAILING = "failing"
    FULL = "full"


STATES: Mapping[str, Mapping[Scene, PanelState]] = {
    "operators": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: READY},
    "findings": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: EMPTY},
    "log": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: READY, Scene.FULL: READY},
    "jobs": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: READY},
    "evidence": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: READY},
    "history": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: READY},
    "help": {Scene.EMPTY: READY, Scene.BUSY: READY, Scene.FAILING: READY, Scene.FULL: READY},
    # No scene has a model; the other states of these are in tests/qt/graph_panels.
    "models": dict.fromkeys(Scene, EMPTY),
    "node_details": dict.fromkeys(Scene, EMPTY),
    "node_list": dict.fromkeys(Scene, EMPTY),
    "model_findings": dict.fromkeys(Scene, EMPTY),
    # Nothing is exported in them; its other states are in tests/qt/export_panel.
    "export": dict.fromkeys(Scene, EMPTY),
}
"""What each panel shows in each scene."""
OF_RESULTS = ("evidence", "history")
"""The panels that show what checks left; their scenes are those of an operator that was really checked."""


def make_workspace(root: Path, scene: Scene) -> TestWorkspace:
    """Return the workspace of a scene: empty, or with operators that were never checked."""
    workspace = TestWorkspace(root)
    if scene is not Scene.EMPTY:
        for name in (OPERATOR, "row_softmax"):
            workspace.add("relu6_scale", name)
    return workspace


def play(window: MainWindow, scene: Scene) -> None:
    """Let events make the scene."""
    match scene:
        case Scene.EMPTY:
            pass
        case Scene.BUSY:
            window.selection.select_operator(OPERATOR)
            feed(window, *good_run(OPERATOR), output("g++ -O3 relu6_scale.cpp\n"))
            feed(window, CheckRequested("row_softmax"), JobStarted(job=1, key=OPERATOR, title="check", at=AT))
            feed(window, StageStarted(operator=OPERATOR, stage="build", at=AT), output("g++ relu6_scale.cpp\n"))
        case Scene.FAILING:
            window.selection.select_operator(OPERATOR)
            feed(window, *good_run("row_softmax"), output("warning: unused variable 'x'\n"))
            feed(
                window,
                *bad_run(a_finding("NUM012", line=14), a_finding("REG007", title="The gradient is wrong", line=26)),
            )
        case Scene.FULL:
            window.selection.select_operator(OPERATOR)
            feed(window, *good_run("row_softmax"), *good_run(OPERATOR))
            feed(window, *(output(f"line {number}\n") for number in range(MANY)))


def make_checked_workspace(root: Path, scene: Scene, checked: TestWorkspace | None) -> TestWorkspace:
    """Return the workspace of a scene: empty, or what a real check left in another one.

    Of its figures those are replaced that are others with every run. Where the scene is full, so is the history: with
    copies of its newest build, beside a baseline.
    """
    workspace = TestWorkspace(root)
    if checked is None:
        return workspace
    shutil.copytree(checked.root, root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("artifacts"))
    history = BuildHistory(open_workspace(root).state)
    for record in history.read(OPERATOR).records:
        history.amend(_settled(record))
    newest = history.latest(OPERATOR)
    assert newest is not None
    if scene is Scene.FULL:
        for number in range(newest.number + 1, KEPT_RECORDS + 1):
            history.add(_settled(replace(newest, number=number)), {})
        history.set_baseline(OPERATOR, 1)
    return workspace


def _settled(record: HistoryRecord) -> HistoryRecord:
    """Return a record with times that depend on nothing but its number."""
    at, median, time = AT + 60.0 * record.number, 1e-4 * (1.0 + record.number % 7 / 10), record.kernel_time
    kernel_time = None if time is None else replace(time, median=median, low=0.99 * median, high=1.01 * median)
    return replace(record, at=at, amended_at=at, verdict_seconds=0.4, kernel_time=kernel_time)


def play_checked(window: MainWindow, scene: Scene, qtbot: QtBot) -> None:
    """Look at a stage of the operator that was checked, and its evidence; in the busy scene it is running again."""
    evidence = panel_of(window, EvidencePanel)
    window.docks.reveal("evidence")
    if scene is not Scene.EMPTY:
        window.selection.select_operator(OPERATOR)
        window.selection.select_stage(STAGE)
        qtbot.waitUntil(lambda: evidence.evidence is not None, timeout=20_000)
    if scene is Scene.BUSY:
        feed(window, JobStarted(job=1, key=OPERATOR, title="check", at=AT))
        feed(window, StageStarted(operator=OPERATOR, stage=STAGE, at=AT))
    evidence.refresh()  # what changed is looked at a moment later
    window.docks.reveal("history")
    if scene is not Scene.EMPTY:
        history = panel_of(window, HistoryPanel)
        qtbot.waitUntil(lambda: history.model.rowCount() > 0, timeout=20_000)
