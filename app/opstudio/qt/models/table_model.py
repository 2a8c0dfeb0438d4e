"""A finished table as a Qt model: texts, numbers on the right, rows that something is wrong with marked."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from opstudio.qt.models.evidence_titles import evidence_title, evidence_value
from opstudio.qt.theme.fonts import SMALL_PIXELS, mono_font
from opstudio.qt.theme.theme import Theme
from opstudio.workflows.evidence_sections import Table

SORT_ROLE = Qt.ItemDataRole.UserRole
_NUMBER = re.compile(r"[-+]?(?:\d[\d,]*\.?\d*(?:e[-+]?\d+)?|inf|nan)", re.IGNORECASE)
_FACTORS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "kB": 1e3, "KiB": 2**10, "MB": 1e6, "MiB": 2**20}
_Index = QModelIndex | QPersistentModelIndex


class TableModel(QAbstractTableModel):
    """Shows a table; it never changes."""

    def __init__(self, table: Table, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table, self._theme = table, theme

    def rowCount(self, parent: _Index | None = None) -> int:
        """Return the number of rows."""
        return 0 if parent is not None and parent.isValid() else len(self._table.rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(self._table.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the titles of the columns."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return evidence_title(self._table.columns[section].title)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        if not index.isValid():
            return None
        text, column = self._table.rows[index.row()][index.column()], self._table.columns[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole:
                return evidence_value(column.title, text)
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(index.column())
            case Qt.ItemDataRole.ForegroundRole if index.row() in self._table.bad:
                return QColor(self._theme.tokens.bad)
            case Qt.ItemDataRole.FontRole:
                return mono_font(SMALL_PIXELS)
            case _ if role == SORT_ROLE:
                return _sort_key(text) if column.is_number else text
            case _:
                return None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        is_number = self._table.columns[column].is_number
        side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


def _sort_key(text: str) -> float:
    """Return the number that a text begins with, in the base of its unit; texts without one come first."""
    match = _NUMBER.match(text.strip().replace("−", "-"))
    if match is None:
        return float("-inf")
    unit = text.strip()[match.end() :].strip().split(" ")[0]
    return float(match[0].replace(",", "")) * _FACTORS.get(unit, 1.0)
