"""The explanations of exports in a window: what asks for them, what is saved before, and how they end with it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject

from opstudio.qt.actions import Actions
from opstudio.qt.bridge import EventBridge
from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.export.export_session import ExportSession
from opstudio.qt.selection import Selection
from opstudio.qt.session import LoopSession

_PANEL = "export"


class _Docks(Protocol):
    """What is needed of the panels around the middle."""

    def reveal(self, panel_id: str) -> None: ...

    def is_open(self, panel_id: str) -> bool: ...


class _Perspectives(Protocol):
    """What is needed of the switch of perspectives."""

    @property
    def docks(self) -> _Docks: ...

    def show(self, perspective: str) -> None: ...


class ExportsDesk(QObject):
    """Holds the session of the exports and the window together."""

    def __init__(
        self, loop: LoopSession, bridge: EventBridge, actions: Actions, editors: EditorArea, selection: Selection
    ) -> None:
        super().__init__(loop)
        self._loop, self._actions, self._editors = loop, actions, editors
        self._perspectives: _Perspectives | None = None
        self.session = ExportSession(lambda: loop.studio, lambda: loop.needs_trust, bridge.post, self)
        for signal in (loop.opened, loop.trust_needed):
            signal.connect(self.session.look_again)
        loop.refused.connect(self.session.take_refusal)
        self.session.trust_needed.connect(loop.trust_needed)
        self.session.target_changed.connect(self._update_actions)
        self.session.results_changed.connect(self._update_actions)
        selection.operator_changed.connect(self.session.set_operator)
        editors.page_changed.connect(self._follow_editor)
        actions.explain_export.triggered.connect(self.explain)
        actions.cancel_export.triggered.connect(self.session.cancel)
        actions.choose_export.triggered.connect(self._reveal)
        self._update_actions()

    def attach(self, perspectives: _Perspectives) -> None:
        """Take what shows the panel."""
        self._perspectives = perspectives

    def explain(self) -> None:
        """Save what the model is made of, export it with both exporters, and show what comes of it."""
        self._reveal()
        if self._saved():
            self.session.explain()

    def _reveal(self) -> None:
        """Bring the panel to the front: where it stands already, else in the perspective that has room for it."""
        shown = self._perspectives
        if shown is None:
            return
        if not shown.docks.is_open(_PANEL):
            shown.show(_PANEL)
        shown.docks.reveal(_PANEL)

    def _saved(self) -> bool:
        """Save the files of the target; where one cannot be saved its tab says why."""
        target = self.session.target
        if target is None:
            return False
        if target.file is None:
            return self._editors.save_operator(target.operator)
        return all(page.save() for page in self._editors.modified if page.path == target.file)

    def _follow_editor(self) -> None:
        page = self._editors.current
        path = None if page is None else page.path
        self.session.current_file = _python(path)

    def _update_actions(self) -> None:
        self._actions.explain_export.setEnabled(self.session.target is not None)
        self._actions.cancel_export.setEnabled(self.session.running is not None)


def _python(path: Path | None) -> Path | None:
    return path if path is not None and path.suffix == ".py" else None
