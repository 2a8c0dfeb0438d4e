"""What the window says while the hosts are built, and while a check waits for them."""

from __future__ import annotations

import time

import pytest
from pytestqt.qtbot import QtBot

from opstudio.jobs.events import JobOutcome, Progressed
from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.operator_view import Activity
from opstudio.qt.panels.findings import FindingsPanel
from opstudio.qt.panels.jobs import JobsPanel
from opstudio.workflows.support_builds import BUILDING_HOSTS, WAITING_FOR_HOSTS
from tests.qt.events import OPERATOR, finished, good_run, stage_finished, stage_started, started
from tests.qt.window_access import feed, panel_of, words


def building(label: str = BUILDING_HOSTS, *, seconds: float = 23.4) -> Progressed:
    return Progressed(label=label, operator=OPERATOR, at=time.time() - seconds)


@pytest.mark.parametrize(
    ("label", "word", "sentence"),
    [
        (
            BUILDING_HOSTS,
            "building the hosts…",
            "Building the hosts of PyTorch and ONNX Runtime, once for all workspaces",
        ),
        (WAITING_FOR_HOSTS, "waiting for the hosts…", "Waiting for the hosts of PyTorch and ONNX Runtime"),
        ("unpacking", "unpacking", "unpacking"),
    ],
)
def test_that_the_strip_says_what_is_waited_for_and_since_when(
    window: MainWindow, label: str, word: str, sentence: str
) -> None:
    feed(window, started(), stage_started("build"), building(label))
    verdict = window.strip.verdict
    assert (verdict.mark.word, verdict.is_dimmed) == (word, False)
    assert verdict.detail in ("23 s", "24 s")
    assert verdict.toolTip().startswith(sentence)
    assert sentence in words(panel_of(window, FindingsPanel))
    assert panel_of(window, JobsPanel).model.at(0).mark.word == word
    feed(window, stage_finished("build"))
    assert verdict.mark.word != word


def test_that_the_seconds_go_on_and_move_nothing(window: MainWindow, qtbot: QtBot) -> None:
    feed(window, started(), stage_started("build"), building(seconds=8.9))
    verdict = window.strip.verdict
    width, first = verdict.sizeHint().width(), verdict.accessibleName()
    qtbot.waitUntil(lambda: verdict.accessibleName() != first, timeout=5000)
    assert verdict.detail in ("9 s", "10 s", "11 s", "12 s", "13 s", "14 s")
    assert verdict.sizeHint().width() == width
    feed(window, finished(JobOutcome.CANCELLED))


def test_that_a_check_that_ends_waits_for_nothing_any_more(window: MainWindow) -> None:
    feed(window, *good_run())
    feed(window, started(), building(), finished(JobOutcome.CANCELLED))
    view = window.state.view(OPERATOR)
    assert (view.progress, view.activity) == ("", Activity.IDLE)
