"""Events of jobs: their names, their JSON form and their grammar."""

from __future__ import annotations

import json
import math
import time
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.base.errors import CancelledError, StudioError
from opstudio.base.finding import Finding, Place
from opstudio.jobs.events import (
    JobEvent,
    JobFinished,
    JobOutcome,
    JobStarted,
    OutputWritten,
    Progressed,
    StageFinished,
    StageStarted,
    StageState,
    Verdict,
    VerdictReached,
    event_name,
    event_to_json,
)
from opstudio.jobs.lanes import Job, JobContext

FINDING = Finding(id="BLD009", stage="build", title="t", cause="c", fix="f", places=(Place(file="a.cpp", line=2),))

EVENTS: list[tuple[JobEvent, dict[str, object]]] = [
    (
        JobStarted(at=1.5, job=7, key="relu", title="Check"),
        {"event": "job_started", "at": 1.5, "job": 7, "key": "relu", "title": "Check"},
    ),
    (
        StageStarted(at=1.0, operator="relu", stage="build"),
        {"event": "stage_started", "at": 1.0, "operator": "relu", "stage": "build"},
    ),
    (
        StageFinished(at=1.0, operator="relu", stage="build", state=StageState.NOT_RUN, seconds=math.nan),
        {
            "event": "stage_finished",
            "at": 1.0,
            "operator": "relu",
            "stage": "build",
            "state": "not_run",
            "seconds": "NaN",
            "cached": False,
            "summary": "",
            "findings": [],
        },
    ),
    (
        OutputWritten(at=0.0, operator="relu", source="g++", text="中\n"),
        {"event": "output_written", "at": 0.0, "operator": "relu", "source": "g++", "text": "中\n"},
    ),
    (
        Progressed(at=0.0, label="l", operator="relu"),
        {"event": "progressed", "at": 0.0, "label": "l", "fraction": None, "operator": "relu"},
    ),
    (
        VerdictReached(at=0.0, operator="relu", verdict=Verdict.BAD, seconds=0.5, final=True),
        {"event": "verdict_reached", "at": 0.0, "operator": "relu", "verdict": "bad", "seconds": 0.5, "final": True},
    ),
    (
        JobFinished(at=0.0, job=1, key="relu", outcome=JobOutcome.FAILED, seconds=1.0, findings=(FINDING,)),
        {
            "event": "job_finished",
            "at": 0.0,
            "job": 1,
            "key": "relu",
            "outcome": "failed",
            "seconds": 1.0,
            "findings": [
                {
                    "id": "BLD009",
                    "stage": "build",
                    "severity": "error",
                    "title": "t",
                    "cause": "c",
                    "fix": "f",
                    "places": [{"file": "a.cpp", "line": 2, "column": None, "node": None, "tensor": None}],
                    "evidence": {},
                }
            ],
        },
    ),
]


@pytest.mark.parametrize(("event", "data"), EVENTS, ids=lambda item: type(item).__name__)
def test_that_an_event_is_written_with_its_name_first(event: JobEvent, data: dict[str, object]) -> None:
    result = event_to_json(event)

    assert data == result
    assert list(data) == list(result)
    json.dumps(result, allow_nan=False)


def test_that_every_event_of_the_union_is_tried_above() -> None:
    assert set(typing.get_args(JobEvent)) == {type(event) for event, _ in EVENTS}


def test_that_every_event_has_its_own_name() -> None:
    names = [event_name(event) for event, _ in EVENTS]

    assert len(names) == len(set(names))


def test_that_an_event_knows_when_it_was_made() -> None:
    before = time.time()
    event = Progressed(label="now")

    assert before <= event.at <= time.time()


STEPS = st.lists(
    st.sampled_from(["emit", "cancel", "check", "raise StudioError", "raise CancelledError", "raise ValueError"]),
    max_size=8,
)


@settings(deadline=None, max_examples=150)
@given(steps=STEPS, cancelled_before=st.booleans())
def test_that_any_work_obeys_the_grammar_of_events(steps: list[str], *, cancelled_before: bool) -> None:
    events: list[JobEvent] = []

    def work(context: JobContext) -> None:
        for step in steps:
            match step.split():
                case ["emit"]:
                    context.emit(Progressed(label="step"))
                case ["cancel"]:
                    context.cancel.cancel()
                case ["check"]:
                    context.cancel.check()
                case ["raise", "StudioError"]:
                    raise StudioError(FINDING)
                case ["raise", "CancelledError"]:
                    raise CancelledError
                case _:
                    raise ValueError(step)

    job = Job(title="job", key="job", work=work, listener=events.append)
    if cancelled_before:
        job.cancel.cancel()
    expected = expected_outcome(["check", *steps], cancelled=cancelled_before)
    try:
        job.run()
    except ValueError:
        assert "raise ValueError" in steps

    first, *middle, last = events
    assert isinstance(first, JobStarted)
    assert all(isinstance(event, Progressed) for event in middle)
    assert isinstance(last, JobFinished)
    assert (expected, True) == (last.outcome, job.done.is_set())


def expected_outcome(steps: list[str], *, cancelled: bool) -> JobOutcome:
    for step in steps:
        cancelled = cancelled or step == "cancel"
        if step == "raise CancelledError" or (step == "check" and cancelled):
            return JobOutcome.CANCELLED
        if step.startswith("raise"):
            return JobOutcome.FAILED
    return JobOutcome.SUCCEEDED
