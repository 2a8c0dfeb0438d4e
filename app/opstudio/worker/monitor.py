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
from opstudio.worker.descendants import descendants_of, thread_count
from opstudio.worker.fault_page import FaultPage
from opstudio.worker.outcome import Ending
from opstudio.worker.output_limit import OutputLimit
from opstudio.worker.protocol import ProtocolError, decode_line

_POLL_SECONDS = 0.02
_SAMPLE_SECONDS = 0.15
_STARVED_FACTOR = 5.0
_WAKEFUL = frozenset("RD")
"""Runs or would like to, or waits for a disk."""
_MOST_WAKEFUL = 0.1
_KEPT_OUTPUT = 64 * 1024
_GROWTH_STEPS = 64
_MOST_PROCESSES = 64
"""What a request may start: tools and the frameworks' helpers, one for each processor at most."""
_MOST_THREADS = 1024 + 16 * (os.cpu_count() or 1)
"""The frameworks alone start several pools with a thread for each processor."""
_LONGEST_EVENT = 64 * 2**20
SAMPLED = (Ending.STALLED, Ending.OUT_OF_MEMORY, Ending.FLOODED)
"""Endings before which every thread tells where it is; who forks without end gets no time for that."""
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
    """Reads what a child sends until it ends, and says when it must be ended.

    Its events carry a token and are counted: others come from a copy of the process, or from a stray write.
    """

    def __init__(
        self, events: int, output: int, page: FaultPage, limits: Limits, listener: Listener, token: str
    ) -> None:
        self._events = events
        self._output = output
        self._page = page
        self._limits = limits
        self._listener = listener
        self._token = token
        self._events_taken = 0
        self._printed = OutputLimit(listener.on_output)
        self._buffer = bytearray()
        self._clock = _ProgressClock()
        self.last_words = bytearray()
        self.libraries: list[LoadedLibrary] = []
        self.last_event: dict[str, Any] = {}
        self.verdict: Ending | None = None
        self._seen: Ending | None = None
        self.busy = False
        self.stopped = False
        self.processes = self.threads = 0
        self._counted_at = 0.0
        self.peak_bytes = 0
        self._grown_to = 0

    @property
    def printed_bytes(self) -> int:
        """How much the child printed."""
        return self._printed.total_bytes

    @property
    def has_ending(self) -> bool:
        """Whether the child said that it is done."""
        return self.last_event.get("event") in ("finished", "failed")

    def watch(self, pid: int, cancel: CancelToken, has_ended: Callable[[], bool]) -> None:
        """Return once the child has ended or must be ended; :attr:`verdict` says why it must."""
        with selectors.DefaultSelector() as selector:
            open_descriptors = {self._events, self._output}
            for descriptor in open_descriptors:
                selector.register(descriptor, selectors.EVENT_READ)
            while open_descriptors and self.verdict is None:
                ended = has_ended()
                for key, _ in selector.select(0 if ended else _POLL_SECONDS):
                    if not self._read(key.fd):
                        selector.unregister(key.fd)
                        open_descriptors.discard(key.fd)
                if ended or self._events not in open_descriptors:
                    break  # somebody it left behind may hold the output open
                self.verdict = self._seen or self._judge(pid, cancel)
        if self.verdict in SAMPLED:
            _sample_threads(pid)
        self._drain()
        self.verdict = self.verdict or self._seen
        self._printed.end_stage()

    def _drain(self) -> None:
        for descriptor in (self._events, self._output):
            os.set_blocking(descriptor, False)
            with contextlib.suppress(BlockingIOError):
                while self._read(descriptor) and self._seen is None:
                    pass

    def _read(self, descriptor: int) -> bool:
        """Take what a pipe holds; ``False`` at its end."""
        data = os.read(descriptor, 65536)
        if not data:
            return False
        if descriptor == self._output:
            self.last_words += data
            del self.last_words[:-_KEPT_OUTPUT]
            self._printed.take(data)
            if self._printed.is_exceeded:
                self._seen = self._seen or Ending.FLOODED
            return True
        self._buffer += data
        *lines, rest = bytes(self._buffer).split(b"\n")
        self._buffer = bytearray(rest)
        try:
            for line in lines:
                self._take(decode_line(line))
            if len(rest) > _LONGEST_EVENT:
                self._refuse("an event without end")
        except ProtocolError:
            self._seen = self._seen or Ending.INTERFERED
        return True

    def _refuse(self, reason: str) -> None:
        raise ProtocolError(reason)

    def _take(self, message: dict[str, Any]) -> None:
        """Hand on an event of the child itself.

        Raises:
            ProtocolError: it comes from somebody else, comes twice or means nothing now.
        """
        if self._seen is not None:
            return
        if message.pop("token", None) != self._token or message.pop("number", None) != self._events_taken:
            self._refuse("an event of somebody else")
        self._events_taken += 1
        self._clock.note_activity()
        self.last_event = message
        if message.get("event") == "loaded":
            self.libraries.append(LoadedLibrary(message["library"], message["first"], message["last"]))
        if message.get("event") == "evidence":
            self._printed.end_stage()
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
        if self._has_too_many(pid):
            return Ending.SPAWNED
        count, label = self._page.progress()
        quiet = self._clock.quiet(pid, count)
        limit = self._limits.quiet_seconds(label)
        # A process that the machine starves, or that reads from a slow disk, looks like one that hangs: it gets longer
        # unless it burns its own time.
        self.busy = quiet.processor_seconds > limit / 2
        self.stopped = quiet.is_stopped
        if quiet.seconds > limit * (1.0 if self.busy or quiet.is_waiting else _STARVED_FACTOR):
            return Ending.STALLED
        return None

    def _has_too_many(self, pid: int) -> bool:
        """Count processes and threads, no more often than without events."""
        if (now := time.monotonic()) - self._counted_at >= _POLL_SECONDS:
            self._counted_at = now
            self.processes = max(self.processes, len(descendants_of(pid, most=_MOST_PROCESSES + 1)))
            self.threads = max(self.threads, thread_count(pid))
        return self.processes > _MOST_PROCESSES or self.threads > _MOST_THREADS


@dataclass(frozen=True, slots=True)
class _Quiet:
    """How long a child has been silent, and what it did meanwhile."""

    seconds: float
    processor_seconds: float
    is_waiting: bool
    """It was asleep nearly all the time, which is how a deadlock looks."""
    is_stopped: bool
    """A signal stopped it."""


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
            is_stopped=state == "T",
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
