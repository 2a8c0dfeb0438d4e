"""The table of nodes: rows of one height, sorted by any column, copied with tabs between the cells."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from opstudio.qt.models.node_table import NodeColumn, NodeTableModel
from opstudio.qt.widgets.row_delegate import RowDelegate

_ROW_HEIGHT = 22
_PADDING = 10
"""Before the first column, so that it stands in line with the title of the panel."""
_WIDTHS = {
    NodeColumn.NAME: 210,
    NodeColumn.TYPE: 130,
    NodeColumn.DOMAIN: 90,
    NodeColumn.PARTY: 130,
    NodeColumn.INPUTS: 260,
    NodeColumn.SCOPE: 160,
}


class NodeTableView(QTableView):
    """Shows a :class:`NodeTableModel`."""

    def __init__(self, model: NodeTableModel) -> None:
        super().__init__()
        self._nodes = model
        self.setModel(model)
        self.setItemDelegate(RowDelegate(self, padding=_PADDING))
        self.setProperty("look", "panel")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSortingEnabled(True)
        self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().setSortIndicatorClearable(True)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setStretchLastSection(True)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(_ROW_HEIGHT)
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)
        copy = QShortcut(QKeySequence.StandardKey.Copy, self)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_selected)

    def copy_selected(self) -> None:
        """Put the selected rows, or all that are shown, on the clipboard with tabs between cells, the titles first."""
        columns = range(len(NodeColumn))
        selected = sorted({index.row() for index in self.selectionModel().selectedRows()})
        head = [str(self._nodes.headerData(column, Qt.Orientation.Horizontal)) for column in columns]
        rows = selected or range(self._nodes.rowCount())
        lines = [head, *([_cell(self._nodes.text(row, column)) for column in columns] for row in rows)]
        QGuiApplication.clipboard().setText("\n".join("\t".join(line) for line in lines))


def _cell(text: str) -> str:
    """Return a text that stays in one cell."""
    return text.replace("\t", " ").replace("\n", " ")
