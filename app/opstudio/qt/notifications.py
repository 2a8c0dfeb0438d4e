"""What the person should hear of although they look elsewhere: told in a corner, without taking the keyboard."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject, Signal

from opstudio.jobs.events import JobFinished, JobOutcome, Verdict
from opstudio.qt.bridge import WindowEvent
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.models.operator_view import OperatorView
from opstudio.qt.models.state_marks import verdict_mark
from opstudio.qt.selection import Selection

_MOST_KEPT = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """Something that happened. ``operator`` is whom it is about, or empty."""

    at: float
    operator: str
    icon: str
    tone: str
    text: str


class Notifications(QObject):
    """Tells when the verdict of an operator that is not looked at changes, and when a check cannot be done."""

    told = Signal(object)
    """A :class:`Notification`."""

    def __init__(
        self, state: LoopState, selection: Selection, parent: QObject, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(parent)
        self._state, self._selection, self._clock = state, selection, clock
        self._known: dict[str, Verdict | None] = {}
        self._kept: deque[Notification] = deque(maxlen=_MOST_KEPT)
        state.operators_updated.connect(self._look)

    @property
    def kept(self) -> tuple[Notification, ...]:
        """What was told, the newest first."""
        return tuple(self._kept)

    def receive(self, events: list[WindowEvent]) -> None:
        """Tell of checks that could not be done."""
        for event in events:
            if isinstance(event, JobFinished) and event.outcome is JobOutcome.FAILED and event.findings:
                self.tell(event.findings[0].title, operator=event.key, icon="warning", tone="warn")

    def tell(self, text: str, *, operator: str = "", icon: str = "note", tone: str = "info") -> None:
        """Tell something."""
        notification = Notification(at=self._clock(), operator=operator, icon=icon, tone=tone, text=text)
        self._kept.appendleft(notification)
        self.told.emit(notification)

    def _look(self, names: frozenset[str]) -> None:
        for name in names:
            view = self._state.view(name)
            before = self._known.get(name)
            self._known[name] = view.verdict
            if view.has_verdict and before is not None and view.verdict is not before:
                self._tell_verdict(view)

    def _tell_verdict(self, view: OperatorView) -> None:
        # The verdict of the operator that is looked at stands in the strip.
        if view.name == self._selection.operator:
            return
        mark = verdict_mark(view.verdict)
        text = QCoreApplication.translate("Notification", "{0} is {1} now").format(view.name, mark.word)
        self.tell(text, operator=view.name, icon=mark.icon, tone=mark.token)
