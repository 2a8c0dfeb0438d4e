"""Watches one request from the studio's side: its events, its memory, its progress, and its end."""

from __future__ import annotations

import contextlib
import ctypes
import os
import selectors
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.jobs.cancel import CancelToken
from opstudio.worker.fault_page import FaultPage
from opstudio.worker.outcome import Ending
from opstudio.worker.protocol import ProtocolError, decode_line

_POLL_SECONDS = 0.02
_SAMPLE_SECONDS = 0.15
_STARVED_FACTOR = 5.0
_WAKEFUL = frozenset("RD")
"""Runs or would like to, or waits for a disk."""
_MOST_WAKEFUL = 0.1
_KEPT_OUTPUT = 64 * 1024
_GROWTH_STEPS = 64
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a request may use.

    ``quiet_seconds`` says, for a progress label, how long a worker may be silent there.
    """

    memory_bytes: int
    quiet_seconds: Callable[[str], float]


@dataclass(frozen=True, slots=True)
class LoadedLibrary:
    """Where a library was mapped in the worker."""

    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Listener:
    """Who hears what a worker says and what it prints."""

    on_event: Callable[[dict[str, Any]], None]
    on_output: Callable[[str], None] = lambda _text: None


class Monitor:
    """Reads what a child sends until it ends, and ends it when it goes wrong."""

    def __init__(self, events: int, output: int, page: FaultPage, limits: Limits, listener: Listener) -> None:
        self._events = events
        self._output = output
        self._page = page
        self._limits = limits
        self._listener = listener
        self._buffer = bytearray()
        self._clock = _ProgressClock()
        self.last_words = bytearray()
        self.libraries: list[LoadedLibrary] = []
        self.last_event: dict[str, Any] = {}
        self.verdict: Ending | None = None
        self.busy = False
        self.peak_bytes = 0
        self._grown_to = 0

    def watch(self, pid: int, cancel: CancelToken) -> None:
        """Return once the child's pipes are closed, or it was killed; :attr:`verdict` says why it was."""
        with selectors.DefaultSelector() as selector:
            open_descriptors = {self._events, self._output}
            for descriptor in open_descriptors:
                selector.register(descriptor, selectors.EVENT_READ)
            while open_descriptors and self.verdict is None:
                for key, _ in selector.select(_POLL_SECONDS):
                    if not self._read(key.fd):
                        selector.unregister(key.fd)
                        open_descriptors.discard(key.fd)
                if self._events not in open_descriptors:
                    break  # the child has ended; somebody it left behind may hold the output open
                self.verdict = self._judge(pid, cancel)
        if self.verdict not in (None, Ending.CANCELLED):
            _sample_threads(pid)
            self._drain()

    def _drain(self) -> None:
        for descriptor in (self._events, self._output):
            os.set_blocking(descriptor, False)
            with contextlib.suppress(BlockingIOError):
                while self._read(descriptor):
                    pass

    def _read(self, descriptor: int) -> bool:
        """Take what a pipe holds; ``False`` at its end."""
        data = os.read(descriptor, 65536)
        if not data:
            return False
        if descriptor == self._output:
            self.last_words += data
            del self.last_words[:-_KEPT_OUTPUT]
            self._listener.on_output(data.decode("utf-8", "replace"))
            return True
        self._buffer += data
        *lines, rest = bytes(self._buffer).split(b"\n")
        self._buffer = bytearray(rest)
        for line in lines:
            with contextlib.suppress(ProtocolError):
                self._take(decode_line(line))
        return True

    def _take(self, message: dict[str, Any]) -> None:
        self._clock.note_activity()
        self.last_event = message
        if message.get("event") == "loaded":
            self.libraries.append(LoadedLibrary(message["library"], message["first"], message["last"]))
        self._listener.on_event(message)

    def _judge(self, pid: int, cancel: CancelToken) -> Ending | None:
        """Decide whether the child must be ended."""
        if cancel.is_cancelled:
            return Ending.CANCELLED
        resident = _resident_bytes(pid)
        self.peak_bytes = max(self.peak_bytes, resident)
        if resident > self._limits.memory_bytes:
            return Ending.OUT_OF_MEMORY
        if resident > self._grown_to + self._limits.memory_bytes // _GROWTH_STEPS:
            # Who fills memory is not hung; the memory limit will say more about it.
            self._grown_to = resident
            self._clock.note_activity()
        count, label = self._page.progress()
        quiet = self._clock.quiet(pid, count)
        limit = self._limits.quiet_seconds(label)
        # A process that the machine starves, or that reads from a slow disk, looks like one that hangs: it gets longer
        # unless it burns its own time.
        self.busy = quiet.processor_seconds > limit / 2
        if quiet.seconds > limit * (1.0 if self.busy or quiet.is_waiting else _STARVED_FACTOR):
            return Ending.STALLED
        return None


@dataclass(frozen=True, slots=True)
class _Quiet:
    """How long a child has been silent, and what it did meanwhile."""

    seconds: float
    processor_seconds: float
    is_waiting: bool
    """It was asleep nearly all the time, which is how a deadlock looks."""


class _ProgressClock:
    """Measures how long a child has been silent, in wall time and in its own processor time."""

    def __init__(self) -> None:
        self._count = -1
        self._since = time.monotonic()
        self._used_before = 0.0
        self._looks = 0
        self._wakeful_looks = 0

    def note_activity(self) -> None:
        self._since = time.monotonic()
        self._count = -1

    def quiet(self, pid: int, count: int) -> _Quiet:
        state, used = _process_state(pid)
        if count != self._count:
            self._count, self._since, self._used_before = count, time.monotonic(), used
            self._looks = self._wakeful_looks = 0
        self._looks += 1
        self._wakeful_looks += state in _WAKEFUL
        return _Quiet(
            seconds=time.monotonic() - self._since,
            processor_seconds=used - self._used_before,
            is_waiting=self._wakeful_looks <= self._looks * _MOST_WAKEFUL,
        )


def _resident_bytes(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * _PAGE_SIZE
    return 0


def _process_state(pid: int) -> tuple[str, float]:
    """Return the state letter of a process's first thread and the processor time of all. Source: proc(5)."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return fields[0], (int(fields[11]) + int(fields[12])) / _CLOCK_TICKS
    return "", 0.0


def _sample_threads(pid: int) -> None:
    """Ask every thread to record where it is, and give it a moment to do so."""
    threads = []
    with contextlib.suppress(OSError):
        threads = [int(entry.name) for entry in Path(f"/proc/{pid}/task").iterdir()]
    try:
        tgkill = ctypes.CDLL(None).tgkill
    except AttributeError:  # C libraries before glibc 2.30
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGUSR2)
    else:
        for thread in threads:
            tgkill(pid, thread, int(signal.SIGUSR2))
    time.sleep(_SAMPLE_SECONDS)
