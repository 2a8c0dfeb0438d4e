"""A table that keeps to the width there is: texts are elided before numbers, and stand in tool tips as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTableView

from opstudio.qt.widgets.number_delegate import INSET, NumberDelegate

_WIDEST = 360
_LEAST_TEXT = 44
_LEAST_FIRST = 150
"""The first text says what a row is about; ``typical (bfloat16)`` has room."""
_LEAST_TITLE = 60
_CELL_MARGIN = 8 + INSET


class FittingTable(QTableView):
    """Where even elided texts have no room, the table scrolls, never the page around it."""

    def __init__(self, is_number: Sequence[bool]) -> None:
        """Make a table; ``is_number`` tells for each column whether it holds numbers, which are never cut."""
        super().__init__()
        self.setItemDelegate(NumberDelegate(self))
        # Cases of one family differ at their ends: ``typical (float32)``.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self._is_number = tuple(is_number)
        self._wanted: tuple[int, ...] = ()
        self._least: tuple[int, ...] = ()

    def measure(self) -> None:
        """Look at the contents: how wide the columns would be, and how narrow they may become."""
        self.resizeColumnsToContents()
        columns = range(len(self._is_number))
        self._wanted = tuple(min(self.columnWidth(column) + _CELL_MARGIN, _WIDEST) for column in columns)
        self._least = tuple(min(self._least_width(column), self._wanted[column]) for column in columns)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns what room there is."""
        super().resizeEvent(event)
        self._fit()

    def _least_width(self, column: int) -> int:
        if self._is_number[column]:
            title = min(self.horizontalHeader().sectionSizeHint(column), _LEAST_TITLE)
            return max(self.sizeHintForColumn(column) + _CELL_MARGIN, title)
        return _LEAST_FIRST if column == 0 else _LEAST_TEXT

    def _fit(self) -> None:
        for column, width in enumerate(fitting_widths(self._wanted, self._least, self.viewport().width())):
            self.setColumnWidth(column, width)


def fit_columns(view: QTableView, wanted: Sequence[int], whole: frozenset[int]) -> None:
    """Give the columns of a table what room there is; those in ``whole`` are never cut."""
    least = [width if column in whole else min(width, _LEAST_TEXT) for column, width in enumerate(wanted)]
    for column, width in enumerate(fitting_widths(wanted, least, view.viewport().width())):
        view.setColumnWidth(column, width)


def fitting_widths(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return widths that fit: the widest columns give first, down to what each needs at least.

    Their sum is larger than the room only where all are as narrow as they may be.
    """
    widths = list(wanted)
    while (surplus := sum(widths) - room) > 0:
        widest = max((width for width, low in zip(widths, least, strict=True) if width > low), default=0)
        group = [column for column, width in enumerate(widths) if width == widest and width > least[column]]
        if not group:
            break
        below = max((width for width in widths if width < widest), default=0)
        floor = max(below, *(least[column] for column in group))
        step = max(min(-(-surplus // len(group)), widest - floor), 1)
        for column in group:
            widths[column] -= min(step, widths[column] - least[column])
    return widths
