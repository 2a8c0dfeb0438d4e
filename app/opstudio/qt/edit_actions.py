"""What the menu Edit does to the text or the list that has the keyboard.

The keys are those of the widgets themselves: the actions only show them, because two owners of a key silence each
other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from shiboken6 import isValid

from opstudio.qt.actions import Actions

_Key = QKeySequence.StandardKey
_TEXT_WIDGETS = (QLineEdit, QPlainTextEdit, QTextEdit)


class EditActions(QObject):
    """Follows the keyboard, and knows what can be done where it is."""

    def __init__(self, actions: Actions, window: QWidget, is_passing: Callable[[QWidget], bool]) -> None:
        """Add the actions.

        Args:
            actions: where they are added.
            window: whose widgets they work on.
            is_passing: whether a widget has the keyboard only to choose a command, as the field of the palette.
        """
        super().__init__(actions)
        self._window, self._is_passing = window, is_passing
        self._target: QWidget | None = None
        self.all = tuple(
            self._add(actions, source, key, what)
            for source, key, what in (
                (QT_TRANSLATE_NOOP("Action", "Undo"), _Key.Undo, "undo"),
                (QT_TRANSLATE_NOOP("Action", "Redo"), _Key.Redo, "redo"),
                (QT_TRANSLATE_NOOP("Action", "Cut"), _Key.Cut, "cut"),
                (QT_TRANSLATE_NOOP("Action", "Copy"), _Key.Copy, "copy"),
                (QT_TRANSLATE_NOOP("Action", "Paste"), _Key.Paste, "paste"),
                (QT_TRANSLATE_NOOP("Action", "Select all"), _Key.SelectAll, "selectAll"),
            )
        )
        actions.about_to_show.connect(self.refresh)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def refresh(self) -> None:
        """Enable what can be done where the keyboard is."""
        for action in self.all:
            action.setEnabled(self._can(action.data()))

    def _add(self, actions: Actions, source: object, key: _Key, what: str) -> QAction:
        action = actions.add(source, key)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.setData(what)
        action.triggered.connect(partial(self._do, what))
        return action

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and now.window() is self._window and not self._is_passing(now):
            self._target = now

    def _doer(self, what: str) -> Any:
        """Return the method that does something where the keyboard is, or ``None``."""
        widget = self._target if self._target is not None and isValid(self._target) else None
        if isinstance(widget, _TEXT_WIDGETS):
            return getattr(widget, what)
        if what == "selectAll":
            return getattr(widget, what, None)
        while what == "copy" and widget is not None and widget is not self._window:
            if (copy := getattr(widget, "copy_selected", None)) is not None:
                return copy
            widget = widget.parentWidget()
        return None

    def _can(self, what: str) -> bool:
        widget = self._target
        if widget is None or self._doer(what) is None:
            return False
        if not isinstance(widget, _TEXT_WIDGETS):
            return True
        if what not in {"copy", "selectAll"} and widget.isReadOnly():
            return False
        past = widget if isinstance(widget, QLineEdit) else widget.document()
        match what:
            case "undo":
                return past.isUndoAvailable()
            case "redo":
                return past.isRedoAvailable()
            case "cut" | "copy":
                cursor = widget if isinstance(widget, QLineEdit) else widget.textCursor()
                return cursor.hasSelectedText() if isinstance(cursor, QLineEdit) else cursor.hasSelection()
            case "paste":
                return bool(QApplication.clipboard().text())
            case _:
                return True

    def _do(self, what: str) -> None:
        if (doer := self._doer(what)) is not None:
            doer()
