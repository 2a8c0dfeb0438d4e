"""Jobs that end badly: exactly one terminal event, and a lane that goes on."""

from __future__ import annotations

import threading

import pytest

from opstudio.jobs.events import JobEvent, JobFinished, JobOutcome, JobStarted
from opstudio.jobs.lanes import Job, JobContext, Lane
from tests.unit.jobs.recording import Recorder, nothing, wait_for


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def unhandled(monkeypatch: pytest.MonkeyPatch) -> list[BaseException | None]:
    """Collect what threads let through, instead of failing the test."""
    errors: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda arguments: errors.append(arguments.exc_value))
    return errors


@pytest.mark.parametrize("error", [ZeroDivisionError("by zero"), RecursionError(), AssertionError("impossible")])
def test_that_a_bug_ends_the_job_with_a_finding_and_is_not_swallowed(
    recorder: Recorder, unhandled: list[BaseException | None], error: Exception
) -> None:
    def fail(_context: JobContext) -> None:
        raise error

    lane = Lane("test")
    job = recorder.job("buggy", fail)
    lane.submit(job)
    wait_for(job)
    lane.close()

    assert recorder.outcome("buggy") == JobOutcome.FAILED
    last = recorder.events["buggy"][-1]
    assert isinstance(last, JobFinished)
    (finding,) = last.findings
    assert ("STU001", f"{type(error).__name__}: {error}") == (finding.id, finding.cause)
    assert [error] == unhandled


def test_that_a_lane_survives_a_bug_of_one_job(
    recorder: Recorder,
    unhandled: list[BaseException | None],
) -> None:
    def fail(_context: JobContext) -> None:
        raise ZeroDivisionError

    lane = Lane("test")
    buggy, later = recorder.job("buggy", fail), recorder.job("later", nothing)
    lane.submit(buggy)
    wait_for(buggy)
    lane.submit(later)
    ended = later.done.wait(1.0)
    lane.close()

    assert (ended, len(unhandled)) == (True, 1)
    assert recorder.outcome("later") == JobOutcome.SUCCEEDED


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_that_even_an_exit_ends_the_job_with_a_terminal_event(
    recorder: Recorder, unhandled: list[BaseException | None], error: type[BaseException]
) -> None:
    def leave(_context: JobContext) -> None:
        raise error

    lane = Lane("test")
    job = recorder.job("leaving", leave)
    lane.submit(job)
    wait_for(job)
    lane.close()

    assert recorder.outcome("leaving") == JobOutcome.FAILED
    assert len(unhandled) <= 1  # Python lets SystemExit of a thread pass in silence


@pytest.mark.parametrize("kind", [JobStarted, JobFinished])
def test_that_a_failing_listener_does_not_leave_people_waiting(
    unhandled: list[BaseException | None], kind: type[JobEvent]
) -> None:
    def listen(event: JobEvent) -> None:
        if type(event) is kind:
            raise LookupError

    lane = Lane("test")
    job = Job(title="job", key="job", work=nothing, listener=listen)
    lane.submit(job)
    ended = job.done.wait(1.0)
    lane.close()

    assert (ended, [LookupError]) == (True, [type(error) for error in unhandled])


def test_that_a_job_whose_listener_fails_first_does_not_run_and_has_failed(
    unhandled: list[BaseException | None],
) -> None:
    events: list[JobEvent] = []
    ran: list[str] = []

    def listen(event: JobEvent) -> None:
        events.append(event)
        if type(event) is JobStarted:
            raise LookupError

    lane = Lane("test")
    job = Job(title="job", key="job", work=lambda _context: ran.append("job"), listener=listen)
    lane.submit(job)
    wait_for(job)
    lane.close()

    last = events[-1]
    assert isinstance(last, JobFinished)
    assert (ran, last.outcome, [finding.id for finding in last.findings]) == ([], JobOutcome.FAILED, ["STU001"])
    assert len(unhandled) == 1


def test_that_a_job_for_a_closed_lane_is_refused(recorder: Recorder) -> None:
    lane = Lane("closed")
    lane.close()

    with pytest.raises(RuntimeError, match="late was submitted to a closed lane"):
        lane.submit(recorder.job("late", nothing))
