"""What stands in the corner of the menu bar: the button that opens the field which finds everything."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from opstudio.qt.theme.icons import Icons

_WIDTH = 300


class FinderButton(QPushButton):
    """Looks like the field that it opens, and names the key of the commands."""

    def __init__(self, commands: QAction, icons: Icons) -> None:
        super().__init__()
        self._commands, self._icons = commands, icons
        self.setProperty("look", "field")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setIconSize(QSize(14, 14))
        self.setMinimumWidth(_WIDTH)
        icons.changed.connect(self._refresh)
        self.retranslate()

    def framed(self, parent: QWidget) -> QWidget:
        """Return the button in a frame that keeps it away from the edges of the window."""
        frame = QWidget(parent)
        row = QHBoxLayout(frame)
        row.setContentsMargins(0, 2, 8, 2)
        row.addWidget(self)
        return frame

    def retranslate(self) -> None:
        """Set the texts."""
        key = self._commands.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setText(self.tr("Search or command    {0}").format(key))
        self._refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def _refresh(self) -> None:
        self.setIcon(self._icons.icon("search"))
