"""A process of workers: started, spoken to, watched, and ended with all that it runs."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.base.errors import CancelledError, SetupError
from opstudio.base.files import cannot_write
from opstudio.jobs.cancel import CancelToken
from opstudio.worker import bootstrap
from opstudio.worker.endings import Ended, put_together
from opstudio.worker.fault_page import FaultPage
from opstudio.worker.monitor import Listener, Monitor
from opstudio.worker.outcome import Ending, Outcome
from opstudio.worker.protocol import FRAMEWORKS_OPTION, PROTOCOL_VERSION, Channel
from opstudio.worker.request import Request
from opstudio.worker.temporary_folders import TEMPORARY_PREFIX, claim, remove_abandoned_folders

_START_SECONDS = 120.0
_LAST_SECONDS = 2.0
"""How long a process may take to end once it has nothing more to say."""


@dataclass(slots=True)
class _Running:
    pid: int | None = None
    ended: Ended | None = None


class NotTakenError(Exception):
    """The worker process ended before it took a request."""


class WorkerProcess:
    """One worker process: a warm parent that forks, or a spare one that serves a single request."""

    def __init__(
        self,
        python: str,
        environment: dict[str, str],
        warm: Sequence[str],
        frameworks: Sequence[str],
        *,
        spare: bool = False,
    ) -> None:
        ours, theirs = socket.socketpair()
        try:
            remove_abandoned_folders()
            self._temporary = tempfile.mkdtemp(prefix=TEMPORARY_PREFIX)
            self._claim = claim(Path(self._temporary))
        except OSError as error:
            raise cannot_write(Path(tempfile.gettempdir()), error) from error
        command = [python, str(Path(bootstrap.__file__)), str(theirs.fileno()), self._temporary]
        command += [f"{FRAMEWORKS_OPTION}{','.join(frameworks)}"]
        command += ["--spare"] if spare else []
        # ONNX Runtime and OpenMP would size their pools for a whole machine that a child shares with the studio.
        try:
            self._process = subprocess.Popen(
                command,
                # OpenMP's threads wait actively by default: on a busy machine that costs a time slice for every loop.
                env={"OMP_WAIT_POLICY": "PASSIVE"} | environment | {"PYTHONUNBUFFERED": "1", "TMPDIR": self._temporary},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            theirs.close()
            self._remove_temporary()
            raise SetupError.of(
                f"Cannot start the workspace's Python {python}",
                cause=error.strerror or str(error),
                fix="Correct [environment] python in opstudio.toml",
            ) from error
        theirs.close()
        self._spare = spare
        self._to_warm = len(warm)
        self._channel = Channel(ours)
        self._changed = threading.Condition()
        self._running: dict[str, _Running] = {}
        self._errors = bytearray()
        self._versions: dict[str, str] | None = None
        self._gone = False
        self._threads = [
            threading.Thread(target=self._read_channel, name="opstudio-worker-channel", daemon=True),
            threading.Thread(target=self._read_errors, name="opstudio-worker-errors", daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        if warm:
            self._send({"warm": list(warm)})

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked; false soon after it ended."""
        return not self._gone

    @property
    def is_warm(self) -> bool:
        """Whether all entries that were to be warmed are."""
        return self._to_warm == 0

    @property
    def versions(self) -> Mapping[str, str]:
        """The versions of the interpreter and the frameworks.

        Raises:
            SetupError: it did not start, or ended.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._versions is not None or self._gone, _START_SECONDS)
            if self._versions is not None:
                return self._versions
        last = self._errors.decode("utf-8", "replace").strip().splitlines()
        raise SetupError.of(
            "The workspace's Python cannot run the checks",
            cause=last[-1] if last else "the worker process did not start",
            fix="Run opstudio doctor; it says what that Python lacks",
        )

    def run(
        self, name: str, request: Request, cancel: CancelToken, listener: Listener, *, is_last: bool = False
    ) -> Outcome:
        """Run a request; where this process ended before it took it, raise, unless this is the last attempt."""
        _ = self.versions
        start = time.monotonic()
        events, events_end = os.pipe()
        output, output_end = os.pipe()
        page = FaultPage()
        token = secrets.token_hex(8)
        monitor = Monitor(events, output, page, request.limits, listener, token)
        running = _Running()
        with self._changed:
            self._running[name] = running
        try:
            self._send_request(name, token, request, (events_end, output_end, page.descriptor))
            for descriptor in (events_end, output_end):
                os.close(descriptor)
            pid = self._wait_started(running)
            if pid is None and not (self._spare or is_last):
                raise NotTakenError
            if pid is not None:
                monitor.watch(pid, cancel, lambda: running.ended is not None or self._gone)
                # Whoever closes what he speaks through, and goes on, is no better than one who says what is not so.
                if monitor.verdict is None and self._wait_ended(running, _LAST_SECONDS) is None:
                    monitor.verdict = None if monitor.has_ending or self._gone else Ending.INTERFERED
                if running.ended is None:
                    _kill_group(pid)
            ended = self._wait_ended(running)
            return put_together(monitor, page, ended, time.monotonic() - start, request.limits)
        finally:
            if running.pid is not None and running.ended is None:
                _kill_group(running.pid)  # the listener raised
            with self._changed:
                self._running.pop(name, None)
            os.close(events)
            os.close(output)
            page.close()
            if cancel.is_cancelled:
                raise CancelledError(cancel.reason)

    def close(self) -> None:
        """End the process and all that it started."""
        _kill_group(self._process.pid)
        self._channel.connection.shutdown(socket.SHUT_RDWR) if not self._gone else None
        self._process.wait()
        for thread in self._threads:
            thread.join()
        self._channel.close()
        self._remove_temporary()

    def _remove_temporary(self) -> None:
        shutil.rmtree(self._temporary, ignore_errors=True)
        os.close(self._claim)

    def _send(self, message: Mapping[str, Any], descriptors: Sequence[int] = ()) -> None:
        with contextlib.suppress(OSError):
            self._channel.send(message, descriptors)

    def _send_request(self, name: str, token: str, request: Request, descriptors: Sequence[int]) -> None:
        options = {"memory_bytes": request.limits.memory_bytes, "fault_recorder": request.fault_recorder}
        message = {"run": name, "entry": request.entry, "payload": request.payload, "options": options, "token": token}
        with self._changed:
            self._send(message, descriptors)

    def _wait_started(self, running: _Running) -> int | None:
        with self._changed:
            self._changed.wait_for(lambda: running.pid is not None or self._gone)
            return running.pid

    def _wait_ended(self, running: _Running, seconds: float | None = None) -> Ended | None:
        with self._changed:
            self._changed.wait_for(lambda: running.ended is not None or self._gone, seconds)
            return running.ended

    def _read_channel(self) -> None:
        while (received := self._channel.receive()) is not None:
            message, _ = received
            with self._changed:
                self._take(message)
                self._changed.notify_all()
        status = self._process.wait()
        with self._changed:
            self._gone = True
            if self._spare:
                for running in self._running.values():
                    running.ended = Ended(_wait_status(status), 0)
            self._changed.notify_all()

    def _take(self, message: dict[str, Any]) -> None:
        if "ready" in message:
            if message["ready"].get("protocol") == PROTOCOL_VERSION:
                self._versions = {key: str(value) for key, value in message["ready"].items()}
        elif "warmed" in message:
            self._to_warm -= 1
        elif (running := self._running.get(message.get("started", ""))) is not None:
            running.pid = message["pid"]
        elif (running := self._running.get(message.get("ended", ""))) is not None:
            running.ended = Ended(message["status"], message["peak_bytes"], tuple(message["left"]), message["copies"])

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream:
            while data := os.read(stream.fileno(), 65536):
                self._errors += data
                del self._errors[:-65536]


def _wait_status(returncode: int) -> int:
    """Turn a ``Popen`` return code into the status that ``wait`` gives."""
    return -returncode if returncode < 0 else returncode << 8


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
