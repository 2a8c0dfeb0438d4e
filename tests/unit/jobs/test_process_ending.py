"""Programs that must be ended: nobody of their group is left."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from opstudio.base.errors import CancelledError
from opstudio.jobs.cancel import CancelToken
from opstudio.jobs.process import ProcessLimits, end_group, run_process

STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"
FAMILY = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", {STUBBORN!r}])
print(child.pid, flush=True)
time.sleep(60)
"""


def is_running(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def wait_until(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < seconds


@pytest.mark.parametrize("stop_after", [0.0, 0.2])
def test_that_a_cancelled_program_is_ended_soon(stop_after: float) -> None:
    token = CancelToken()
    threading.Timer(stop_after, token.cancel, ["superseded"]).start()

    with within(2.0), pytest.raises(CancelledError, match="superseded"):
        run_process(["/bin/sleep", "60"], cancel=token)


def test_that_cancelling_ends_grandchildren_that_ignore_the_polite_signal() -> None:
    token, output = CancelToken(), []

    def watch(text: str) -> None:
        output.append(text)
        if "up" in "".join(output):
            token.cancel()

    with within(8.0), pytest.raises(CancelledError):
        run_process([sys.executable, "-c", FAMILY], cancel=token, on_output=watch)

    grandchild = int("".join(output).replace("up", "").split()[0])
    assert wait_until(lambda: not is_running(grandchild))


def test_that_a_program_which_is_over_is_not_called_cancelled_unless_it_was() -> None:
    assert run_process(["/bin/sh", "-c", "echo done"], cancel=CancelToken()).output == "done\n"


def test_that_a_program_beyond_its_time_is_ended() -> None:
    with within(2.0):
        outcome = run_process(["/bin/sleep", "60"], limits=ProcessLimits(seconds=0.2))

    assert (outcome.status, outcome.succeeded) == (-signal.SIGTERM, False)
    assert 0.2 <= outcome.seconds < 2.0


def test_that_a_chatty_program_beyond_its_time_is_ended_as_well() -> None:
    with within(4.0):
        outcome = run_process(["yes"], limits=ProcessLimits(seconds=0.3))

    assert not outcome.succeeded
    assert outcome.output.startswith("y\ny\n")
    assert len(outcome.output) < 5 * 2**20


def test_that_a_program_which_ends_in_good_order_when_its_time_is_over_did_not_succeed() -> None:
    code = "trap 'exit 0' TERM; while true; do sleep 0.02; done"

    assert not run_process(["/bin/sh", "-c", code], limits=ProcessLimits(seconds=0.3)).succeeded


def test_that_a_limit_which_is_not_reached_changes_nothing() -> None:
    assert run_process(["/bin/sh", "-c", "sleep 0.1; exit 5"], limits=ProcessLimits(seconds=30.0)).status == 5


def test_that_a_child_left_in_the_background_does_not_hold_up_the_end(tmp_path: Path) -> None:
    code = f"sleep 60 & echo $! > {tmp_path}/pid; echo done; exit 4"

    with within(3.0):
        outcome = run_process(["/bin/sh", "-c", code])

    assert (outcome.status, outcome.output) == (4, "done\n")
    child = int((tmp_path / "pid").read_text())
    assert wait_until(lambda: not is_running(child))


def test_that_a_child_left_in_the_background_which_keeps_writing_does_not_hold_up_the_end() -> None:
    code = "(while true; do echo x; sleep 0.01; done) & exit 0"

    with within(1.5):
        run_process(["/bin/sh", "-c", code], limits=ProcessLimits(seconds=2.0))


def test_that_a_failing_listener_ends_the_program_and_is_heard(tmp_path: Path) -> None:
    def fail(_text: str) -> None:
        raise LookupError("listener")

    with within(4.0), pytest.raises(LookupError, match="listener"):
        run_process(["/bin/sh", "-c", f"echo $$ > {tmp_path}/pid; echo up; sleep 60"], on_output=fail)

    assert not is_running(int((tmp_path / "pid").read_text()))


def open_files_and_children() -> tuple[int, set[str]]:
    own = Path("/proc/self")
    children = {child for task in own.glob("task/*/children") for child in task.read_text().split()}
    return len(list((own / "fd").iterdir())), children


def test_that_nothing_stays_open_or_unreaped() -> None:
    before = open_files_and_children()
    for _ in range(3):
        run_process(["/bin/sh", "-c", "echo a"])
        with contextlib.suppress(CancelledError):
            token = CancelToken()
            token.cancel()
            run_process(["/bin/sleep", "60"], cancel=token)

    assert before == open_files_and_children()


def test_that_a_stopped_program_is_ended() -> None:
    with within(4.0):
        outcome = run_process(["/bin/sh", "-c", "echo up; kill -STOP $$"], limits=ProcessLimits(seconds=0.3))

    assert (outcome.status, outcome.output) == (-signal.SIGKILL, "up\n")


def test_that_ending_a_group_that_is_gone_is_no_error() -> None:
    process = subprocess.Popen(["/bin/sh", "-c", "exit 0"], start_new_session=True)
    process.wait()

    with within(1.0):
        end_group(process.pid)


def test_that_a_group_is_killed_when_its_patience_is_over() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STUBBORN], start_new_session=True, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"

    with within(3.0):
        end_group(process.pid, patience_seconds=0.2)

    process.stdout.close()
    assert process.wait(timeout=5.0) == -signal.SIGKILL


@pytest.mark.parametrize(("limit", "timed_out"), [(0.2, True), (30.0, False), (None, False)])
def test_that_an_outcome_says_whether_the_time_was_over(limit: float | None, *, timed_out: bool) -> None:
    seconds = 60 if timed_out else 0

    assert timed_out == run_process(["/bin/sleep", str(seconds)], limits=ProcessLimits(seconds=limit)).timed_out


def test_that_the_last_words_of_a_program_which_is_ended_arrive() -> None:
    code = "trap 'echo farewell; exit 1' TERM; echo up; while true; do sleep 0.02; done"

    outcome = run_process(["/bin/sh", "-c", code], limits=ProcessLimits(seconds=0.3))

    assert (outcome.output[:3], outcome.output[-9:], outcome.status) == ("up\n", "farewell\n", 1)


def test_that_a_child_which_leaves_the_group_and_writes_for_ever_does_not_hold_up_the_end(tmp_path: Path) -> None:
    code = f"setsid sh -c 'echo $$ > {tmp_path}/pid; exec yes' & sleep 0.2; echo mine; exit 3"

    with within(3.0):
        outcome = run_process(["/bin/sh", "-c", code])

    child = int((tmp_path / "pid").read_text())
    assert (outcome.status, "mine\n" in outcome.output) == (3, True)
    assert len(outcome.output) < 5 * 2**20
    with contextlib.suppress(ProcessLookupError):  # nobody reads its pipe any more
        os.kill(child, signal.SIGKILL)


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    print(os.getpid(), flush=True)
    time.sleep(60)
time.sleep({seconds})
"""


@pytest.mark.parametrize("seconds", [0.3, 60])
def test_that_what_left_the_group_is_ended_where_nobody_vouches_for_a_program(seconds: float) -> None:
    command = [sys.executable, "-c", DAEMON.format(seconds=seconds)]

    outcome = run_process(command, limits=ProcessLimits(seconds=2.0, ends_descendants=True))

    assert not is_running(int(outcome.output))


def test_that_a_program_that_takes_more_memory_than_it_may_is_ended() -> None:
    code = "import time; data = bytearray(400 << 20); data[::4096] = bytes(len(data[::4096])); time.sleep(60)"

    outcome = run_process([sys.executable, "-c", code], limits=ProcessLimits(seconds=30.0, memory_bytes=200 << 20))

    assert (outcome.out_of_memory, outcome.timed_out, outcome.succeeded) == (True, False, False)
    assert outcome.seconds < 30.0
