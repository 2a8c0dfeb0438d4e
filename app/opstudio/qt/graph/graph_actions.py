"""What the person can ask of the graph: in the command palette, by buttons, and by keys where the canvas has them."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from opstudio.qt.actions import Actions


class GraphActions:
    """The actions. Those with a key of one letter have it only while the canvas has the keyboard."""

    def __init__(self, actions: Actions, canvas: QWidget) -> None:
        self._actions, self._canvas = actions, canvas
        add = self._add
        self.leave = add(QT_TRANSLATE_NOOP("Action", "Leave this graph of the model"), "Alt+Left", "back")
        self.fit = add(QT_TRANSLATE_NOOP("Action", "Fit the graph into view"), "F", "fit")
        self.full_size = add(QT_TRANSLATE_NOOP("Action", "Show the graph at 100 %"), "1")
        self.zoom_in = add(QT_TRANSLATE_NOOP("Action", "Enlarge the graph"), "+", "zoom_in")
        self.zoom_in.setShortcuts([QKeySequence("+"), QKeySequence("=")])
        self.zoom_out = add(QT_TRANSLATE_NOOP("Action", "Reduce the graph"), "-", "zoom_out")
        self.next_unresolved = add(QT_TRANSLATE_NOOP("Action", "Next node that nobody implements"), "N", "next")
        self.previous_unresolved = add(
            QT_TRANSLATE_NOOP("Action", "Previous node that nobody implements"), "Shift+N", "previous"
        )
        self.open_all = add(QT_TRANSLATE_NOOP("Action", "Open all groups of the graph"))
        self.close_again = add(QT_TRANSLATE_NOOP("Action", "Close the groups as at first"))
        self.save_picture = add(QT_TRANSLATE_NOOP("Action", "Save the picture of the graph…"), "", "picture")
        self.copy_picture = add(QT_TRANSLATE_NOOP("Action", "Copy the picture of the graph"), "", "copy")

    @property
    def all(self) -> tuple[QAction, ...]:
        """The actions, in the order of the menu."""
        return (
            *(self.fit, self.full_size, self.zoom_in, self.zoom_out),
            *(self.next_unresolved, self.previous_unresolved),
            *(self.leave, self.open_all, self.close_again),
            *(self.save_picture, self.copy_picture),
        )

    def enable(self, *, picture: bool, unresolved: bool, inner: bool) -> None:
        """Offer what can be done: there is a picture, a node that nobody implements, a graph around this one."""
        for action in self.all:
            action.setEnabled(picture)
        self.next_unresolved.setEnabled(picture and unresolved)
        self.previous_unresolved.setEnabled(picture and unresolved)
        self.leave.setEnabled(inner)

    def _add(self, source: object, key: str = "", icon: str = "") -> QAction:
        action = self._actions.add(source, key, icon)
        # Elsewhere in the window letters are typed.
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._canvas.addAction(action)
        return action
