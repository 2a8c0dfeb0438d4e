"""The ground of rows: flat, where the style shades what is selected or pointed at, and as wide as the cell."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QStyle, QTableView

HOVER_ROLE = QPalette.ColorRole.Midlight
"""Where the palette keeps the ground of what the pointer is on; the style has no use for it."""


_FLAGS = QStyle.StateFlag
_SHADED = _FLAGS.State_Selected | _FLAGS.State_MouseOver | _FLAGS.State_HasFocus


def paint_ground(painter: QPainter, option: Any) -> None:
    """Paint the ground of a cell that is selected, pointed at or has the keyboard; leave nothing of that to the style.

    A table lights up no cell: Qt tells the one below the pointer only, and what is selected is a row.
    """
    state, palette = option.state, option.palette
    if state & _FLAGS.State_Selected:
        painter.fillRect(option.rect, palette.color(QPalette.ColorRole.Highlight))
    elif state & _FLAGS.State_MouseOver and not isinstance(option.widget, QTableView):
        painter.fillRect(option.rect, palette.color(HOVER_ROLE))
    if state & _FLAGS.State_HasFocus and not state & _FLAGS.State_Selected:
        painter.save()
        painter.setPen(palette.color(QPalette.ColorRole.Accent))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(option.rect.adjusted(0, 0, -1, -1))
        painter.restore()
    option.state = state & ~_SHADED
