"""How requests end, seen from the studio: real processes that really misbehave."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from opstudio.base.errors import CancelledError, SetupError
from opstudio.jobs.cancel import CancelToken
from opstudio.worker.monitor import Limits, Listener
from opstudio.worker.outcome import Ending, Outcome
from opstudio.worker.pool import SpareWorkers, WorkerPool
from opstudio.worker.request import Request
from tests.support.workspaces import ROOT

MEBIBYTE = 2**20
Run = Callable[..., tuple[Outcome, list[dict[str, Any]], str]]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def request(entry: str, payload: Any, *, quiet: float, memory: int) -> Request:
    limits = Limits(memory_bytes=memory, quiet_seconds=lambda _label: quiet)
    return Request(entry=f"tests.support.worker_entries:{entry}", payload=payload, limits=limits)


def runner(workers: WorkerPool | SpareWorkers) -> Run:
    def run(
        entry: str,
        payload: Any = None,
        *,
        cancel: CancelToken | None = None,
        quiet: float = 20.0,
        memory: int = 2048 * MEBIBYTE,
        on_event: Callable[[dict[str, Any]], None] = lambda _event: None,
    ) -> tuple[Outcome, list[dict[str, Any]], str]:
        events: list[dict[str, Any]] = []
        printed: list[str] = []

        def take(event: dict[str, Any]) -> None:
            events.append(event)
            on_event(event)

        outcome = workers.run(
            request(entry, payload, quiet=quiet, memory=memory),
            cancel=cancel or CancelToken(),
            listener=Listener(take, printed.append),
        )
        return outcome, events, "".join(printed)

    return run


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    workers = WorkerPool(sys.executable, environment=environment())
    yield workers
    workers.close()


@pytest.fixture
def run(pool: WorkerPool) -> Run:
    return runner(pool)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def wait_until(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def test_that_values_travel_both_ways(run: Run) -> None:
    outcome, events, _ = run("echo", {"text": "行 ✓", "number": 1.5, "big": "x" * 300_000})

    assert outcome.ending is Ending.FINISHED
    assert events[0]["text"] == {"text": "行 ✓", "number": 1.5, "big": "x" * 300_000}


def test_that_every_request_has_a_process_and_a_group_of_its_own(run: Run) -> None:
    first, second = run("report_process")[1][0], run("report_process")[1][0]

    assert first["pid"] != second["pid"]
    assert first["parent"] == second["parent"] != os.getpid()
    assert first["group"] == first["pid"]


def test_that_frameworks_are_there_from_the_start(run: Run) -> None:
    assert {"torch", "onnxruntime", "numpy"} <= set(run("report_process")[1][0]["modules"])


def test_that_what_is_printed_is_handed_on_and_kept(run: Run) -> None:
    outcome, _, printed = run("print_words", "in words")

    assert printed == outcome.last_words == "in words\n and through the descriptor"


def test_that_an_error_with_findings_brings_them(run: Run) -> None:
    outcome, _, _ = run("fail_with_a_finding")

    assert outcome.ending is Ending.FAILED
    assert [finding.title for finding in outcome.findings] == ["the file is wrong"]


def test_that_any_other_error_brings_its_traceback(run: Run) -> None:
    outcome, _, _ = run("raise_an_error", "by zero")

    assert outcome.ending is Ending.FAILED
    assert outcome.error == "ZeroDivisionError: by zero"
    assert "raise_an_error" in outcome.traceback


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGFPE, signal.SIGABRT, signal.SIGBUS, signal.SIGKILL])
def test_that_a_signal_is_told_by_its_name(run: Run, number: signal.Signals) -> None:
    outcome, _, _ = run("end_by_signal", int(number))

    assert (outcome.ending, outcome.signal) == (Ending.CRASHED, number.name)


def test_that_a_crash_tells_what_was_being_done(run: Run) -> None:
    outcome, _, _ = run("read_address_zero")

    assert (outcome.ending, outcome.signal, outcome.label) == (Ending.CRASHED, "SIGSEGV", "value: reading")


@pytest.mark.parametrize("status", [0, 3])
def test_that_leaving_without_a_word_is_no_success(run: Run, status: int) -> None:
    assert run("exit_at_once", status)[0].ending is Ending.EXITED


@pytest.mark.parametrize(("entry", "busy"), [("sleep_for_ever", False), ("compute_for_ever", True)])
def test_that_a_request_without_signs_of_life_is_ended(run: Run, entry: str, *, busy: bool) -> None:
    start = time.monotonic()
    outcome, _, _ = run(entry, quiet=0.5)

    assert outcome.ending is Ending.STALLED
    assert outcome.busy is busy
    assert time.monotonic() - start < 15


def test_that_a_slow_request_with_signs_of_life_is_left_alone(run: Run) -> None:
    assert run("work_with_signs_of_life", 2.0, quiet=1.0)[0].ending is Ending.FINISHED


def test_that_memory_without_end_is_ended_at_the_limit(run: Run) -> None:
    outcome, _, _ = run("allocate_for_ever", memory=1024 * MEBIBYTE)

    assert outcome.ending is Ending.OUT_OF_MEMORY
    assert 1024 * MEBIBYTE < outcome.peak_bytes < 3072 * MEBIBYTE


def test_that_processes_and_threads_of_a_request_end_with_it(run: Run) -> None:
    outcome, events, _ = run("leave_a_process_behind")

    assert outcome.ending is Ending.SPAWNED
    assert not is_running(events[0]["pid"])
    assert run("leave_threads_running")[0].ending is Ending.FINISHED


def test_that_cancelling_ends_even_a_deaf_request(run: Run) -> None:
    cancel = CancelToken()
    pids: list[int] = []

    def stop(event: dict[str, Any]) -> None:
        pids.append(event["pid"])
        threading.Timer(0.1, cancel.cancel, ["enough"]).start()

    with pytest.raises(CancelledError, match="enough"):
        run("ignore_signals", cancel=cancel, on_event=stop)

    assert wait_until(lambda: not is_running(pids[0]))


def test_that_requests_run_side_by_side(pool: WorkerPool) -> None:
    endings: list[Ending] = []
    threads = [
        threading.Thread(target=lambda: endings.append(runner(pool)("work_with_signs_of_life", 1.0)[0].ending))
        for _ in range(3)
    ]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert endings == [Ending.FINISHED] * 3
    assert time.monotonic() - start < 2.5


def test_that_a_killed_parent_is_replaced(pool: WorkerPool) -> None:
    run = runner(pool)
    parent = run("report_process")[1][0]["parent"]
    os.kill(parent, signal.SIGKILL)
    assert wait_until(lambda: not is_running(parent))

    assert wait_until(lambda: run("echo", "again")[0].ending is Ending.FINISHED)


def test_that_a_request_to_a_parent_that_dies_or_just_starts_is_served() -> None:
    """Also where it has to warm up first, and is asked before it has begun to listen."""
    workers = WorkerPool(sys.executable, environment=environment(), warm=("tests.support.worker_entries:warm_up",))
    try:
        run = runner(workers)
        outcome, events, _ = run("report_process")
        assert outcome.ending is Ending.FINISHED
        os.kill(events[0]["parent"], signal.SIGKILL)
        assert run("echo", "again")[0].ending is Ending.FINISHED
        assert wait_until(lambda: workers.is_warm)
    finally:
        workers.close()


def test_that_children_end_when_their_parent_is_killed() -> None:
    workers = WorkerPool(sys.executable, environment=environment())
    try:
        run = runner(workers)
        child: list[int] = []

        def kill_parent(event: dict[str, Any]) -> None:
            child.append(event["pid"])
            status = Path(f"/proc/{event['pid']}/stat").read_text(encoding="ascii")
            os.kill(int(status.rpartition(") ")[2].split()[1]), signal.SIGKILL)

        outcome, _, _ = run("ignore_signals", on_event=kill_parent)

        assert outcome.ending in (Ending.LOST, Ending.CRASHED)
        assert wait_until(lambda: not is_running(child[0]))
    finally:
        workers.close()


def test_that_a_spare_process_serves_one_request_and_is_replaced() -> None:
    workers = SpareWorkers(sys.executable, environment=environment())
    try:
        run = runner(workers)
        first, events, _ = run("report_process")
        second, more, _ = run("report_process")
        crash, _, _ = run("end_by_signal", int(signal.SIGSEGV))
        stall, _, _ = run("sleep_for_ever", quiet=0.5)

        assert first.ending is second.ending is Ending.FINISHED
        assert events[0]["pid"] != more[0]["pid"]
        assert events[0]["parent"] == os.getpid()
        assert (crash.ending, crash.signal) == (Ending.CRASHED, "SIGSEGV")
        assert stall.ending is Ending.STALLED
    finally:
        workers.close()


@pytest.mark.parametrize("python", ["/nowhere/python", "/bin/true", "/bin/false"])
def test_that_what_is_no_python_is_told(python: str) -> None:
    workers = WorkerPool(python)
    try:
        with pytest.raises(SetupError, match="Python"):
            workers.versions()
    finally:
        workers.close()
