"""The open model of a window: what opens it, what allows code of libraries to run, what is remembered of it."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from opstudio.qt.file_drops import FileDrops
from opstudio.qt.fixes.fix_session import FixSession
from opstudio.qt.graph.graph_session import GraphSession, GraphState
from opstudio.qt.notices import Notices
from opstudio.qt.window_memory import WindowMemory
from opstudio.workflows.workspace_contracts import contracts_at
from opstudio.workspace.folder import Workspace
from opstudio.workspace.trust import Trust

PERSPECTIVE = "graph"
_WATCH_MS = 1000
_FIXES = "model_findings"
"""The panel with what is wrong with the model and what can be done about it."""


class _Docks(Protocol):
    """What is needed of the panels around the middle."""

    def reveal(self, panel_id: str) -> None: ...


class _Perspectives(Protocol):
    """What is needed of the switch of perspectives."""

    @property
    def docks(self) -> _Docks: ...

    def show(self, perspective: str) -> None: ...


class ModelsDesk(QObject):
    """Holds the session of the graph and the window together."""

    def __init__(
        self, window: QWidget, workspace: Workspace, trust: Trust, notices: Notices, memory: WindowMemory
    ) -> None:
        super().__init__(window)
        self._workspace, self._trust, self._notices, self._memory = workspace, trust, notices, memory
        self._perspectives: _Perspectives | None = None
        contracts = partial(contracts_at, workspace.root)
        self.session = GraphSession(self._python, self._may_run, self, contracts=contracts)
        self.session.trust_needed.connect(self._ask)
        self.fixes = FixSession(self.session, self._python, self)
        self.fixes.shown_changed.connect(self._reveal_fixes)
        # An export from this very window writes the file without the window becoming active again.
        self._watch = QTimer(self)
        self._watch.setInterval(_WATCH_MS)
        self._watch.timeout.connect(self.session.watch)
        self._watch.start()
        drops = FileDrops(window)
        drops.models_dropped.connect(self._open_first)
        drops.libraries_dropped.connect(self._add)

    def attach(self, perspectives: _Perspectives, page: QWidget) -> None:
        """Take the page that shows the graph; the model of last time is opened when it is first looked at."""
        self._perspectives = perspectives
        page.installEventFilter(self)

    def open_model(self, path: Path) -> None:
        """Open a model and look at it."""
        self.session.open(path)
        self._show()

    def look_again(self) -> None:
        """Read the model again where its file changed."""
        self.session.look_again()

    def keep(self) -> None:
        """Remember the model that is open."""
        if self.session.path is not None:
            self._memory.model = str(self.session.path)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the model of last time."""
        if event.type() is QEvent.Type.Show and self.session.state is GraphState.EMPTY:
            known = self._memory.model
            if known and Path(known).is_file():
                self.session.open(Path(known))
        return super().eventFilter(watched, event)

    def _open_first(self, paths: tuple[Path, ...]) -> None:
        self.open_model(paths[0])

    def _add(self, paths: tuple[Path, ...]) -> None:
        self.session.add_libraries(paths)
        self._show()

    def _show(self) -> None:
        if self._perspectives is not None:
            self._perspectives.show(PERSPECTIVE)

    def _reveal_fixes(self) -> None:
        if self.fixes.is_shown and self._perspectives is not None:
            self._show()
            self._perspectives.docks.reveal(_FIXES)

    def _ask(self, paths: tuple[Path, ...]) -> None:
        self._notices.ask_about_libraries(paths, partial(self.session.trust_libraries, paths))

    def _may_run(self) -> bool:
        return self._trust.is_trusted(self._workspace.root)

    def _python(self) -> str:
        """Return the interpreter whose runtime is asked: the workspace's, where that is trusted."""
        return (self._workspace.settings.python if self._may_run() else None) or sys.executable
