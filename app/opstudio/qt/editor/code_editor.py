"""A plain text editor with line numbers, the current line, and findings at their lines."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QToolTip, QWidget

from opstudio.qt.editor.gutter import Gutter
from opstudio.qt.editor.indentation import break_line, indent_unit, shift_lines
from opstudio.qt.editor.languages import language_of
from opstudio.qt.editor.line_marks import LineMark, LineMarks
from opstudio.qt.editor.stretches import Stretch, paint_stretches
from opstudio.qt.editor.syntax_colours import SyntaxColours
from opstudio.qt.models.state_marks import severity_mark
from opstudio.qt.theme.fonts import SMALL_PIXELS, UI_PIXELS, mono_font, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

_TAB_COLUMNS = 4
_NOTE_GAP = 28
_LEAST_NOTE_WIDTH = 80
_TOOL_TIP_WIDTH = 460


class CodeEditor(QPlainTextEdit):
    """Edits one text. Files are the business of its page."""

    position_changed = Signal()

    def __init__(self, theme: Theme, icons: Icons, suffix: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._suffix = theme, suffix
        self.tab_leaves = False
        """Whether Tab and Shift+Tab take the keyboard elsewhere. Where the text is only read they always do."""
        self._marks = LineMarks(self.document())
        self._gutter = Gutter(self, theme, icons, self)
        self.document().setDocumentMargin(4)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setCursorWidth(2)
        self.viewport().setMouseTracking(True)
        self.blockCountChanged.connect(self._adapt)
        self.updateRequest.connect(self._gutter.follow)
        self.cursorPositionChanged.connect(self._moved)
        theme.changed.connect(self.viewport().update)
        theme.text_size_changed.connect(self._take_size)
        self._brackets: list[Stretch] = []
        self._matches: Sequence[Stretch] = ()
        language = language_of(suffix)
        self._colours = None if language is None else SyntaxColours(language, theme, self.file_text, self)
        if self._colours is not None:
            self.document().contentsChange.connect(self._colours.follow)
            self._colours.parsed.connect(self._colour)
            self.verticalScrollBar().valueChanged.connect(self._colour)
        self._take_size()

    @property
    def marks(self) -> LineMarks:
        """The findings at lines."""
        return self._marks

    def file_text(self) -> str:
        """Return the text, every character as it is; Qt's own ``toPlainText`` would turn hard spaces into soft."""
        return self.document().toRawText().replace("\u2029", "\n")

    def set_marks(self, marks: Sequence[LineMark]) -> None:
        """Show findings at their lines."""
        if self._marks.replace(marks):
            self.viewport().update()
            self._gutter.update()

    def set_matches(self, matches: Sequence[Stretch]) -> None:
        """Show what a search has found."""
        self._matches = matches
        self.viewport().update()

    def replace_text(self, text: str) -> None:
        """Replace what differs, so that the cursor, the view and the history stay."""
        old = self.file_text()
        head = _common_start(old, text)
        tail = _common_start(old[head:][::-1], text[head:][::-1])
        cursor = QTextCursor(self.document())
        cursor.setPosition(_units(old[:head]))
        cursor.setPosition(_units(old[: len(old) - tail]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[head : len(text) - tail])

    def go_to(self, line: int, column: int | None = None) -> None:
        """Put the cursor at a line and column, both counted from one, in the middle of the view."""
        block = self.document().findBlockByNumber(min(max(line, 1), self.blockCount()) - 1)
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + min(max((column or 1) - 1, 0), block.length() - 1))
        self.setTextCursor(cursor)
        self.centerCursor()

    def visible_blocks(self) -> list[tuple[QTextBlock, QRectF]]:
        """Return the lines in view, with their places in the viewport."""
        found: list[tuple[QTextBlock, QRectF]] = []
        block, offset = self.firstVisibleBlock(), self.contentOffset()
        bottom = self.viewport().height()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > bottom:
                break
            found.append((block, place))
            block = block.next()
        return found

    def tool_tip_at(self, block_number: int) -> str:
        """Return the findings of a line (counted from zero) as rich text."""
        explained = [_explain(mark) for mark in self._marks.at(block_number)]
        return (
            f"<table width='{_TOOL_TIP_WIDTH}'><tr><td>{'<hr>'.join(explained)}</td></tr></table>" if explained else ""
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the gutter at the left edge."""
        super().resizeEvent(event)
        self._colour()
        area = self.viewport().geometry()
        self._gutter.setGeometry(QRect(0, area.top(), self._gutter.wanted_width(), area.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the current line and the findings behind and beside the text."""
        with QPainter(self.viewport()) as painter:
            blocks = self.visible_blocks()
            tokens, current = self._theme.tokens, self.textCursor().blockNumber()
            for block, place in blocks:
                across = QRectF(0, place.top(), self.viewport().width(), place.height())
                marks = self._marks.at(block.blockNumber())
                if marks:
                    token = severity_mark(marks[0].finding.severity).token
                    painter.setOpacity(0.5 if marks[0].stale else 1.0)
                    painter.fillRect(across, QColor(tokens.tint(token)))
                    painter.setOpacity(1.0)
                elif block.blockNumber() == current:
                    painter.fillRect(across, QColor(tokens.hover))
            ground, border = QColor(tokens.tint("warn")), QColor(tokens.warn)
            paint_stretches(painter, blocks, self._matches, ground=ground, border=border)
            ground, border = QColor(tokens.selection), QColor(tokens.text_3)
            paint_stretches(painter, blocks, self._brackets, ground=ground, border=border)
        super().paintEvent(event)
        with QPainter(self.viewport()) as painter:
            for block, place in blocks:
                if marks := self._marks.at(block.blockNumber()):
                    self._paint_note(painter, block, place, marks)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Indent and break lines as a person expects of an editor for code."""
        key, cursor = event.key(), self.textCursor()
        unit = indent_unit(self.document(), self._suffix) if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab) else ""
        if unit and (self.tab_leaves or self.isReadOnly() or self._is_outermost(event)):
            # Past Qt's own text editor, which keeps the keyboard while Tab is a sign to type.
            QWidget.focusNextPrevChild(self, key == Qt.Key.Key_Tab)
        elif self.isReadOnly() or event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | _KEYPAD):
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # With Shift, Qt would put in a line separator, which no compiler takes for the end of a line.
            break_line(cursor)
            self.ensureCursorVisible()
        elif key == Qt.Key.Key_Backtab or (key == Qt.Key.Key_Tab and cursor.hasSelection()):
            shift_lines(cursor, unit, outwards=key == Qt.Key.Key_Backtab)
        elif key == Qt.Key.Key_Tab:
            cursor.insertText(unit if unit == "\t" else " " * (len(unit) - cursor.positionInBlock() % len(unit)))
        else:
            super().keyPressEvent(event)

    def _is_outermost(self, event: QKeyEvent) -> bool:
        """Whether Shift+Tab has nothing to take away: no selection, and a line that is not indented."""
        cursor = self.textCursor()
        is_indented = cursor.block().text()[:1].isspace()
        return event.key() == Qt.Key.Key_Backtab and not cursor.hasSelection() and not is_indented

    def viewportEvent(self, event: QEvent) -> bool:
        """Explain the findings of the line under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self.show_tool_tip(event.pos(), event.globalPos())
            return True
        return super().viewportEvent(event)

    def show_tool_tip(self, place: QPoint, on_screen: QPoint) -> None:
        """Explain the findings of the line at a place of the viewport."""
        number = self.cursorForPosition(place).blockNumber()
        QToolTip.showText(on_screen, self.tool_tip_at(number), self)

    def _paint_note(self, painter: QPainter, block: QTextBlock, place: QRectF, marks: tuple[LineMark, ...]) -> None:
        """Paint id, cause and fix of the first finding behind the end of its line, as far as there is room.

        The cause first: it is what differs from line to line. The title is in the tool tip and in the panel.
        """
        finding = marks[0].finding
        layout = block.layout().lineAt(0)
        start = place.left() + layout.naturalTextWidth() + _NOTE_GAP
        room = self.viewport().width() - start - 8
        if room < _LEAST_NOTE_WIDTH:
            return
        more = f"  +{len(marks) - 1}" if len(marks) > 1 else ""
        font = ui_font(SMALL_PIXELS)
        fix = f"  →  {finding.fix}" if finding.fix else ""
        said = f"{finding.id}  {finding.cause or finding.title}{more}{fix}".replace("\n", " ")
        text = QFontMetricsF(font).elidedText(said, Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setOpacity(0.6 if marks[0].stale else 1.0)
        painter.setPen(QColor(getattr(self._theme.tokens, severity_mark(finding.severity).token)))
        painter.drawText(QRectF(start, place.top(), room, place.height()), Qt.AlignmentFlag.AlignVCenter, text)
        painter.setOpacity(1.0)

    def _colour(self) -> None:
        """Colour the lines in view, and find the brackets at the cursor."""
        if self._colours is not None:
            self._colours.colour([block for block, _ in self.visible_blocks()])
            self._find_brackets()

    def _find_brackets(self) -> None:
        pair = self._colours.brackets_at(self.textCursor().position()) if self._colours is not None else None
        self._brackets = [(place, place + 1) for place in pair or ()]

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Leave files that are dropped to the window; as text they would be addresses."""
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Make the text larger or smaller with Ctrl, as editors do."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            turned = event.angleDelta().y()
            self._theme.set_text_steps(self._theme.text_steps + (turned > 0) - (turned < 0))
            event.accept()
        else:
            super().wheelEvent(event)

    def _take_size(self) -> None:
        """Follow the size of the text."""
        self.setFont(mono_font(self._theme.text_pixels))
        self._gutter.setFont(mono_font(self._theme.text_pixels - UI_PIXELS + SMALL_PIXELS))
        self.setTabStopDistance(QFontMetricsF(self.font()).horizontalAdvance(" ") * _TAB_COLUMNS)
        self._adapt()

    def _adapt(self) -> None:
        """Follow a change of the number of lines."""
        self._marks.follow()
        self.setViewportMargins(self._gutter.wanted_width(), 0, 0, 0)
        self._gutter.resize(self._gutter.wanted_width(), self._gutter.height())

    def _moved(self) -> None:
        self._find_brackets()
        self.viewport().update()
        self._gutter.update()
        self.position_changed.emit()


_KEYPAD = Qt.KeyboardModifier.KeypadModifier


def _explain(mark: LineMark) -> str:
    finding = mark.finding
    parts = [f"<b>{finding.id}</b> {html.escape(finding.title)}", html.escape(finding.cause), html.escape(finding.fix)]
    return "<br>".join(part for part in parts if part)


def _common_start(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their start."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _units(text: str) -> int:
    """Return the length of a text as Qt counts it: in units of UTF-16."""
    return len(text) + sum(character > "\uffff" for character in text)
