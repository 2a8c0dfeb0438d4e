"""The one door to other programs: own session, streamed output, limits, and an end that leaves nobody behind."""

from __future__ import annotations

import contextlib
import enum
import os
import secrets
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
_MARK = "OPSTUDIO_PROCESS"
"""The variable by which descendants are known that left the group."""
_ROUNDS = 50
"""How often ending them is tried: each may start another one until it is gone."""


class _Stop(enum.Enum):
    """The limit that a program reached."""

    TIME = enum.auto()
    MEMORY = enum.auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessLimits:
    """Where a program is ended: after so many seconds, or at so much resident memory.

    ``ends_descendants`` also ends what it started and what left its group: for programs that nobody vouches for.
    """

    seconds: float | None = None
    memory_bytes: int | None = None
    ends_descendants: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessOutcome:
    """How a program ended. ``output`` holds what it wrote to both streams, cut in the middle where it is endless.

    ``timed_out`` says that it ran past its limit and was ended, whatever status it ended with; ``out_of_memory`` that
    it took more memory than it may.
    """

    command: tuple[str, ...]
    status: int
    output: str
    seconds: float
    timed_out: bool = False
    out_of_memory: bool = False

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself, with status 0."""
        return self.status == 0 and not self.timed_out and not self.out_of_memory

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
    limits: ProcessLimits | None = None,
) -> ProcessOutcome:
    """Run a program to its end.

    Args:
        command: program and arguments; no shell is involved.
        cwd: folder to run in.
        environment: all variables of the program; by default those of the studio.
        cancel: ends the program's whole process group when set.
        on_output: called with each piece of output as it comes.
        limits: where the program is ended.

    Raises:
        SetupError: the program cannot be started.
        CancelledError: ``cancel`` was set.
    """
    start = time.monotonic()
    limits = limits or ProcessLimits()
    mark = {_MARK: secrets.token_hex(8)} if limits.ends_descendants else {}
    try:
        process = subprocess.Popen(
            list(command),
            cwd=cwd,
            env={**(os.environ if environment is None else environment), **mark},
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
            stop = _follow(process, output, cancel, limits, start)
        finally:
            # Also on cancellation and on errors of the callback: no process of the group outlives this call.
            end_group(process.pid)
            process.wait()
            if mark:
                end_marked(mark[_MARK])
        if cancel is not None:
            cancel.check()
        output.drain()
    return ProcessOutcome(
        command=tuple(command),
        status=process.returncode,
        output=output.text(),
        seconds=time.monotonic() - start,
        timed_out=stop is _Stop.TIME,
        out_of_memory=stop is _Stop.MEMORY,
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
    process: subprocess.Popen[bytes],
    output: OutputReader,
    cancel: CancelToken | None,
    limits: ProcessLimits,
    start: float,
) -> _Stop | None:
    """Read until the program ends, is cancelled or reaches a limit; return which one."""
    pause = _SHORTEST_POLL_SECONDS
    while not _has_ended(process):
        if cancel is not None and cancel.is_cancelled:
            return None
        if limits.seconds is not None and time.monotonic() > start + limits.seconds:
            return _Stop.TIME
        if limits.memory_bytes is not None and _resident_bytes(process.pid) > limits.memory_bytes:
            return _Stop.MEMORY
        if output.is_open:
            output.read(_POLL_SECONDS)
        else:
            # It closed its output and goes on, most often for an instant only.
            time.sleep(pause)
            pause = min(2 * pause, _POLL_SECONDS)
    return None


def _resident_bytes(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


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


def end_marked(mark: str) -> None:
    """Kill the processes that were started with a mark among their variables, and those that they start meanwhile."""
    wanted = f"{_MARK}={mark}".encode()
    for _ in range(_ROUNDS):
        found = [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/environ") if _holds(path, wanted)]
        if not found:
            return
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _holds(path: Path, wanted: bytes) -> bool:
    with contextlib.suppress(OSError):
        return wanted in path.read_bytes().split(b"\0")
    return False


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
