"""The one door to other programs: own session, streamed output, limits, and an end that leaves nobody behind."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import SetupError
from opstudio.jobs.cancel import CancelToken
from opstudio.jobs.process_output import OutputReader

_POLL_SECONDS = 0.05
_SHORTEST_POLL_SECONDS = 0.001
_TERMINATE_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessOutcome:
    """How a program ended. ``output`` holds what it wrote to both streams, cut in the middle where it is endless.

    ``timed_out`` says that it ran past its limit and was ended, whatever status it ended with.
    """

    command: tuple[str, ...]
    status: int
    output: str
    seconds: float
    timed_out: bool = False

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself, with status 0."""
        return self.status == 0 and not self.timed_out

    @property
    def command_line(self) -> str:
        """The command as one would type it."""
        return shlex.join(self.command)


def run_process(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    cancel: CancelToken | None = None,
    on_output: Callable[[str], None] | None = None,
    limit_seconds: float | None = None,
) -> ProcessOutcome:
    """Run a program to its end.

    Args:
        command: program and arguments; no shell is involved.
        cwd: folder to run in.
        environment: all variables of the program; by default those of the studio.
        cancel: ends the program's whole process group when set.
        on_output: called with each piece of output as it comes.
        limit_seconds: the program is ended when it runs longer.

    Raises:
        SetupError: the program cannot be started.
        CancelledError: ``cancel`` was set.
    """
    start = time.monotonic()
    try:
        process = subprocess.Popen(
            list(command),
            cwd=cwd,
            env=None if environment is None else dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise _cannot_start(command[0], cwd, error) from error
    assert process.stdout is not None
    with process.stdout:
        output = OutputReader(process.stdout.fileno(), on_output)
        try:
            timed_out = _follow(process, output, cancel, None if limit_seconds is None else start + limit_seconds)
        finally:
            # Also on cancellation and on errors of the callback: no process of the group outlives this call.
            end_group(process.pid)
            process.wait()
        if cancel is not None:
            cancel.check()
        output.drain()
    return ProcessOutcome(
        command=tuple(command),
        status=process.returncode,
        output=output.text(),
        seconds=time.monotonic() - start,
        timed_out=timed_out,
    )


def _cannot_start(program: str, cwd: Path | None, error: OSError) -> SetupError:
    cause = error.strerror or str(error)
    if cwd is not None and str(error.filename) == str(cwd):
        return SetupError.of(
            f"Cannot start {program} in {cwd}", cause=f"{cwd}: {cause}", fix="Check the folder and its rights"
        )
    return SetupError.of(
        f"Cannot start {program}", cause=cause, fix=f"Install {Path(program).name}, or correct its path"
    )


def _follow(
    process: subprocess.Popen[bytes], output: OutputReader, cancel: CancelToken | None, deadline: float | None
) -> bool:
    """Read until the program ends, is cancelled or runs out of time; return whether it ran out of time."""
    pause = _SHORTEST_POLL_SECONDS
    while not _has_ended(process):
        if cancel is not None and cancel.is_cancelled:
            return False
        if deadline is not None and time.monotonic() > deadline:
            return True
        if output.is_open:
            output.read(_POLL_SECONDS)
        else:
            # It closed its output and goes on, most often for an instant only.
            time.sleep(pause)
            pause = min(2 * pause, _POLL_SECONDS)
    return False


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    # Looked at without reaping it, so that the number of its group stays taken until the group is ended.
    with contextlib.suppress(ChildProcessError):
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return True


def end_group(group: int, patience_seconds: float = _TERMINATE_SECONDS) -> None:
    """End all processes of a group: ask, wait, then kill."""
    for number, patience in ((signal.SIGTERM, patience_seconds), (signal.SIGKILL, 0.0)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
        deadline = time.monotonic() + patience
        while (lives := _group_lives(group)) and time.monotonic() < deadline:
            time.sleep(0.01)
        if not lives:
            return


def _group_lives(group: int) -> bool:
    """Whether any process of the group still runs; one that ended but was not waited for does not."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name in parentheses may hold anything; the fields behind it are state, parent, group.
            state, _parent, of_group = (
                status.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[:3]
            )
            if int(of_group) == group and state != "Z":
                return True
    return False
