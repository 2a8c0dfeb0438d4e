"""Pages of the help as a Qt model: a row each, with the line that a search found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from opstudio.workflows.help_pages import HelpHit

_Index = QModelIndex | QPersistentModelIndex


class HelpModel(QAbstractListModel):
    """Holds what is listed; the list is replaced as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self._hits: tuple[HelpHit, ...] = ()

    def at(self, row: int) -> HelpHit:
        """Return what stands in a row."""
        return self._hits[row]

    def set_hits(self, hits: Sequence[HelpHit]) -> None:
        """List these pages."""
        self.beginResetModel()
        self._hits = tuple(hits)
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        """Return the number of pages."""
        return 0 if parent is not None and parent.isValid() else len(self._hits)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return title and line as text, for screen readers; the delegate paints them."""
        if not index.isValid():
            return None
        hit = self._hits[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.page.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{hit.page.title}: {hit.context}"
        return None
