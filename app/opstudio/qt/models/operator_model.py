"""The list of operators as a Qt model: a row each, with state, time to the verdict and the first finding."""

from __future__ import annotations

import enum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor, QIcon

from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.models.operator_view import OperatorView
from opstudio.qt.models.state_marks import operator_mark, verdict_mark
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

ROW_HEIGHT = 26
SORT_ROLE = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class Column(enum.IntEnum):
    """The columns, the important one first."""

    NAME = 0
    STATE = 1
    SECONDS = 2
    FINDING = 3


class OperatorModel(QAbstractTableModel):
    """Follows the state of the loop."""

    def __init__(self, state: LoopState, theme: Theme, icons: Icons, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state, self._theme, self._icons = state, theme, icons
        self._names: tuple[str, ...] = state.names
        self._shown_icons: dict[tuple[str, str], QIcon] = {}
        state.membership_changed.connect(self._reset)
        state.operators_updated.connect(self._update)
        icons.changed.connect(self._recolour)

    def name(self, row: int) -> str:
        """Return the operator of a row."""
        return self._names[row]

    def row(self, name: str) -> int:
        """Return the row of an operator, or -1."""
        return self._names.index(name) if name in self._names else -1

    def retranslate(self) -> None:
        """Fetch all texts again."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)
        self._recolour()

    def rowCount(self, parent: _Index | None = None) -> int:
        """Return the number of operators."""
        return 0 if parent is not None and parent.isValid() else len(self._names)

    def columnCount(self, parent: _Index | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the titles of the columns."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            titles = (self.tr("Operator"), self.tr("State"), self.tr("Time"), self.tr("Finding"))
            return titles[section]
        if role == Qt.ItemDataRole.ToolTipRole and section == Column.SECONDS:
            return self.tr("Time to the verdict")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section == Column.SECONDS else _LEFT
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        if not index.isValid():
            return None
        view, column = self._state.view(self._names[index.row()]), Column(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(view, column)
            case Qt.ItemDataRole.ForegroundRole:
                return self._colour(view, column)
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
                last = view.is_cancelled and not view.has_verdict and view.verdict is not None
                before = [self.tr("before: {0}").format(verdict_mark(view.verdict).word)] if last else []
                return ", ".join([*(text for part in Column if (text := self._text(view, part))), *before])
            case _ if role == SORT_ROLE:
                return self._sort_key(view, column)
            case _:
                return self._look(view, column, role)

    def _look(self, view: OperatorView, column: Column, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DecorationRole if column is Column.NAME:
                mark = operator_mark(view)
                return self._icon(mark.icon, mark.token)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if column is Column.SECONDS else _LEFT
            case Qt.ItemDataRole.SizeHintRole:
                return QSize(0, ROW_HEIGHT)
            case _:
                return None

    def _text(self, view: OperatorView, column: Column) -> str:
        match column:
            case Column.NAME:
                return view.name
            case Column.STATE:
                return operator_mark(view).word
            case Column.SECONDS:
                return "" if view.seconds is None else _same_unit(view.seconds)
            case Column.FINDING:
                return view.first_id

    def _colour(self, view: OperatorView, column: Column) -> QColor:
        tokens = self._theme.tokens
        match column:
            case Column.NAME:
                return QColor(tokens.text)
            case Column.STATE:
                return QColor(getattr(tokens, operator_mark(view).token))
            case Column.SECONDS:
                return QColor(tokens.text_2)
            case Column.FINDING:
                return QColor(tokens.bad)

    def _sort_key(self, view: OperatorView, column: Column) -> Any:
        if column is Column.SECONDS:
            return -1.0 if view.seconds is None else view.seconds
        return self._text(view, column)

    def _icon(self, name: str, token: str) -> QIcon:
        if (name, token) not in self._shown_icons:
            self._shown_icons[name, token] = self._icons.icon(name, token)
        return self._shown_icons[name, token]

    def _reset(self) -> None:
        self.beginResetModel()
        self._names = self._state.names
        self.endResetModel()

    def _update(self, names: frozenset[str]) -> None:
        for row, name in enumerate(self._names):
            if name in names:
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(Column) - 1))

    def _recolour(self) -> None:
        self._shown_icons.clear()
        if self._names:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._names) - 1, len(Column) - 1))


def _same_unit(seconds: float) -> str:
    """Render a time in three digits, all times of the column in one unit."""
    if seconds < 0.005:  # noqa: PLR2004 - would be rounded to nothing
        return "<0.01 s"
    digits = 2 if seconds < 9.995 else 1 if seconds < 99.95 else 0  # noqa: PLR2004 - three digits, as many as fit
    return f"{seconds:.{digits}f} s"
