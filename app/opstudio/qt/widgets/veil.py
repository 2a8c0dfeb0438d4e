"""A thin veil over what is out of date: it can still be read and used."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from opstudio.qt.theme.theme import Theme

_DIMMED = 0.55
"""How much of what lies beneath is seen, as of chips that are out of date."""


class Veil(QWidget):
    """Covers a widget with the colour of the ground.

    A ``QGraphicsOpacityEffect`` does not do it for lists and tables: what scrolls is opaque, and the effect shows
    whatever happens to lie in memory beneath.
    """

    def __init__(self, covered: QWidget, theme: Theme) -> None:
        super().__init__(covered)
        self._covered, self._theme = covered, theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        covered.installEventFilter(self)
        theme.changed.connect(self.update)

    def cover(self, *, covered: bool) -> None:
        """Put the veil on, or take it off."""
        self.setGeometry(self._covered.rect())
        self.setVisible(covered)
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as what is covered."""
        if event.type() is QEvent.Type.Resize and watched is self._covered:
            self.setGeometry(self._covered.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the veil."""
        colour = QColor(self._theme.tokens.surface)
        colour.setAlphaF(1.0 - _DIMMED)
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), colour)
