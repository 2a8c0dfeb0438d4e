"""The frame of a panel: a title line with a count and the panel's own buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QWidget

from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.theme import Theme

_HEIGHT = 32


class TitleLine(QWidget):
    """Stands where Qt would paint a title bar; the panel is moved by it."""

    def __init__(self, widgets: Sequence[QWidget], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title, self._badge = QLabel(), QLabel()
        self._title.setFont(ui_font(SMALL_PIXELS, semibold=True))
        self._badge.setFont(ui_font(SMALL_PIXELS))
        self._badge.setProperty("tone", "quiet")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 0, 6, 1)
        layout.setSpacing(8)
        layout.addWidget(self._title)
        layout.addWidget(self._badge)
        layout.addStretch(1)
        for widget in widgets:
            layout.addWidget(widget)
        theme.changed.connect(self.update)

    def set_title(self, text: str) -> None:
        """Show another title."""
        self._title.setText(text)

    def set_badge(self, text: str) -> None:
        """Show a short text beside the title."""
        self._badge.setText(text)

    def sizeHint(self) -> QSize:
        """Return the height of a title line."""
        return QSize(super().sizeHint().width(), _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Let the panel be narrow."""
        return QSize(80, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ground and the line below."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.tokens.surface))
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(self._theme.tokens.line))


class PanelDock(QDockWidget):
    """Holds a panel; can be moved, floated and closed from the menu View."""

    def __init__(self, panel_id: str, content: QWidget, line: TitleLine) -> None:
        super().__init__()
        self._line = line
        self.setObjectName(f"panel.{panel_id}")
        self.setTitleBarWidget(line)
        content.setAutoFillBackground(True)
        content.setBackgroundRole(content.palette().ColorRole.Base)
        self.setWidget(content)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the border of a panel out of the window: with a title line of its own it gets none from the system."""
        super().paintEvent(event)
        if self.isFloating():
            with QPainter(self) as painter:
                painter.setPen(self.palette().color(QPalette.ColorRole.Mid))
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def set_title(self, text: str) -> None:
        """Show another title, in the panel's own line and on tabs."""
        self.setWindowTitle(text)
        self._line.set_title(text)
