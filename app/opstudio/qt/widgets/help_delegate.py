"""Paints a page of the help in two lines: its title, and a line of it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from opstudio.qt.models.help_model import HelpModel
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

ROW_HEIGHT = 44
_PADDING = 12
_ICON_PIXELS = 14
_TEXT_LEFT = _PADDING + _ICON_PIXELS + 8
_LINE_HEIGHT = 18


class HelpDelegate(QStyledItemDelegate):
    """All rows have one height."""

    def __init__(self, theme: Theme, icons: Icons, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._icons = theme, icons

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(0, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: Any, index: QModelIndex | QPersistentModelIndex) -> None:
        """Paint a row."""
        model, tokens = index.model(), self._theme.tokens
        assert isinstance(model, HelpModel)
        hit, area = model.at(index.row()), QRectF(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(tokens.selection))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, QColor(tokens.hover))
        first = QRectF(area.left() + _TEXT_LEFT, area.top() + 4, area.width() - _TEXT_LEFT - _PADDING, _LINE_HEIGHT)
        top = first.top() + (_LINE_HEIGHT - _ICON_PIXELS) / 2
        icon = "note" if hit.page.is_rule else "help"
        self._icons.paint(painter, icon, "text_2", QPointF(area.left() + _PADDING, top), size=_ICON_PIXELS)
        _line(painter, first, hit.page.title, ui_font(), tokens.text)
        _line(painter, first.translated(0, _LINE_HEIGHT), hit.context, ui_font(SMALL_PIXELS), tokens.text_2)
        painter.restore()


def _line(painter: QPainter, area: QRectF, text: str, font: QFont, colour: str) -> None:
    painter.setFont(font)
    painter.setPen(QColor(colour))
    fitted = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, fitted)
