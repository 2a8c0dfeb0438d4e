"""Rows with a name at the left and a few quiet words at the right end, which give way where there is no room."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem

from opstudio.qt.models.model_tree import DETAIL_ROLE, FOLDER_ROLE
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.row_delegate import RowDelegate
from opstudio.qt.widgets.row_ground import paint_ground

_GAP = 10
_ICON_ROOM = 36
"""What an icon and the space around it take."""
_MOST_SHARE = 0.6
_LEAST_ROOM = 48
"""In less than these pixels nothing can be read."""
_ROUNDING = 4
"""Widths of texts are rounded down."""
_Index = QModelIndex | QPersistentModelIndex


class DetailDelegate(RowDelegate):
    """Names lose their middle, as those of one family differ at their ends."""

    def __init__(self, theme: Theme, view: QAbstractItemView, *, padding: int = 0) -> None:
        super().__init__(view, padding=padding)
        self._theme = theme

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        """Leave out the middle of a name that is too long; sentences lose their end."""
        super().initStyleOption(option, index)
        is_sentence = index.data(DETAIL_ROLE) is None and index.data(FOLDER_ROLE) is None
        option.textElideMode = Qt.TextElideMode.ElideRight if is_sentence else Qt.TextElideMode.ElideMiddle

    def paint(self, painter: QPainter, option: Any, index: _Index) -> None:
        """Paint the name, then what stands at the right end."""
        row = QRect(option.rect)
        paint_ground(painter, option)
        detail, room = self._detail(option, index)
        option.rect = row.adjusted(0, 0, -room, 0)
        super().paint(painter, option, index)
        if room:
            font = ui_font(SMALL_PIXELS)
            area = QRect(row.right() - room + _GAP, row.top(), room - 2 * _GAP, row.height())
            text = QFontMetrics(font).elidedText(detail, Qt.TextElideMode.ElideLeft, area.width())
            painter.save()
            painter.setFont(font)
            painter.setPen(QColor(self._theme.tokens.text_2))
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
            painter.restore()

    def _detail(self, option: Any, index: _Index) -> tuple[str, int]:
        """Return the words at the right end, and the pixels for them."""
        metrics, width = QFontMetrics(ui_font(SMALL_PIXELS)), int(option.rect.width())
        if detail := str(index.data(DETAIL_ROLE) or ""):
            return detail, min(metrics.horizontalAdvance(detail) + 2 * _GAP + _ROUNDING, int(width * _MOST_SHARE))
        folder = str(index.data(FOLDER_ROLE) or "")
        named = QStyleOptionViewItem(option)
        self.initStyleOption(named, index)
        left = width - self.padding - QFontMetrics(named.font).horizontalAdvance(named.text) - _ICON_ROOM
        room = min(metrics.horizontalAdvance(folder) + 2 * _GAP + _ROUNDING, left)
        return (folder, room) if folder and room >= _LEAST_ROOM else ("", 0)
