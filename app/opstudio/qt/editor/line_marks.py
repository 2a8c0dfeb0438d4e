"""Findings at lines of a text. They move with the text while it is edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QTextCursor, QTextDocument

from opstudio.base.finding import Finding, Severity

_WEIGHT = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


@dataclass(frozen=True, slots=True)
class LineMark:
    """A finding at a line, counted from one. ``stale`` findings are of an earlier run."""

    line: int
    finding: Finding
    stale: bool = False


class LineMarks:
    """The marks of one document, by the line on which they stand now."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._given: tuple[LineMark, ...] = ()
        self._anchored: list[tuple[QTextCursor, LineMark]] = []
        self._by_block: dict[int, tuple[LineMark, ...]] = {}

    def replace(self, marks: Sequence[LineMark]) -> bool:
        """Set the marks; return whether they are others than before."""
        if tuple(marks) == self._given:
            return False
        self._given = tuple(marks)
        self._anchored = []
        last = self._document.blockCount()
        for mark in sorted(marks, key=lambda mark: _WEIGHT[mark.finding.severity]):
            block = self._document.findBlockByNumber(min(max(mark.line, 1), last) - 1)
            self._anchored.append((QTextCursor(block), mark))
        self.follow()
        return True

    def follow(self) -> None:
        """Find out where the marks stand after an edit."""
        by_block: dict[int, list[LineMark]] = {}
        for cursor, mark in self._anchored:
            by_block.setdefault(cursor.blockNumber(), []).append(mark)
        self._by_block = {number: tuple(marks) for number, marks in by_block.items()}

    def at(self, block_number: int) -> tuple[LineMark, ...]:
        """Return the marks of a line, the gravest first; lines count from zero here."""
        return self._by_block.get(block_number, ())

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines with marks, counted from zero."""
        return tuple(sorted(self._by_block))
