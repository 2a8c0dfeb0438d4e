"""Grounds behind stretches of text: matches of a search, a pair of brackets."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QTextBlock, QTextLine

Stretch = tuple[int, int]
"""First place and the place behind the last, in units of UTF-16 from the start of the document."""


def paint_stretches(
    painter: QPainter,
    blocks: Iterable[tuple[QTextBlock, QRectF]],
    stretches: Sequence[Stretch],
    *,
    ground: QColor,
    border: QColor,
) -> None:
    """Paint stretches (in order, apart from each other) as far as they lie in blocks; ``blocks`` have their places."""
    painter.setBrush(ground)
    painter.setPen(border)
    for block, place in blocks:
        line = block.layout().lineAt(0)
        for start, end in _within(block, stretches):
            left, right = (_place_in(line, spot - block.position()) for spot in (start, end))
            area = QRectF(place.left() + left, place.top(), max(right - left, 2.0), place.height())
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))


def _within(block: QTextBlock, stretches: Sequence[Stretch]) -> Iterator[Stretch]:
    """Yield the parts of stretches that lie in a block."""
    first, last = block.position(), block.position() + block.length() - 1
    index = max(bisect_left(stretches, (first, first)) - 1, 0)
    for start, end in stretches[index:]:
        if start > last:
            return
        if end > first or start == end == first:
            yield max(start, first), min(end, last)


def _place_in(line: QTextLine, column: int) -> float:
    """Return where a column of a line begins."""
    found: Any = line.cursorToX(column)  # the place, and the column it is at
    return float(found[0])
