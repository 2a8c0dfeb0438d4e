"""Paints a finding in two lines: icon, id, title; place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from opstudio.base.finding import Place
from opstudio.qt.models.operator_view import ShownFinding
from opstudio.qt.models.state_marks import severity_mark
from opstudio.qt.theme.fonts import SMALL_PIXELS, mono_font, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

ROW_HEIGHT = 44
_PADDING = 12
_ICON_PIXELS = 14
_TEXT_LEFT = _PADDING + _ICON_PIXELS + 8
_LINE_HEIGHT = 18
_DIMMED = 0.55


class FindingDelegate(QStyledItemDelegate):
    """All rows have one height, so that ten thousand are as quick as ten."""

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        finding_at: Callable[[int], ShownFinding | None],
        view: QListView,
        place_text: Callable[[Place], str] = str,
    ) -> None:
        super().__init__(view)
        self._theme, self._icons, self._finding_at, self._place_text = theme, icons, finding_at, place_text

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(0, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: Any, index: QModelIndex | QPersistentModelIndex) -> None:
        """Paint a row."""
        shown, tokens = self._finding_at(index.row()), self._theme.tokens
        if shown is None:
            return
        area, finding, mark = QRectF(option.rect), shown.finding, severity_mark(shown.finding.severity)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(tokens.selection))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, QColor(tokens.hover))
        painter.setOpacity(_DIMMED if shown.stale else 1.0)
        first = QRectF(area.left() + _TEXT_LEFT, area.top() + 4, area.width() - _TEXT_LEFT - _PADDING, _LINE_HEIGHT)
        top = first.top() + (_LINE_HEIGHT - _ICON_PIXELS) / 2
        self._icons.paint(painter, mark.icon, mark.token, QPointF(area.left() + _PADDING, top), size=_ICON_PIXELS)
        self._line(painter, first, finding.title, tokens.text)
        second = first.translated(0, _LINE_HEIGHT)
        painter.setFont(ui_font(SMALL_PIXELS, semibold=True))
        painter.setPen(QColor(getattr(tokens, mark.token)))
        painter.drawText(second, Qt.AlignmentFlag.AlignVCenter, finding.id)
        used = QFontMetricsF(painter.font()).horizontalAdvance(finding.id) + 8
        place = next((text for place in finding.places if (text := self._place_text(place))), "")
        rest = second.adjusted(used, 0, 0, 0)
        painter.setFont(mono_font(SMALL_PIXELS))
        where = QFontMetricsF(painter.font()).elidedText(place, Qt.TextElideMode.ElideLeft, rest.width())
        painter.setPen(QColor(tokens.text_2))
        painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, where)
        painter.restore()

    def _line(self, painter: QPainter, area: QRectF, text: str, colour: str) -> None:
        painter.setFont(ui_font())
        painter.setPen(QColor(colour))
        single = text.replace("\n", " ")
        fitted = QFontMetricsF(painter.font()).elidedText(single, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, fitted)
