"""Rows of texts as a Qt model, each perhaps with a place: made for ten thousand, so it sorts and filters itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from opstudio.base.finding import Place
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A text with its tone (a token), an icon in that tone, a tool tip, and the number that it is sorted by, if any."""

    text: str = ""
    tone: str = "text"
    icon: str = ""
    tip: str = ""
    number: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The cells of a row, and the place that it leads to."""

    cells: tuple[Cell, ...]
    place: Place | None = None


class RowTableModel(QAbstractTableModel):
    """Shows rows; they are replaced as a whole.

    A ``QSortFilterProxyModel`` asks Python for every comparison, which takes seconds for so many rows.
    """

    def __init__(self, theme: Theme, icons: Icons, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icons = theme, icons
        self._titles: tuple[str, ...] = ()
        self._numbers: frozenset[int] = frozenset()
        self._rows: Sequence[Row] = ()
        self._shown: list[int] = []
        self._texts: list[str] | None = None
        self._filter = ""
        self._column, self._order = -1, Qt.SortOrder.AscendingOrder

    @property
    def total(self) -> int:
        """The number of rows, whatever is shown of them."""
        return len(self._rows)

    def row_at(self, row: int) -> Row:
        """Return a row that is shown."""
        return self._rows[self._shown[row]]

    def find(self, wanted: Row) -> int:
        """Return where a row of the same texts is shown, or -1."""
        texts = _texts(wanted)
        return next((row for row, number in enumerate(self._shown) if _texts(self._rows[number]) == texts), -1)

    def set_rows(self, titles: Sequence[str], rows: Sequence[Row], numbers: frozenset[int] = frozenset()) -> None:
        """Show these rows below these titles, with numbers in some columns."""
        self.beginResetModel()
        self._numbers = numbers
        self._titles, self._rows, self._texts = tuple(titles), rows, None
        self._arrange()
        self.endResetModel()

    def set_filter(self, text: str) -> None:
        """Show the rows that have all these words in their texts."""
        if text != self._filter:
            self.beginResetModel()
            self._filter = text
            self._arrange()
            self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 is the order of the model."""
        if (column, order) != (self._column, self._order):
            self.beginResetModel()
            self._column, self._order = column, order
            self._arrange()
            self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        """Return the number of rows that are shown."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def columnCount(self, parent: _Index | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(self._titles)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the titles of the columns."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._titles):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        if not index.isValid():
            return None
        cell = self._rows[self._shown[index.row()]].cells[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                # Numbers end below their title, and off what follows.
                return f"{cell.text}\N{EN SPACE}" if index.column() in self._numbers else cell.text
            case Qt.ItemDataRole.ToolTipRole:
                return cell.tip or cell.text
            case Qt.ItemDataRole.ForegroundRole:
                return QColor(getattr(self._theme.tokens, "text" if cell.icon else cell.tone))
            case Qt.ItemDataRole.DecorationRole if cell.icon:
                return self._icons.icon(cell.icon, cell.tone)
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(index.column())
            case _:
                return None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column in self._numbers else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def _arrange(self) -> None:
        numbers = list(range(len(self._rows)))
        if words := self._filter.casefold().split():
            if self._texts is None:
                self._texts = ["\n".join((*_texts(row), *(c.tip for c in row.cells))).casefold() for row in self._rows]
            texts = self._texts
            numbers = [number for number in numbers if all(word in texts[number] for word in words)]
        if 0 <= self._column < len(self._titles):
            numbers.sort(key=self._sort_key, reverse=self._order is Qt.SortOrder.DescendingOrder)
        self._shown = numbers

    def _sort_key(self, number: int) -> tuple[float, str]:
        cell = self._rows[number].cells[self._column]
        return (0.0 if cell.number is None else cell.number, cell.text.casefold())


def _texts(row: Row) -> tuple[str, ...]:
    return tuple(cell.text for cell in row.cells)
