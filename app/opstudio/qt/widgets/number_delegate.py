"""Cells of numbers, in line with the titles above them, which keep room at their right end."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate

from opstudio.qt.widgets.row_ground import paint_ground

INSET = 7
"""What titles keep free at the right end, less what cells do."""


class NumberDelegate(QStyledItemDelegate):
    """Moves what is aligned to the right a little inwards, and the first column by an inset of its own."""

    def __init__(self, view: QAbstractItemView, *, first_inset: int = 0) -> None:
        super().__init__(view)
        self._first_inset = first_inset

    def paint(self, painter: QPainter, option: Any, index: QModelIndex | QPersistentModelIndex) -> None:
        """Paint a cell; the ground of a selected one reaches to its edge."""
        alignment = index.data(Qt.ItemDataRole.TextAlignmentRole)
        is_right = alignment is not None and bool(alignment & Qt.AlignmentFlag.AlignRight)
        left = self._first_inset if index.column() == 0 and not is_right else 0
        paint_ground(painter, option)
        option.rect.adjust(left, 0, -INSET if is_right else 0, 0)
        super().paint(painter, option, index)
