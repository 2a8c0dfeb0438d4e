"""The margin of the editor: findings and line numbers."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextCursor,
)
from PySide6.QtWidgets import QToolTip, QWidget

from opstudio.qt.editor.line_marks import LineMarks
from opstudio.qt.models.state_marks import severity_mark
from opstudio.qt.theme.fonts import SMALL_PIXELS, mono_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

_MARK_COLUMN = 22
_RIGHT_GAP = 10
_MARK_PIXELS = 14
_LEAST_DIGITS = 3


class NumberedText(Protocol):
    """What the gutter asks of the editor that it stands in."""

    @property
    def marks(self) -> LineMarks:
        """The findings at lines."""
        ...

    def blockCount(self) -> int:
        """Return the number of lines."""
        ...

    def textCursor(self) -> QTextCursor:
        """Return the cursor."""
        ...

    def setTextCursor(self, cursor: QTextCursor, /) -> None:
        """Move the cursor."""
        ...

    def cursorForPosition(self, pos: QPoint, /) -> QTextCursor:
        """Return the cursor at a place of the viewport."""
        ...

    def visible_blocks(self) -> list[tuple[QTextBlock, QRectF]]:
        """Return the lines in view, with their places."""
        ...

    def tool_tip_at(self, block_number: int) -> str:
        """Return the findings of a line as rich text."""
        ...


class Gutter(QWidget):
    """Stands in the left margin of an editor and scrolls with it."""

    def __init__(self, editor: NumberedText, theme: Theme, icons: Icons, parent: QWidget) -> None:
        super().__init__(parent)
        self._editor, self._theme, self._icons = editor, theme, icons
        self.setFont(mono_font(SMALL_PIXELS))
        self.setCursor(Qt.CursorShape.ArrowCursor)
        theme.changed.connect(self.update)

    def wanted_width(self) -> int:
        """Return the width that the numbers of all lines need."""
        digits = max(len(str(self._editor.blockCount())), _LEAST_DIGITS)
        return round(_MARK_COLUMN + QFontMetricsF(self.font()).horizontalAdvance("0") * digits + _RIGHT_GAP)

    def sizeHint(self) -> QSize:
        """Return the width that the numbers of all lines need."""
        return QSize(self.wanted_width(), 0)

    def follow(self, area: QRect, scrolled: int) -> None:
        """Scroll with the text, or paint again what was painted there."""
        if scrolled:
            self.scroll(0, scrolled)
        else:
            self.update(0, area.y(), self.width(), area.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the numbers and marks of the lines in view."""
        with QPainter(self) as painter:
            tokens, current = self._theme.tokens, self._editor.textCursor().blockNumber()
            painter.fillRect(event.rect(), QColor(tokens.surface))
            painter.setFont(self.font())
            for block, place in self._editor.visible_blocks():
                number = block.blockNumber()
                row = QRectF(0, place.top(), self.width() - _RIGHT_GAP, place.height())
                painter.setPen(QColor(tokens.text if number == current else tokens.text_3))
                painter.drawText(row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number + 1))
                if marks := self._editor.marks.at(number):
                    mark = severity_mark(marks[0].finding.severity)
                    painter.setOpacity(0.5 if marks[0].stale else 1.0)
                    top = place.top() + (place.height() - _MARK_PIXELS) / 2
                    self._icons.paint(painter, mark.icon, mark.token, QPointF(5, top), size=_MARK_PIXELS)
                    painter.setOpacity(1.0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Put the cursor on the line."""
        self._editor.setTextCursor(self._editor.cursorForPosition(event.position().toPoint()))

    def event(self, event: QEvent) -> bool:
        """Explain the findings of the line under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            number = self._editor.cursorForPosition(event.pos()).blockNumber()
            QToolTip.showText(event.globalPos(), self._editor.tool_tip_at(number), self)
            return True
        return super().event(event)
