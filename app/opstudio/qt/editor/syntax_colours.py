"""Colours the lines in view by what they are; typing never waits for it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QColor, QTextBlock, QTextCharFormat, QTextLayout

from opstudio.qt.editor.languages import SyntaxLanguage
from opstudio.qt.editor.syntax_tree import Span, SyntaxTree
from opstudio.qt.theme.theme import Theme

_DELAY_MILLISECONDS = 15
"""From a key to new colours: the glyph itself is painted before."""
_LONGEST_LINE = 4096
"""What stands further to the right keeps the colour of plain text."""


class SyntaxColours(QObject):
    """Follows the edits of a document and colours blocks when they come into view."""

    parsed = Signal()
    """The syntax is that of the text again."""

    def __init__(
        self, language: SyntaxLanguage, theme: Theme, text: Callable[[], str], parent: QObject | None = None
    ) -> None:
        """Read the whole document, lines ended by line feeds, through ``text``."""
        super().__init__(parent)
        self._theme = theme
        self._tree = SyntaxTree(language, text)
        self._formats: dict[str, QTextCharFormat] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_DELAY_MILLISECONDS)
        self._timer.timeout.connect(self.parsed)
        theme.changed.connect(self._repaint)

    def follow(self, position: int, removed: int, added: int) -> None:
        """Take over an edit; to be connected to the document's ``contentsChange``."""
        if removed or added:
            self._tree.edit(position, removed, added)
            self._timer.start()

    def brackets_at(self, position: int) -> tuple[int, int] | None:
        """Return the places of the pair of brackets at a place; ``None`` while a key has just been pressed."""
        return None if self._timer.isActive() else self._tree.brackets_at(position)

    def colour(self, blocks: Sequence[QTextBlock]) -> None:
        """Colour consecutive blocks, as far as their colours are not the ones they have."""
        if not blocks or self._timer.isActive():
            return
        start, end = blocks[0].position(), blocks[-1].position() + blocks[-1].length()
        spans = self._tree.spans(start, end)
        for block in blocks:
            kinds = _kinds(block, spans)
            ranges = self._ranges(kinds)
            layout = block.layout()
            if ranges != layout.formats():
                layout.setFormats(ranges)
                block.document().markContentsDirty(block.position(), block.length())

    def _ranges(self, kinds: Sequence[str]) -> list[QTextLayout.FormatRange]:
        ranges: list[QTextLayout.FormatRange] = []
        place = 0
        for kind, group in itertools.groupby(kinds):
            length = len(list(group))
            if kind:
                item = QTextLayout.FormatRange()
                item.start, item.length, item.format = place, length, self._format(kind)
                ranges.append(item)
            place += length
        return ranges

    def _format(self, kind: str) -> QTextCharFormat:
        if kind not in self._formats:
            made = QTextCharFormat()
            made.setForeground(QColor(self._theme.tokens.syntax[kind]))
            self._formats[kind] = made
        return self._formats[kind]

    def _repaint(self) -> None:
        self._formats.clear()
        self.parsed.emit()


def _kinds(block: QTextBlock, spans: Sequence[Span]) -> list[str]:
    """Return for every character of a block what it is; empty where it is nothing in particular."""
    length = min(block.length() - 1, _LONGEST_LINE)
    kinds = [""] * length
    for span in spans:
        start, end = max(span.start - block.position(), 0), min(span.end - block.position(), length)
        if start < end:
            kinds[start:end] = ["" if span.kind == "plain" else span.kind] * (end - start)
    return kinds
