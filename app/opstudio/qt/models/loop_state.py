"""What is known of all operators of the workspace, kept up to date by the loop's events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from opstudio.jobs.events import (
    JobFinished,
    JobStarted,
    Progressed,
    StageFinished,
    StageStarted,
    VerdictReached,
)
from opstudio.qt.bridge import CheckRequested, WindowEvent
from opstudio.qt.models.operator_view import Activity, OperatorView, begin, end, recall, request, take
from opstudio.workspace.folder import OperatorFolder
from opstudio.workspace.result_store import StageResult


class LoopState(QObject):
    """The operators and what is known of them. Views are replaced, never changed."""

    membership_changed = Signal()
    """Operators were added or removed."""
    operators_updated = Signal(frozenset)
    """The names of operators of which something new is known."""
    unknown_operator = Signal()
    """Something happened to an operator that is not on the list: the workspace must be looked at again."""
    received = Signal(list)
    """A batch of events has been applied; for those who need what came of them."""
    checks_ended = Signal()
    """At least one check ended."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folders: dict[str, OperatorFolder] = {}
        self._views: dict[str, OperatorView] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The operators in the order of their names."""
        return tuple(self._folders)

    def folder(self, name: str) -> OperatorFolder | None:
        """Return where an operator lives, if it is known."""
        return self._folders.get(name)

    def view(self, name: str) -> OperatorView:
        """Return what is known of an operator."""
        return self._views.get(name) or OperatorView(name=name)

    @property
    def is_busy(self) -> bool:
        """Whether any check runs or waits."""
        return any(view.activity is not Activity.IDLE for view in self._views.values())

    def set_operators(self, folders: Iterable[OperatorFolder]) -> None:
        """Replace the list of operators; what is known of those that stay is kept."""
        wanted = {folder.name: folder for folder in folders}
        if wanted == self._folders:
            return
        self._folders = wanted
        self._views = {name: self.view(name) for name in wanted}
        self.membership_changed.emit()

    def recall(self, name: str, results: Sequence[StageResult]) -> None:
        """Show what earlier sessions found out about an operator, until this one knows better."""
        self._change(name, lambda view: recall(view, results))

    def set_waiting(self, names: Iterable[str], *, waiting: bool) -> None:
        """Mark operators whose check has not been queued yet, but will be."""
        changed = set()
        was, becomes = (Activity.IDLE, Activity.WAITING) if waiting else (Activity.WAITING, Activity.IDLE)
        for name in names:
            view = self._views.get(name)
            if view is not None and view.activity is was:
                self._views[name] = replace(view, activity=becomes)
                changed.add(name)
        if changed:
            self.operators_updated.emit(frozenset(changed))

    def receive(self, events: list[WindowEvent]) -> None:
        """Apply a batch of events, then tell once what changed."""
        if not {name for event in events if (name := _subject(event))} <= self._views.keys():
            self.unknown_operator.emit()
        before = dict(self._views)
        for event in events:
            self._apply(event)
        changed = frozenset(name for name, view in self._views.items() if view is not before.get(name))
        if changed:
            self.operators_updated.emit(changed)
        self.received.emit(events)
        if any(isinstance(event, JobFinished) for event in events):
            self.checks_ended.emit()

    def _apply(self, event: WindowEvent) -> None:
        match event:
            case CheckRequested():
                self._update(event.operator, request)
            case JobStarted():
                self._update(event.key, begin)
            case StageStarted() | StageFinished() | VerdictReached() | Progressed():
                self._update(event.operator, lambda view: take(view, event))
            case JobFinished():
                self._update(event.key, lambda view: end(view, event))
            case _:
                pass

    def _update(self, name: str, change: Callable[[OperatorView], OperatorView]) -> None:
        if name in self._views:
            self._views[name] = change(self._views[name])

    def _change(self, name: str, change: Callable[[OperatorView], OperatorView]) -> None:
        before = self._views.get(name)
        self._update(name, change)
        if before is not None and self._views[name] is not before:
            self.operators_updated.emit(frozenset({name}))


def _subject(event: WindowEvent) -> str:
    """Return the operator that an event is about, where it says so and the list must hold it."""
    match event:
        case JobStarted():
            return event.key
        case CheckRequested() | VerdictReached():
            return event.operator
        case _:
            return ""
