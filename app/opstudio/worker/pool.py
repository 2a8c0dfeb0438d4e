"""The studio's side of the workers: starts them, hands them requests, and tells how each request ended."""

from __future__ import annotations

import contextlib
import fcntl
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

from opstudio.base.codec import from_json
from opstudio.base.errors import CancelledError, SetupError
from opstudio.base.files import cannot_write
from opstudio.base.finding import Finding
from opstudio.jobs.cancel import CancelToken
from opstudio.worker import bootstrap
from opstudio.worker.fault_page import EXIT_CODE, MUTE_CODE, Fault, FaultKind, FaultPage
from opstudio.worker.monitor import SAMPLED, Limits, Listener, LoadedLibrary, Monitor
from opstudio.worker.outcome import Ending, Outcome, StackTrace
from opstudio.worker.protocol import FRAMEWORKS, FRAMEWORKS_OPTION, PROTOCOL_VERSION, Channel

_START_SECONDS = 120.0
_LAST_SECONDS = 2.0
"""How long a process may take to end once it has nothing more to say."""
_LAST_WORDS = 4000
_TEMPORARY_PREFIX = "opstudio-worker-"
_UNCLAIMED_SECONDS = 5.0
"""A folder is claimed as soon as it is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Something for a worker to do."""

    entry: str
    payload: Any
    limits: Limits
    fault_recorder: str | None = None


@dataclass(frozen=True, slots=True)
class _Ended:
    """``left`` are commands of processes that were still running, ``copies`` how many of them never left the worker."""

    status: int
    peak_bytes: int
    left: tuple[str, ...] = ()
    copies: int = 0


@dataclass(slots=True)
class _Running:
    pid: int | None = None
    ended: _Ended | None = None


class _NotTakenError(Exception):
    """The worker process ended before it took a request."""


class WorkerPool:
    """A warm parent that forks a child for each request; started again when it is gone. Use from any thread."""

    def __init__(
        self,
        python: str,
        *,
        environment: Mapping[str, str] | None = None,
        warm: Sequence[str] = (),
        frameworks: Sequence[str] = FRAMEWORKS,
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            python: the interpreter
            environment: of the processes; by default the studio's own
            warm: entries that are imported and called once before requests need them
            frameworks: what is imported before a request comes
        """
        self._python = python
        self._frameworks = tuple(frameworks)
        self._environment = dict(os.environ if environment is None else environment)
        self._warm = tuple(warm)
        self._lock = threading.Lock()
        self._parent: _Parent | None = None
        self._next = 0

    def versions(self) -> Mapping[str, str]:
        """Return the versions of the interpreter and the frameworks behind it; starts the worker.

        Raises:
            SetupError: the worker cannot be started.
        """
        return self._ready_parent().versions

    @property
    def is_warm(self) -> bool:
        """Whether the next child finds everything imported: not so for a while after the parent was started."""
        with self._lock:
            return self._parent is not None and self._parent.is_alive and self._parent.is_warm

    def run(self, request: Request, *, cancel: CancelToken, listener: Listener) -> Outcome:
        """Run a request to its end, whatever that is.

        Raises:
            SetupError: the worker cannot be started.
            CancelledError: ``cancel`` was set; the child and all that it started are gone.
        """
        parent = self._ready_parent()
        try:
            return parent.run(self._new_name(), request, cancel, listener)
        except _NotTakenError:
            # The parent was ending while it was asked: a large process takes a moment to be gone. Nothing was run.
            with self._lock:
                is_closed = self._parent is not parent
            if is_closed:
                raise CancelledError from None
            return self._ready_parent().run(self._new_name(), request, cancel, listener, is_last=True)

    def _new_name(self) -> str:
        with self._lock:
            self._next += 1
            return str(self._next)

    def close(self) -> None:
        """End the worker and everything it runs."""
        with self._lock:
            if self._parent is not None:
                self._parent.close()
            self._parent = None

    def _ready_parent(self) -> _Parent:
        with self._lock:
            if self._parent is None or not self._parent.is_alive:
                if self._parent is not None:
                    self._parent.close()
                self._parent = _Parent(self._python, self._environment, self._warm, self._frameworks)
            return self._parent


class SpareWorkers:
    """Processes that stand ready for one request each, for what cannot be forked."""

    def __init__(self, python: str, *, environment: Mapping[str, str] | None = None, spares: int = 1) -> None:
        self._python = python
        self._environment = dict(os.environ if environment is None else environment)
        self._ready = [self._start() for _ in range(spares)]

    def run(self, request: Request, *, cancel: CancelToken, listener: Listener) -> Outcome:
        """Run a request in the next spare process and start another one in its place.

        Raises:
            SetupError: the worker cannot be started.
            CancelledError: ``cancel`` was set.
        """
        parent = self._ready.pop(0) if self._ready else self._start()
        self._ready.append(self._start())
        try:
            return parent.run("1", request, cancel, listener)
        finally:
            parent.close()

    def close(self) -> None:
        """End all processes."""
        for parent in self._ready:
            parent.close()
        self._ready.clear()

    def _start(self) -> _Parent:
        return _Parent(self._python, self._environment, (), FRAMEWORKS, spare=True)


class _Parent:
    """One worker process."""

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
            _remove_abandoned_folders()
            self._temporary = tempfile.mkdtemp(prefix=_TEMPORARY_PREFIX)
            self._claim = _claim(Path(self._temporary))
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
        return not self._gone

    @property
    def is_warm(self) -> bool:
        return self._to_warm == 0

    @property
    def versions(self) -> Mapping[str, str]:
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
                raise _NotTakenError
            if pid is not None:
                monitor.watch(pid, cancel, lambda: running.ended is not None or self._gone)
                # Whoever closes what he speaks through, and goes on, is no better than one who says what is not so.
                if monitor.verdict is None and self._wait_ended(running, _LAST_SECONDS) is None:
                    monitor.verdict = None if monitor.has_ending or self._gone else Ending.INTERFERED
                if running.ended is None:
                    _kill_group(pid)
            ended = self._wait_ended(running)
            return _outcome(monitor, page, ended, time.monotonic() - start, request.limits)
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

    def _wait_ended(self, running: _Running, seconds: float | None = None) -> _Ended | None:
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
                    running.ended = _Ended(_wait_status(status), 0)
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
            running.ended = _Ended(message["status"], message["peak_bytes"], tuple(message["left"]), message["copies"])

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream:
            while data := os.read(stream.fileno(), 65536):
                self._errors += data
                del self._errors[:-65536]


def _remove_abandoned_folders() -> None:
    """Remove the temporary files of workers that were killed together with their studio: nobody claims them."""
    oldest = time.time() - _UNCLAIMED_SECONDS
    for folder in Path(tempfile.gettempdir()).glob(f"{_TEMPORARY_PREFIX}*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_mtime < oldest:
                os.close(_claim(folder))
                shutil.rmtree(folder, ignore_errors=True)


def _claim(folder: Path) -> int:
    """Lock a folder for as long as this process lives or the descriptor that is returned is open.

    Raises:
        OSError: it is gone, or another studio's.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _wait_status(returncode: int) -> int:
    """Turn a ``Popen`` return code into the status that ``wait`` gives."""
    return -returncode if returncode < 0 else returncode << 8


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _outcome(monitor: Monitor, page: FaultPage, ended: _Ended | None, seconds: float, limits: Limits) -> Outcome:
    """Put together how a request ended."""
    fault = page.fault()
    _, label = page.progress()
    ending, number = _ending(monitor, fault, ended)
    stacks = fault.samples if ending in SAMPLED else (fault.frames,)
    last = monitor.last_event
    return Outcome(
        ending=ending,
        label=label,
        signal=signal.Signals(number).name if number else "",
        address=fault.address,
        traces=tuple(_locate(stack, monitor.libraries) for stack in stacks if stack),
        busy=monitor.busy,
        last_words=_last_words(monitor.last_words.decode("utf-8", "replace")),
        findings=tuple(from_json(Finding, item) for item in last.get("findings", ()))
        if ending is Ending.FAILED
        else (),
        error=last.get("error", "") if ending is Ending.FAILED else "",
        traceback=last.get("traceback", "") if ending is Ending.FAILED else "",
        seconds=seconds,
        peak_bytes=max(monitor.peak_bytes, ended.peak_bytes if ended else 0),
        printed_bytes=monitor.printed_bytes,
        processes=monitor.processes,
        threads=monitor.threads,
        left=() if ended is None else ended.left,
        stopped=monitor.stopped and ending is Ending.STALLED,
        limits={"memory_bytes": float(limits.memory_bytes), "quiet_seconds": limits.quiet_seconds(label)},
    )


def _last_words(text: str) -> str:
    """Return the end of what was printed, or the C++ library's own last words: call stacks behind them may be long."""
    start = text.rfind("terminate called")
    return text[-_LAST_WORDS:] if start < 0 else text[start : start + _LAST_WORDS]


def _ending(monitor: Monitor, fault: Fault, ended: _Ended | None) -> tuple[Ending, int]:
    """Return how a request ended and the number of the signal that ended it, if one did."""
    if monitor.verdict is not None:
        return monitor.verdict, 0
    if ended is not None and (ended.copies or ended.status == MUTE_CODE << 8):
        return Ending.INTERFERED, 0
    last = monitor.last_event.get("event")
    if last == "finished" and ended is not None and ended.left:
        return Ending.SPAWNED, 0
    if last in ("finished", "failed"):
        return Ending(last), 0
    return _fatal_ending(fault, ended)


def _fatal_ending(fault: Fault, ended: _Ended | None) -> tuple[Ending, int]:
    """Return how a process ended that did not say so itself."""
    if fault.kind == FaultKind.STACK_OVERFLOW:
        return Ending.STACK_OVERFLOW, fault.signal
    if fault.kind == FaultKind.EXIT:
        return Ending.EXITED, 0
    if ended is None:
        return Ending.LOST, 0
    if os.WIFSIGNALED(ended.status):
        return Ending.CRASHED, os.WTERMSIG(ended.status)
    if os.WEXITSTATUS(ended.status) == EXIT_CODE:
        return Ending.EXITED, 0
    return Ending.EXITED, 0


def _locate(stack: Sequence[int], libraries: Sequence[LoadedLibrary]) -> StackTrace:
    """Tell addresses in terms of the libraries that the worker reported; others are left out."""
    return StackTrace(
        frames=tuple(
            (library.path, address - library.first)
            for address in stack
            for library in libraries
            if library.first <= address < library.last
        )
    )
