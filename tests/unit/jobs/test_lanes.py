"""Jobs on lanes: order, supersession and the end of a lane."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from opstudio.base.errors import InputError
from opstudio.jobs.events import JobFinished, JobOutcome, JobStarted, Progressed
from opstudio.jobs.lanes import JobContext, Lane
from tests.unit.jobs.recording import PATIENCE, Recorder, nothing, until_cancelled, wait_for


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def lane() -> Iterator[Lane]:
    lane = Lane("test")
    yield lane
    lane.close()


def test_that_a_job_starts_reports_and_succeeds_on_the_lanes_thread(lane: Lane, recorder: Recorder) -> None:
    job = recorder.job("build", lambda context: context.emit(Progressed(label="half", fraction=0.5)))

    lane.submit(job)
    wait_for(job)

    assert recorder.outcome("build") == JobOutcome.SUCCEEDED
    assert [JobStarted, Progressed, JobFinished] == [type(event) for event in recorder.events["build"]]
    assert {"opstudio-test"} == recorder.threads


def test_that_jobs_run_one_after_another_in_their_order(lane: Lane, recorder: Recorder) -> None:
    jobs = [recorder.job(f"job {number}", nothing) for number in range(20)]
    for job in jobs:
        lane.submit(job)
    wait_for(jobs[-1])

    assert [f"job {number}" for number in range(20) for _ in range(2)] == recorder.order


def test_that_an_error_to_act_on_fails_the_job_with_its_findings(lane: Lane, recorder: Recorder) -> None:
    error = InputError.of("Cannot read it", cause="it is gone", fix="Bring it back")

    def fail(_context: JobContext) -> None:
        raise error

    job = recorder.job("read", fail)
    lane.submit(job)
    wait_for(job)

    assert recorder.outcome("read") == JobOutcome.FAILED
    last = recorder.events["read"][-1]
    assert isinstance(last, JobFinished)
    assert error.findings == last.findings


def test_that_work_which_is_cancelled_while_it_runs_ends_as_cancelled(lane: Lane, recorder: Recorder) -> None:
    job = recorder.job("long", until_cancelled)
    lane.submit(job)
    job.cancel.cancel("the person pressed stop")
    wait_for(job)

    assert recorder.outcome("long") == JobOutcome.CANCELLED


def test_that_work_which_ends_by_itself_though_cancelled_has_succeeded(lane: Lane, recorder: Recorder) -> None:
    started = threading.Event()

    def ignore(context: JobContext) -> None:
        started.set()
        context.cancel.wait(PATIENCE)

    job = recorder.job("deaf", ignore)
    lane.submit(job)
    assert started.wait(PATIENCE)
    job.cancel.cancel()
    wait_for(job)

    assert recorder.outcome("deaf") == JobOutcome.SUCCEEDED


def test_that_a_job_cancelled_before_its_turn_does_not_run_but_ends(lane: Lane, recorder: Recorder) -> None:
    ran: list[str] = []
    gate = threading.Event()

    def wait_at_gate(_context: JobContext) -> None:
        gate.wait(PATIENCE)

    first = recorder.job("first", wait_at_gate)
    second = recorder.job("second", lambda _context: ran.append("second"))
    lane.submit(first)
    lane.submit(second)
    second.cancel.cancel()
    gate.set()
    wait_for(second)

    assert (ran, recorder.outcome("second")) == ([], JobOutcome.CANCELLED)
    assert [JobStarted, JobFinished] == [type(event) for event in recorder.events["second"]]


def test_that_a_newer_job_cancels_the_running_and_the_waiting_ones_of_its_key_only(
    lane: Lane, recorder: Recorder
) -> None:
    running = recorder.job("running", until_cancelled, key="relu")
    waiting = recorder.job("waiting", nothing, key="relu")
    other = recorder.job("other", nothing, key="swish")
    newest = recorder.job("newest", nothing, key="relu")
    for job in (running, waiting, other, newest):
        lane.submit(job)
    wait_for(newest)

    assert {title: recorder.outcome(title) for title in recorder.events} == {
        "running": JobOutcome.CANCELLED,
        "waiting": JobOutcome.CANCELLED,
        "other": JobOutcome.SUCCEEDED,
        "newest": JobOutcome.SUCCEEDED,
    }
    assert running.cancel.reason == "superseded by a newer request"


def test_that_jobs_which_are_over_are_not_cancelled_any_more(lane: Lane, recorder: Recorder) -> None:
    jobs = [recorder.job(f"save {number}", nothing, key="relu") for number in range(3)]
    for job in jobs:
        # The lane forgets a job behind its last event, at the latest when the next one begins.
        barrier = recorder.job("barrier", nothing)
        lane.submit(job)
        lane.submit(barrier)
        wait_for(barrier)

    assert [job.cancel.is_cancelled for job in jobs] == [False, False, False]


def test_that_closing_cancels_everything_and_leaves_no_thread(recorder: Recorder) -> None:
    before = set(threading.enumerate())
    lane = Lane("closing")
    started = threading.Event()

    def work(context: JobContext) -> None:
        started.set()
        until_cancelled(context)

    jobs = [recorder.job("running", work), *(recorder.job(f"waiting {number}", nothing) for number in range(3))]
    for job in jobs:
        lane.submit(job)
    assert started.wait(PATIENCE)

    lane.close()

    assert before == set(threading.enumerate())
    assert [recorder.outcome(job.title) for job in jobs] == [JobOutcome.CANCELLED] * 4
    assert all(job.done.is_set() for job in jobs)


def test_that_an_idle_lane_closes_at_once_and_twice() -> None:
    lane = Lane("idle")
    lane.close()
    lane.close()

    assert "opstudio-idle" not in {thread.name for thread in threading.enumerate()}


def test_that_lanes_do_not_wait_for_each_other(lane: Lane, recorder: Recorder) -> None:
    other = Lane("other")
    slow, quick = recorder.job("slow", until_cancelled), recorder.job("quick", nothing)
    lane.submit(slow)
    other.submit(quick)
    wait_for(quick)

    assert not slow.done.is_set()
    slow.cancel.cancel()
    other.close()


def test_that_many_threads_may_submit_at_once(lane: Lane, recorder: Recorder) -> None:
    jobs = [recorder.job(f"{group} {number}", nothing, key=str(group)) for group in range(4) for number in range(25)]

    def submit(group: int) -> None:
        for job in jobs[group * 25 : group * 25 + 25]:
            lane.submit(job)

    threads = [threading.Thread(target=submit, args=(group,)) for group in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for job in jobs:
        wait_for(job)

    outcomes = {job.title: recorder.outcome(job.title) for job in jobs}
    assert all(outcomes[f"{group} 24"] is JobOutcome.SUCCEEDED for group in range(4))
    assert set(outcomes.values()) <= {JobOutcome.SUCCEEDED, JobOutcome.CANCELLED}
