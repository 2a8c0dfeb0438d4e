"""The one door to other programs: own session, streamed output, limits, and an end that leaves nobody behind."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import SetupError
from opstudio.jobs.cancel import CancelToken

_POLL_SECONDS = 0.05
_TERMINATE_SECONDS = 2.0
_LARGEST_OUTPUT = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessOutcome:
    """How a program ended. ``output`` holds what it wrote to both streams, cut in the middle where it is endless."""

    command: tuple[str, ...]
    status: int
    output: str
    seconds: float

    @property
    def succeeded(self) -> bool:
        """Whether it ended with status 0."""
        return self.status == 0

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
        raise SetupError.of(
            f"Cannot start {command[0]}",
            cause=error.strerror or str(error),
            fix=f"Install {Path(command[0]).name}, or correct its path",
        ) from error
    kept = _BoundedText()
    try:
        _stream(process, kept, on_output, cancel, None if limit_seconds is None else start + limit_seconds)
    finally:
        # Also on cancellation and on errors of the callback: no process of the group outlives this call.
        end_group(process.pid)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    if cancel is not None:
        cancel.check()
    return ProcessOutcome(
        command=tuple(command), status=process.returncode, output=kept.text(), seconds=time.monotonic() - start
    )


def end_group(group: int, patience_seconds: float = _TERMINATE_SECONDS) -> None:
    """End all processes of a group: ask, wait, then kill."""
    for number, patience in ((signal.SIGTERM, patience_seconds), (signal.SIGKILL, 0.0)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
            deadline = time.monotonic() + patience
            while time.monotonic() < deadline and _group_lives(group):
                time.sleep(0.01)
        if not _group_lives(group):
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


def _stream(
    process: subprocess.Popen[bytes],
    kept: _BoundedText,
    on_output: Callable[[str], None] | None,
    cancel: CancelToken | None,
    deadline: float | None,
) -> None:
    """Read until the program ends, is cancelled or runs out of time."""
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            if selector.select(_POLL_SECONDS):
                data = os.read(descriptor, 65536)
                if not data:
                    return
                text = data.decode("utf-8", "replace")
                kept.add(text)
                if on_output is not None:
                    on_output(text)
            elif process.poll() is not None:
                # It ended, but a child of its own holds the pipe open: nobody waits for that one.
                return
            if cancel is not None and cancel.is_cancelled:
                return
            if deadline is not None and time.monotonic() > deadline:
                return


class _BoundedText:
    """Keeps the beginning and the end of a text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._size = 0
        self._cut = 0

    def add(self, text: str) -> None:
        self._pieces.append(text)
        self._size += len(text)
        while self._size - len(self._pieces[0]) > _LARGEST_OUTPUT and len(self._pieces) > 2:  # noqa: PLR2004
            # The first piece stays: tools state the first error first.
            removed = self._pieces.pop(1)
            self._size -= len(removed)
            self._cut += len(removed)

    def text(self) -> str:
        if not self._cut:
            return "".join(self._pieces)
        return f"{self._pieces[0]}\n… {self._cut} characters left out …\n{''.join(self._pieces[1:])}"
