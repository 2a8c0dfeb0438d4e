from __future__ import annotations

from pathlib import Path

import pytest

from opstudio.jobs.events import JobOutcome, Verdict
from opstudio.qt.bridge import CheckRequested
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.models.operator_view import Activity
from opstudio.workspace.folder import OperatorFolder
from tests.qt.events import finished, good_run, stage_finished, stage_started, started, verdict


def folders(*names: str) -> list[OperatorFolder]:
    return [OperatorFolder(name, Path("/ws") / name) for name in names]


@pytest.fixture
def state() -> LoopState:
    state = LoopState()
    state.set_operators(folders("a", "b"))
    return state


def test_that_a_batch_tells_once_which_operators_changed(state: LoopState) -> None:
    told: list[frozenset[str]] = []
    state.operators_updated.connect(told.append)
    state.receive([*good_run("a"), *good_run("b"), CheckRequested("a")])
    assert told == [frozenset({"a", "b"})]


def test_that_the_end_of_a_job_belongs_to_the_operator_that_it_names(state: LoopState) -> None:
    state.receive(
        [started("a"), started("b"), stage_started("build", "b"), finished(JobOutcome.CANCELLED, operator="b")]
    )
    assert state.view("a").activity is Activity.RUNNING
    assert state.view("b").is_cancelled


def test_that_a_new_list_keeps_what_is_known_of_those_that_stay(state: LoopState) -> None:
    state.receive(list(good_run("a")))
    state.set_operators(folders("a", "c"))
    assert state.names == ("a", "c")
    assert state.view("a").verdict is not None
    assert state.view("c").verdict is None


def test_that_an_operator_that_is_not_on_the_list_is_told(state: LoopState) -> None:
    told: list[bool] = []
    state.unknown_operator.connect(lambda: told.append(True))
    state.receive([started("a"), stage_finished("build", "a")])
    assert told == []
    state.receive([CheckRequested("new")])
    assert told == [True]


def test_that_nothing_is_lost_of_an_operator_that_is_listed_only_now(state: LoopState) -> None:
    state.unknown_operator.connect(lambda: state.set_operators(folders("a", "new")))
    state.receive([started("new"), verdict(operator="new"), finished(operator="new")])
    assert state.names == ("a", "new")
    assert state.view("new").verdict is Verdict.GOOD


def test_that_waiting_touches_only_idle_operators(state: LoopState) -> None:
    state.receive([started("a")])
    state.set_waiting(["a", "b"], waiting=True)
    assert [state.view(name).activity for name in "ab"] == [Activity.RUNNING, Activity.WAITING]
    state.set_waiting(["a", "b"], waiting=False)
    assert [state.view(name).activity for name in "ab"] == [Activity.RUNNING, Activity.IDLE]
