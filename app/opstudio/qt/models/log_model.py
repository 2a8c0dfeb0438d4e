"""The log as a Qt model: the last lines that tools and workers printed, and those among them that match a search."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

MOST_LINES = 200_000
_LONGEST_LINE = 4_000
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]")
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line, when it came, whom it is about and who printed it."""

    at: float
    operator: str
    source: str
    text: str

    def __str__(self) -> str:
        """Render as copied text."""
        stamp = time.strftime("%H:%M:%S", time.localtime(self.at))
        return f"{stamp}  {self.operator}  {self.source}  {self.text}"

    def matches(self, wanted: str) -> bool:
        """Whether a search, in lower case, finds the line."""
        return wanted in self.text.lower() or wanted in self.operator.lower() or wanted in self.source.lower()


class LogModel(QAbstractListModel):
    """Bounded: the oldest lines make room for new ones."""

    def __init__(self, most_lines: int = MOST_LINES) -> None:
        super().__init__()
        self._most = most_lines
        self._lines: list[LogLine] = []
        self._shown: list[LogLine] = []
        self._wanted = ""
        self._received = 0

    @property
    def kept(self) -> int:
        """How many lines are kept."""
        return len(self._lines)

    @property
    def received(self) -> int:
        """How many lines came since the log was cleared."""
        return self._received

    @property
    def longest(self) -> int:
        """The number of characters of the longest line shown."""
        return max((len(line.text) for line in self._shown), default=0)

    def at(self, row: int) -> LogLine:
        """Return a line that is shown."""
        return self._shown[row]

    def append(self, lines: Iterable[LogLine]) -> int:
        """Add lines at the end; return how many that were shown made room."""
        fresh = list(lines)
        self._received += len(fresh)
        fresh = fresh[-self._most :]
        surplus = max(len(self._lines) + len(fresh) - self._most, 0)
        dropped = self._lines[:surplus]
        del self._lines[:surplus]
        self._lines += fresh
        matching = [line for line in fresh if line.matches(self._wanted)] if self._wanted else fresh
        gone = sum(line.matches(self._wanted) for line in dropped) if self._wanted else surplus
        if gone:
            self.beginRemoveRows(QModelIndex(), 0, gone - 1)
            del self._shown[:gone]
            self.endRemoveRows()
        if matching:
            first = len(self._shown)
            self.beginInsertRows(QModelIndex(), first, first + len(matching) - 1)
            self._shown += matching
            self.endInsertRows()
        return gone

    def search(self, text: str) -> None:
        """Show only lines that hold a text, whatever the case; all for an empty text."""
        self._wanted = text.strip().lower()
        self.beginResetModel()
        self._shown = [line for line in self._lines if line.matches(self._wanted)] if self._wanted else [*self._lines]
        self.endResetModel()

    def clear(self) -> None:
        """Forget all lines."""
        self.beginResetModel()
        self._lines, self._shown, self._received = [], [], 0
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        """Return the number of lines shown."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a line as text; the delegate paints it."""
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._shown[index.row()].text
        return None


class LineSplitter:
    """Turns pieces of output into lines. What does not end with a line feed waits for the rest."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], str] = {}

    def feed(self, at: float, operator: str, source: str, text: str) -> list[LogLine]:
        """Take a piece of output and return the lines that it completes."""
        *whole, rest = (self._open.pop((operator, source), "") + text).replace("\r\n", "\n").split("\n")
        if len(rest) > _LONGEST_LINE:
            whole, rest = [*whole, rest], ""
        if rest:
            self._open[operator, source] = rest
        return [LogLine(at, operator, source, _clean(line)) for line in whole]

    def flush(self, at: float) -> list[LogLine]:
        """Return the lines that were not ended."""
        lines = [LogLine(at, operator, source, _clean(rest)) for (operator, source), rest in self._open.items()]
        self._open.clear()
        return lines


def _clean(line: str) -> str:
    """Take out what is meant for terminals, and cut what no one reads."""
    # A carriage return overwrites the line, as progress bars do.
    last = line.rstrip("\r").rpartition("\r")[2]
    plain = _ESCAPES.sub("", last).expandtabs(4)
    return plain if len(plain) <= _LONGEST_LINE else f"{plain[:_LONGEST_LINE]} … {len(plain):,} characters"
