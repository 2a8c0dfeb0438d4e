"""A table of rows: sorted, filtered, copied, and led from to the person's own lines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QMouseEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QStackedLayout, QWidget

from opstudio.qt.evidence.fitting_table import fit_columns
from opstudio.qt.export.row_table import Row, RowTableModel
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.dense_table import PADDING, DenseTable
from opstudio.qt.widgets.state_page import StatePage

_SPARE = 18
"""More than the texts of a column take, so that they do not touch."""
_ICON_ROOM = 24
_WIDEST = 360
_MEASURED_ROWS = 200
"""The first rows tell how wide a column should be."""


class RowTable(QWidget):
    """Shows rows, or a few words where there is none. The last column leads to the place of its row."""

    place_chosen = Signal(object)

    def __init__(self, theme: Theme, icons: Icons) -> None:
        super().__init__()
        self.model = RowTableModel(theme, icons, self)
        self.view = _TableView(self.model)
        self._empty = StatePage(icons)
        self._empty_text = ""
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.view)
        self._pages.addWidget(self._empty)
        self.view.clicked.connect(self._take_click)
        self.view.activated.connect(self._choose)
        self.model.modelReset.connect(self._show_state)
        copy = QShortcut(QKeySequence.StandardKey.Copy, self.view)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_selected)
        theme.changed.connect(self.view.viewport().update)
        self.setFocusProxy(self.view)

    def set_rows(
        self, titles: Sequence[str], rows: Sequence[Row], *, empty: str, numbers: frozenset[int] = frozenset()
    ) -> None:
        """Show these rows, with numbers in some columns, or say ``empty``; what was selected stays so, if there."""
        current = self.view.currentIndex()
        before = self.model.row_at(current.row()) if current.isValid() else None
        place = self.view.verticalScrollBar().value()
        self._empty_text = empty
        self.model.set_rows(titles, rows, numbers)
        self.view.measure()
        if before is not None and (row := self.model.find(before)) >= 0:
            self.view.setCurrentIndex(self.model.index(row, 0))
        self.view.verticalScrollBar().setValue(place)

    def copy_selected(self) -> None:
        """Put the selected rows, or all that are shown, on the clipboard with tabs between cells, the titles first."""
        columns = range(self.model.columnCount())
        selected = sorted({index.row() for index in self.view.selectionModel().selectedRows()})
        head = [str(self.model.headerData(column, Qt.Orientation.Horizontal)) for column in columns]
        rows = selected or range(self.model.rowCount())
        lines = [head, *([_in_one_cell(cell.text) for cell in self.model.row_at(row).cells] for row in rows)]
        QGuiApplication.clipboard().setText("\n".join("\t".join(line) for line in lines))

    def _show_state(self) -> None:
        if not self.model.rowCount():
            is_filtered = self.model.total > 0
            title = self.tr("No row has all these words") if is_filtered else self._empty_text
            self._empty.show_state(icon="search" if is_filtered else "note", title=title)
        self._pages.setCurrentIndex(0 if self.model.rowCount() else 1)

    def _take_click(self, index: QModelIndex) -> None:
        if index.column() == self.model.columnCount() - 1:
            self._choose(index)

    def _choose(self, index: QModelIndex | QPersistentModelIndex) -> None:
        place = self.model.row_at(index.row()).place
        if place is not None:
            self.place_chosen.emit(place)


class _TableView(DenseTable):
    def __init__(self, model: RowTableModel) -> None:
        super().__init__(model)
        self._rows = model
        self._wanted: list[int] = []
        self.setMouseTracking(True)

    def measure(self) -> None:
        """Learn how wide the columns should be, and give them what room there is."""
        metrics, model = self.fontMetrics(), self._rows
        rows = [model.row_at(row) for row in range(min(model.rowCount(), _MEASURED_ROWS))]
        self._wanted = []
        for column in range(model.columnCount()):
            texts = [str(model.headerData(column, Qt.Orientation.Horizontal))]
            texts += [row.cells[column].text for row in rows]
            room = _SPARE + (_ICON_ROOM if any(row.cells[column].icon for row in rows) else 0)
            room += PADDING if column == 0 else 0
            self._wanted.append(min(max(map(metrics.horizontalAdvance, texts)) + room, _WIDEST))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns what room there is."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._wanted:
            # The line stays whole: it is what the row is for.
            fit_columns(self, self._wanted, frozenset({len(self._wanted) - 1}))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show by the pointer what leads somewhere."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        is_link = index.isValid() and index.column() == self._rows.columnCount() - 1
        leads = is_link and self._rows.row_at(index.row()).place is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor)


def _in_one_cell(text: str) -> str:
    return text.replace("\t", " ").replace("\n", " ")
