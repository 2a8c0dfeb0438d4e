"""The loop in a window: which operator is looked at, what its saves and keys ask for, and whether it may run."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from opstudio.base.finding import Finding
from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.models.operator_view import Activity
from opstudio.qt.notices import Notices
from opstudio.qt.panel import PanelContext
from opstudio.qt.preferences import Preferences
from opstudio.qt.session import LoopSession
from opstudio.qt.status_line import StatusLine


class _Docks(Protocol):
    """What is needed of the panels around the middle."""

    def reveal(self, panel_id: str) -> None: ...


class LoopDesk(QObject):
    """Holds the session of the loop, the editor and the keys together."""

    shown_changed = Signal()
    """Another operator is looked at, or its files are others."""
    trusted = Signal()
    """The person trusts the workspace from now on."""

    def __init__(
        self,
        context: PanelContext,
        session: LoopSession,
        editors: EditorArea,
        status: StatusLine,
        notices: Notices,
        preferences: Preferences,
    ) -> None:
        super().__init__(session)
        self._actions, self._state, self._selection = context.actions, context.state, context.selection
        self._session, self._editors = session, editors
        self._status, self._notices, self._preferences = status, notices, preferences
        self._docks: _Docks | None = None
        self._last = ""

    def attach(self, docks: _Docks, last_operator: str) -> None:
        """Take the panels and the operator of last time, and follow what happens from now on."""
        self._docks, self._last = docks, last_operator
        actions, session = self._actions, self._session
        actions.run_fresh.triggered.connect(self._run_fresh)
        actions.check_all.triggered.connect(session.check_all)
        actions.cancel.triggered.connect(self._cancel)
        actions.cancel_all.triggered.connect(session.cancel)
        actions.trust.triggered.connect(self._ask_for_trust)
        actions.look_again.triggered.connect(session.look_again)
        actions.rebuild_on_pause.setChecked(self._preferences.checks_on_pause)
        actions.rebuild_on_pause.toggled.connect(self._set_checks_on_pause)
        session.opened.connect(self.update_actions)
        session.environment_known.connect(self._status.show_environment)
        session.refused.connect(self._show_refusal)
        session.trust_needed.connect(self._ask_for_trust)
        self._selection.operator_changed.connect(self._show_operator)
        self._selection.stage_changed.connect(self._show_stage)
        self._state.operators_updated.connect(self.update_actions)
        self._state.membership_changed.connect(self.select_first)
        self._editors.saved.connect(self._saved)
        self._editors.paused.connect(self._take_pause)
        self._editors.page_changed.connect(self.update_actions)
        self.update_actions()

    def owner(self, path: Path) -> str:
        """Return the operator that a file belongs to, or an empty text."""
        folders = (self._state.folder(name) for name in self._state.names)
        return next((folder.name for folder in folders if folder and path.is_relative_to(folder.path)), "")

    def select_first(self) -> None:
        """Look at the operator that was looked at last, or at the first."""
        names = self._state.names
        if self._selection.operator in names:
            self._show_operator(self._selection.operator)
            return
        if self._editors.has_modified(self._selection.operator):
            return  # its folder went away, and with it would the text that is not saved
        self._selection.select_operator(self._last if self._last in names else names[0] if names else "")

    def update_actions(self, *_names: object) -> None:
        """Let those actions be chosen that can do something now."""
        page, actions = self._editors.current, self._actions
        actions.save.setEnabled(page is not None and page.is_modified)
        actions.save_all.setEnabled(bool(self._editors.modified))
        actions.run_fresh.setEnabled(bool(self._selection.operator) and self._session.is_open)
        actions.check_all.setEnabled(self._session.is_open)
        is_idle = self._state.view(self._selection.operator).activity is Activity.IDLE
        actions.cancel.setEnabled(bool(self._selection.operator) and not is_idle)
        actions.cancel_all.setEnabled(self._state.is_busy)
        actions.trust.setEnabled(self._session.needs_trust)

    def _show_operator(self, name: str) -> None:
        self._editors.show_operator(name, self._state.folder(name))
        if name:
            self._session.show_first(name)
        self.update_actions()
        self.shown_changed.emit()

    def _show_stage(self, stage: str) -> None:
        if stage and self._docks is not None:
            self._docks.reveal("evidence")

    def _show_refusal(self, findings: tuple[Finding, ...]) -> None:
        self._status.show_refusal(findings[0].title)

    def _ask_for_trust(self) -> None:
        self._status.show_refusal(self.tr("Only read: this workspace is not trusted"))
        self.update_actions()
        self._notices.ask_for_trust(self._trust)

    def _trust(self) -> None:
        self._status.show_refusal("")
        self._session.trust()
        self.update_actions()
        self.trusted.emit()

    def _saved(self, path: Path) -> None:
        self._status.say(self.tr("{0} saved").format(path.name))
        if owner := self.owner(path):
            self._session.prefer(owner)
            self._selection.select_build(None)  # who goes on writing looks at what comes of it

    def _take_pause(self) -> None:
        if self._preferences.checks_on_pause:
            self._editors.save_by_itself()

    def _set_checks_on_pause(self, wanted: bool) -> None:  # noqa: FBT001 - Qt's signal
        self._preferences.checks_on_pause = wanted

    def _cancel(self) -> None:
        self._session.cancel_check(self._selection.operator)

    def _run_fresh(self) -> None:
        if self._editors.save_operator(self._selection.operator):
            self._session.run_fresh(self._selection.operator)
