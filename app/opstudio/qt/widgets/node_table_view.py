"""The table of nodes: rows of one height, sorted by any column, copied with tabs between the cells."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut

from opstudio.qt.models.node_table import NodeColumn, NodeTableModel
from opstudio.qt.widgets.dense_table import DenseTable

_WIDTHS = {
    NodeColumn.NAME: 190,
    NodeColumn.TYPE: 130,
    NodeColumn.DOMAIN: 90,
    NodeColumn.PARTY: 156,
    NodeColumn.INPUTS: 260,
    NodeColumn.SCOPE: 160,
}


class NodeTableView(DenseTable):
    """Shows a :class:`NodeTableModel`."""

    def __init__(self, model: NodeTableModel) -> None:
        super().__init__(model)
        self._nodes = model
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
