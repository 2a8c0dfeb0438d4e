"""Rows of lists and tables as the window has them: one height, room before the first column, colours that stay."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

from opstudio.qt.widgets.row_ground import paint_ground

_HEIGHT = 26
_Index = QModelIndex | QPersistentModelIndex


class RowDelegate(QStyledItemDelegate):
    """Keeps the colours of texts where a row is selected; ``padding`` is the room before the first column in pixels."""

    def __init__(self, view: QAbstractItemView, *, padding: int = 0) -> None:
        super().__init__(view)
        self.padding = padding

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return a size with the height of a row."""
        return QSize(super().sizeHint(option, index).width(), _HEIGHT)

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        """Take the colour of the text for selected rows too."""
        super().initStyleOption(option, index)
        option.palette.setColor(QPalette.ColorRole.HighlightedText, option.palette.color(QPalette.ColorRole.Text))

    def paint(self, painter: QPainter, option: Any, index: _Index) -> None:
        """Paint a cell."""
        paint_ground(painter, option)
        if self.padding and index.column() == 0:
            option.rect.adjust(self.padding, 0, 0, 0)
        super().paint(painter, option, index)
