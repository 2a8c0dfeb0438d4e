"""Switches the window between perspectives; each keeps its own layout."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, QObject, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from opstudio.qt.actions import Actions
from opstudio.qt.center import Center
from opstudio.qt.docks import Docks
from opstudio.qt.panel import PanelContext
from opstudio.qt.perspective import find_perspectives
from opstudio.qt.widgets.rail import Rail
from opstudio.qt.window_memory import WindowMemory


class PerspectiveSwitch(QObject):
    """Holds the rail, the docks and what stands in the middle together."""

    def __init__(self, window: QMainWindow, center: Center, context: PanelContext, memory: WindowMemory) -> None:
        super().__init__(window)
        self._window, self._center, self._memory = window, center, memory
        self.docks = Docks(window, context)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.timeout.connect(self._settle)
        self._manifests = {manifest.id: manifest for manifest in find_perspectives()}
        self._actions = {
            manifest.id: self._make_action(context.actions, number, manifest.id)
            for number, manifest in enumerate(self._manifests.values(), start=1)
        }
        for manifest in self._manifests.values():
            center.add_perspective(manifest.id, manifest.create(context) if manifest.create else None)
        self._shown = next(iter(self._manifests))
        if len(self._actions) > 1:
            window.addToolBar(Qt.ToolBarArea.LeftToolBarArea, Rail(list(self._actions.values()), window))

    @property
    def shown(self) -> str:
        """The perspective that is shown."""
        return self._shown

    @property
    def actions(self) -> list[QAction]:
        """The actions that switch, in the order of the perspectives."""
        return list(self._actions.values())

    def restore(self) -> None:
        """Show the window as it was left, or as it is the first time."""
        self._memory.restore_place(self._window)
        wanted = self._memory.perspective
        self._shown = wanted if wanted in self._manifests else self._shown
        self._show()

    def show(self, perspective: str) -> None:
        """Switch to a perspective."""
        if perspective != self._shown:
            self._memory.keep_layout(self._window, self._shown)
            self._shown = perspective
            self._show()
        else:
            self._center.show_perspective(perspective)

    def show_editor(self) -> None:
        """Show the editor: where it stands already, else in the first perspective."""
        has_editor = self._manifests[self._shown].create is None
        self.show(self._shown if has_editor else next(iter(self._manifests)))

    def keep(self) -> None:
        """Remember how the window is left."""
        self._memory.keep_layout(self._window, self._shown)
        self._memory.perspective = self._shown

    def reset(self) -> None:
        """Put everything where it stands first, in all perspectives."""
        self._memory.forget_layouts()
        self._place()

    def _show(self) -> None:
        self._settling.stop()
        if not self._memory.restore_layout(self._window, self._shown):
            self._place()
        self._center.show_perspective(self._shown)
        self._actions[self._shown].setChecked(True)

    def _place(self) -> None:
        """Put the panels where they stand first; their sizes once more when the window is shown: none holds before."""
        self.docks.reset(self._shown)
        if not self._window.isVisible():
            self._settling.start()

    def _settle(self) -> None:
        self.docks.fit(self._shown)

    def _make_action(self, actions: Actions, number: int, perspective: str) -> QAction:
        manifest = self._manifests[perspective]
        palette = QT_TRANSLATE_NOOP("Action", "Perspective {0}")
        action = actions.add(manifest.title, f"Ctrl+{number}", manifest.icon, context="Perspective", palette=palette)
        action.triggered.connect(partial(self.show, perspective))
        return action
