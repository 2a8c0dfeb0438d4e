"""Requests that reach beyond themselves: copies, processes left behind, foreign descriptors, output without end."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from opstudio.worker.outcome import Ending
from opstudio.worker.pool import WorkerPool
from tests.unit.worker.test_pool import Run, environment, is_running, runner, wait_until


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    workers = WorkerPool(sys.executable, environment=environment())
    workers.versions()  # to start takes seconds, which are no part of what is measured
    yield workers
    workers.close()


@pytest.fixture
def run(pool: WorkerPool) -> Run:
    return runner(pool)


@pytest.mark.parametrize("seconds", [0.0, 0.3, 15.0])
def test_that_a_request_which_forks_is_found_out_however_late_its_copy_speaks(run: Run, seconds: float) -> None:
    start = time.monotonic()
    outcome, events, _ = run("fork_once", seconds)

    assert outcome.ending is Ending.INTERFERED
    assert len([event for event in events if event["event"] == "said"]) <= 1
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    "text",
    ["not a message\n", '{"event": "finished"}\n', '{"event": "evidence", "stage": "value", "data": {}}\n', "half"],
)
def test_that_events_of_somebody_else_are_found_out(run: Run, text: str) -> None:
    assert run("write_to_every_pipe", text)[0].ending is Ending.INTERFERED


def test_that_a_forged_ending_is_no_ending(run: Run) -> None:
    outcome, events, _ = run("forge_an_ending", json.dumps({"event": "finished"}) + "\n")

    assert outcome.ending is Ending.INTERFERED
    assert events == []


@pytest.mark.parametrize("seconds", [0.0, 20.0])
def test_that_a_request_which_closes_its_descriptors_is_found_out(run: Run, seconds: float) -> None:
    assert run("close_every_pipe", seconds)[0].ending is Ending.INTERFERED


@pytest.mark.parametrize(
    ("entry", "ending"),
    [
        ("leave_a_process_in_a_session_of_its_own", Ending.SPAWNED),
        ("leave_an_orphan_behind", Ending.SPAWNED),
        ("leave_an_orphan_and_crash", Ending.CRASHED),
    ],
)
def test_that_no_process_survives_its_request(run: Run, entry: str, ending: Ending) -> None:
    outcome, events, _ = run(entry)

    assert outcome.ending is ending
    assert not is_running(events[0]["pid"])
    assert [command for command in outcome.left if "sleep" in command] != []


def test_that_a_request_with_too_many_processes_is_ended(run: Run) -> None:
    outcome, _, _ = run("start_many_processes", 80)

    assert outcome.ending is Ending.SPAWNED
    assert 64 < outcome.processes <= 80


def test_that_a_stopped_request_is_told_from_one_that_waits(run: Run) -> None:
    outcome, _, _ = run("stop_itself", quiet=0.5)

    assert (outcome.ending, outcome.stopped) == (Ending.STALLED, True)
    assert run("sleep_for_ever", quiet=0.5)[0].stopped is False


def test_that_much_output_is_cut_in_the_middle(run: Run) -> None:
    outcome, _, printed = run("print_bytes", 20 * 2**20)

    assert outcome.ending is Ending.FINISHED
    assert outcome.printed_bytes == 20 * 2**20 + len("first  last")
    assert printed.startswith("first x")
    assert printed.endswith("x last")
    assert "… 16.0 MiB left out …" in printed
    assert len(printed) == 4 * 2**20 + len("\n… 16.0 MiB left out …\n")


def test_that_output_without_end_is_ended(run: Run) -> None:
    outcome, _, printed = run("print_bytes", 400 * 2**20)

    assert outcome.ending is Ending.FLOODED
    assert len(printed) < 5 * 2**20


def test_that_temporary_files_of_a_request_go_with_it(run: Run) -> None:
    _, events, _ = run("make_temporary_files")
    file = Path(events[0]["file"])

    assert not file.parent.exists()
    assert file.parent.parent.name.startswith("opstudio-worker-")
    assert file.parent.parent.is_dir()


def test_that_a_closed_pool_leaves_no_temporary_files() -> None:
    workers = WorkerPool(sys.executable, environment=environment())
    _, events, _ = runner(workers)("make_temporary_files")
    folder = Path(events[0]["file"]).parent.parent
    assert folder.is_dir()
    workers.close()

    assert not folder.exists()


def test_that_files_of_a_killed_studio_go_with_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    abandoned, claimed = (tmp_path / f"opstudio-worker-{name}" for name in ("abandoned", "claimed"))
    for folder in (abandoned, claimed):
        folder.mkdir()
        os.utime(folder, (0, 0))
    descriptor = os.open(claimed, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    workers = WorkerPool(sys.executable, environment=environment())
    workers.versions()
    workers.close()
    os.close(descriptor)

    assert list(tmp_path.iterdir()) == [claimed]


def test_that_a_studio_killed_while_its_worker_imports_leaves_nobody(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("import time\ntime.sleep(60)\n", encoding="utf-8")
    script = (
        "import sys; from opstudio.worker.process import WorkerProcess\n"
        "from opstudio.worker.protocol import FRAMEWORKS\n"
        "parent = WorkerProcess(sys.executable, dict(**__import__('os').environ), (), FRAMEWORKS)\n"
        "print(parent._process.pid, flush=True); parent.versions\n"
    )
    variables = {**environment(), "PYTHONPATH": f"{tmp_path}:{Path.cwd() / 'app'}", "TMPDIR": str(tmp_path)}
    studio = subprocess.Popen([sys.executable, "-c", script], env=variables, stdout=subprocess.PIPE, text=True)
    assert studio.stdout is not None
    worker = int(studio.stdout.readline())
    time.sleep(1.0)
    assert is_running(worker)
    os.kill(studio.pid, signal.SIGKILL)
    studio.communicate(timeout=10)

    assert wait_until(lambda: not is_running(worker), 2.0)
