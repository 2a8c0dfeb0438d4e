"""Windows in the states that panels are designed for: without anything, busy, failing, and full."""

from __future__ import annotations

import enum
import time
from pathlib import Path

from opstudio.jobs.events import JobStarted, StageStarted
from opstudio.qt.bridge import CheckRequested
from opstudio.qt.main_window import MainWindow
from tests.qt.events import OPERATOR, a_finding, bad_run, good_run, output
from tests.support.workspaces import TestWorkspace

MANY = 10_000
_RUNNING_SECONDS = 3.0


class Scene(enum.StrEnum):
    """What goes on in the window."""

    EMPTY = "empty"
    BUSY = "busy"
    FAILING = "failing"
    FULL = "full"


def make_workspace(root: Path, scene: Scene) -> TestWorkspace:
    """Return the workspace of a scene: empty, or with operators."""
    workspace = TestWorkspace(root)
    if scene is not Scene.EMPTY:
        for name in (OPERATOR, "row_softmax"):
            workspace.add("relu6_scale", name)
    return workspace


def play(window: MainWindow, scene: Scene) -> None:
    """Let happen what makes the scene."""
    match scene:
        case Scene.EMPTY:
            pass
        case Scene.BUSY:
            window.selection.select_operator(OPERATOR)
            _feed(window, *good_run(OPERATOR), output("g++ -O3 relu6_scale.cpp\n"))
            began = time.time() - _RUNNING_SECONDS
            _feed(window, CheckRequested("row_softmax"), JobStarted(job=1, key=OPERATOR, title="check", at=began))
            _feed(window, StageStarted(operator=OPERATOR, stage="build", at=began), output("g++ relu6_scale.cpp\n"))
        case Scene.FAILING:
            window.selection.select_operator(OPERATOR)
            _feed(window, *good_run("row_softmax"), output("warning: unused variable 'x'\n"))
            _feed(
                window,
                *bad_run(a_finding("NUM012", line=14), a_finding("REG007", title="The gradient is wrong", line=26)),
            )
        case Scene.FULL:
            window.selection.select_operator(OPERATOR)
            _feed(window, *good_run("row_softmax"), *good_run(OPERATOR))
            _feed(window, *(output(f"line {number}\n") for number in range(MANY)))


def _feed(window: MainWindow, *events: object) -> None:
    window.bridge.events_received.emit(list(events))
