"""What can be done about a model as rows: what happens, a box to tick, and the ids of what it solves at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from opstudio.qt.fixes.choices import FixChoice
from opstudio.qt.models.model_tree import DETAIL_ROLE

_Index = QModelIndex | QPersistentModelIndex


class FixChoiceModel(QAbstractListModel):
    """Shows choices. A tick is only asked for: whoever owns the choices sets them again."""

    ticked = Signal(str, bool)
    """The person wants a choice to be made, by its key, or no more."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choices: tuple[FixChoice, ...] = ()
        self._chosen: frozenset[str] = frozenset()

    def set_choices(self, choices: Sequence[FixChoice], chosen: Sequence[str]) -> None:
        """Show these; rows that stay keep the selection."""
        is_same = [choice.key for choice in choices] == [choice.key for choice in self._choices]
        if not is_same:
            self.beginResetModel()
        self._choices, self._chosen = tuple(choices), frozenset(chosen)
        if not is_same:
            self.endResetModel()
        elif self._choices:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._choices) - 1, 0))

    def key(self, row: int) -> str:
        """Return the key of a row; empty where there is none."""
        return self._choices[row].key if 0 <= row < len(self._choices) else ""

    def row(self, key: str) -> int:
        """Return the row of a key, or -1."""
        return next((number for number, choice in enumerate(self._choices) if choice.key == key), -1)

    def rowCount(self, parent: _Index | None = None) -> int:
        """Return the number of choices."""
        return 0 if parent is not None and parent.isValid() else len(self._choices)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a row shows."""
        choice = self._choices[index.row()]
        ids = ", ".join(dict.fromkeys(finding.id for finding in choice.solves))
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return choice.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{choice.title} {ids}".strip()
            case Qt.ItemDataRole.ToolTipRole:
                return f"{choice.title}\n{choice.id}"
            case Qt.ItemDataRole.CheckStateRole:
                return Qt.CheckState.Checked if choice.key in self._chosen else Qt.CheckState.Unchecked
            case _:
                return ids if role == DETAIL_ROLE else None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Return what can be done with a row."""
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for a tick to be set or taken away."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self.ticked.emit(self.key(index.row()), Qt.CheckState(value) is Qt.CheckState.Checked)
        return True
