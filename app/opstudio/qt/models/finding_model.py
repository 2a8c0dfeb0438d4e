"""Findings as a Qt model: a row each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from opstudio.qt.models.operator_view import ShownFinding

_Index = QModelIndex | QPersistentModelIndex


class FindingModel(QAbstractListModel):
    """Holds what is shown; the list is replaced as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[ShownFinding, ...] = ()

    def at(self, row: int) -> ShownFinding:
        """Return the finding of a row."""
        return self._rows[row]

    def set_rows(self, rows: Sequence[ShownFinding]) -> bool:
        """Show these findings; return whether they are others than before."""
        if tuple(rows) == self._rows:
            return False
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()
        return True

    def rowCount(self, parent: _Index | None = None) -> int:
        """Return the number of findings."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the finding as text, for screen readers and searches; the delegate paints it."""
        if not index.isValid():
            return None
        finding = self._rows[index.row()].finding
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{finding.severity.value} {finding.id} {finding.title}"
        return None
