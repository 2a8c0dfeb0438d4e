"""How texts differ, as one text: removed and added lines on grounds of their own, each with its sign."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QColor, QPainter, QPaintEvent, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from opstudio.qt.theme.fonts import mono_font
from opstudio.qt.theme.theme import Theme
from opstudio.workflows.source_difference import DiffLine, FileDifference, LineKind

_SIGNS = {LineKind.SAME: "  ", LineKind.ADDED: "+ ", LineKind.REMOVED: "− "}
_TONES = {LineKind.ADDED: "good", LineKind.REMOVED: "bad"}
_DIGITS = 5


class DifferenceView(QPlainTextEdit):
    """Shows the differences of files; it is only read."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._kinds: list[LineKind | None] = []
        self.setReadOnly(True)
        self._take_size()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.document().setDocumentMargin(8)
        theme.changed.connect(self.viewport().update)
        theme.text_size_changed.connect(self._take_size)

    def show_differences(self, differences: Sequence[FileDifference], notes: Sequence[str]) -> None:
        """Show files; ``notes`` stand behind their names, one for each."""
        lines: list[str] = []
        self._kinds = []
        for difference, note in zip(differences, notes, strict=True):
            if lines:
                self._add(lines, "", None)
            self._add(lines, f"{difference.name}    {note}", None)
            for hunk in difference.hunks:
                self._add(lines, hunk.heading, None)
                old, new = hunk.old_start, hunk.new_start
                for line in hunk.lines:
                    self._add(lines, _numbered(line, old, new), line.kind)
                    old += line.kind is not LineKind.ADDED
                    new += line.kind is not LineKind.REMOVED
        self.setPlainText("\n".join(lines))

    def show_parts(self, parts: Sequence[tuple[str, Sequence[DiffLine]]]) -> None:
        """Show pieces of text whose lines have no numbers, each below its title."""
        lines: list[str] = []
        self._kinds = []
        for title, content in parts:
            if lines:
                self._add(lines, "", None)
            self._add(lines, title, None)
            for line in content:
                self._add(lines, f"  {_SIGNS[line.kind]}{line.text}", line.kind)
        self.setPlainText("\n".join(lines))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the grounds behind the text."""
        with QPainter(self.viewport()) as painter:
            block, offset = self.firstVisibleBlock(), self.contentOffset()
            while block.isValid():
                place = self.blockBoundingGeometry(block).translated(offset)
                if place.top() > self.viewport().height():
                    break
                number = block.blockNumber()
                kind = self._kinds[number] if number < len(self._kinds) else None
                if kind in _TONES:
                    place.setLeft(0)
                    place.setRight(self.viewport().width())
                    painter.fillRect(place, QColor(self._theme.tokens.tint(_TONES[kind])))
                block = block.next()
        super().paintEvent(event)

    def _take_size(self) -> None:
        self.setFont(mono_font(self._theme.text_pixels))

    def _add(self, lines: list[str], text: str, kind: LineKind | None) -> None:
        lines.append(text)
        self._kinds.append(kind)


def _numbered(line: DiffLine, old: int, new: int) -> str:
    left = "" if line.kind is LineKind.ADDED else str(old)
    right = "" if line.kind is LineKind.REMOVED else str(new)
    return f"{left:>{_DIGITS}} {right:>{_DIGITS}}  {_SIGNS[line.kind]}{line.text}"
