"""The one place where events cross from worker threads to the window.

Any thread posts; a timer of the window's thread takes what has come and hands it on in one signal. A signal for each
event would be several times slower and stall the window (20,000 log lines: 0.9 s at a time instead of 0.1 s).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal

from opstudio.base.finding import Finding
from opstudio.jobs.events import JobEvent

INTERVAL_MS = 16
"""A frame: what happened is seen with the next one."""
MOST_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class CheckRequested:
    """A check of an operator was queued, by the person or by a save."""

    operator: str


@dataclass(frozen=True, slots=True)
class OperatorsChanged:
    """An operator came or went: the workspace must be looked at again."""


@dataclass(frozen=True, slots=True)
class LoopOpened:
    """The workspace is watched; checks can be requested."""


@dataclass(frozen=True, slots=True)
class LoopRefused:
    """The workspace cannot be watched or checked."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class TrustNeeded:
    """The workspace comes from elsewhere; nothing of it is built or run before the person says so."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class EnvironmentKnown:
    """The releases that results depend on, by name."""

    versions: tuple[tuple[str, str], ...]


WindowEvent: TypeAlias = (
    JobEvent | CheckRequested | OperatorsChanged | LoopOpened | LoopRefused | TrustNeeded | EnvironmentKnown
)


class EventBridge(QObject):
    """Carries events to the thread of the window, in batches.

    Connect ``events_received`` to bound methods of objects of the window only.
    """

    events_received = Signal(list)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[WindowEvent] = deque()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.drain)

    def start(self) -> None:
        """Begin to hand events on."""
        self._timer.start()

    def stop(self) -> None:
        """Hand nothing on any more."""
        self._timer.stop()
        self._waiting.clear()

    def post(self, event: WindowEvent) -> None:
        """Queue an event, from any thread."""
        self._waiting.append(event)

    def drain(self) -> None:
        """Hand on what has come, at most a batch."""
        count = min(len(self._waiting), MOST_AT_ONCE)
        if count:
            self.events_received.emit([self._waiting.popleft() for _ in range(count)])
