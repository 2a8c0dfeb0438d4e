"""The builds of an operator as a Qt model, the newest first."""

from __future__ import annotations

import enum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QDateTime, QLocale, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from opstudio.base.units import render_bytes, render_seconds
from opstudio.qt.models.delta_texts import error_change_text, percent_text, ratio_text
from opstudio.qt.models.state_marks import Mark, verdict_mark
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.workflows.build_deltas import BuildDelta, Trend
from opstudio.workspace.build_history import HistoryRecord

_Index = QModelIndex | QPersistentModelIndex


class HistoryColumn(enum.IntEnum):
    """The columns, the important ones first."""

    NUMBER = 0
    VERDICT = 1
    ERROR = 2
    KERNEL_TIME = 3
    SIZE = 4
    VERDICT_TIME = 5
    AT = 6


_NUMBERS = frozenset(set(HistoryColumn) - {HistoryColumn.VERDICT, HistoryColumn.AT})


class HistoryModel(QAbstractTableModel):
    """Shows records beside the baseline: figures that became better or worse say by how much."""

    def __init__(self, theme: Theme, icons: Icons, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icons = theme, icons
        self._rows: tuple[tuple[HistoryRecord, BuildDelta | None], ...] = ()
        self._baseline: int | None = None

    @property
    def baseline(self) -> int | None:
        """The number of the pinned build."""
        return self._baseline

    def at(self, row: int) -> HistoryRecord:
        """Return a record."""
        return self._rows[row][0]

    def row(self, number: int | None) -> int:
        """Return the row of a build, or -1."""
        return next((row for row, (record, _) in enumerate(self._rows) if record.number == number), -1)

    def set_records(self, rows: tuple[tuple[HistoryRecord, BuildDelta | None], ...], baseline: int | None) -> bool:
        """Show these; return whether they are others than before."""
        if rows == self._rows and baseline == self._baseline:
            return False
        self.beginResetModel()
        self._rows, self._baseline = rows, baseline
        self.endResetModel()
        return True

    def retranslate(self) -> None:
        """Fetch all texts again."""
        self.beginResetModel()
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        """Return the number of builds."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(HistoryColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the titles of the columns."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            titles = (
                self.tr("Build"),
                self.tr("Verdict"),
                self.tr("Error / tolerance"),
                self.tr("Kernel time"),
                self.tr("Size"),
                self.tr("To the verdict"),
                self.tr("When"),
            )
            return titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        if not index.isValid():
            return None
        (record, delta), column = self._rows[index.row()], HistoryColumn(index.column())
        match role:
            case Qt.ItemDataRole.ToolTipRole if column is HistoryColumn.ERROR and record.worst_error is not None:
                return self.tr("{0} times the tolerance").format(f"{record.worst_error.largest_ratio:.4g}")
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._text(record, delta, column)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
            case Qt.ItemDataRole.ForegroundRole:
                return QColor(getattr(self._theme.tokens, _tone(record, delta, column)))
            case Qt.ItemDataRole.DecorationRole if column is HistoryColumn.VERDICT:
                mark = self._mark(record)
                return self._icons.icon(mark.icon, mark.token)
            case Qt.ItemDataRole.DecorationRole if column is HistoryColumn.NUMBER:
                return self._icons.icon("pin", "accent") if record.number == self._baseline else None
            case _:
                return None

    def _mark(self, record: HistoryRecord) -> Mark:
        return verdict_mark(record.verdict)

    def _text(self, record: HistoryRecord, delta: BuildDelta | None, column: HistoryColumn) -> str:
        match column:
            case HistoryColumn.NUMBER:
                return str(record.number)
            case HistoryColumn.VERDICT:
                return " ".join((self._mark(record).word, *record.findings[:2]))
            case HistoryColumn.ERROR:
                worst = record.worst_error
                change_of_error = "" if delta is None else error_change_text(delta.worst_error)
                return "" if worst is None else _beside(ratio_text(worst.largest_ratio), change_of_error)
            case HistoryColumn.KERNEL_TIME:
                time = record.kernel_time
                change = None if delta is None else delta.kernel_seconds
                factor = None if change is None or change.trend is Trend.UNCLEAR else change.factor
                return "" if time is None else _beside(render_seconds(time.median), percent_text(factor))
            case HistoryColumn.SIZE:
                size = record.size_bytes
                factor = None if delta is None else delta.size_bytes.factor
                return "" if size is None else _beside(render_bytes(size), percent_text(factor))
            case HistoryColumn.VERDICT_TIME:
                return render_seconds(record.verdict_seconds)
            case HistoryColumn.AT:
                at = QDateTime.fromSecsSinceEpoch(int(record.at))
                return QLocale().toString(at, self.tr("d MMM yyyy, HH:mm", "a date and a time, as Qt writes them"))


def _tone(record: HistoryRecord, delta: BuildDelta | None, column: HistoryColumn) -> str:
    if column is HistoryColumn.VERDICT:
        return verdict_mark(record.verdict).token
    changes = (
        {}
        if delta is None
        else {
            HistoryColumn.ERROR: delta.worst_error,
            HistoryColumn.KERNEL_TIME: delta.kernel_seconds,
            HistoryColumn.SIZE: delta.size_bytes,
        }
    )
    change = changes.get(column)
    if change is not None and change.trend in (Trend.BETTER, Trend.WORSE):
        return "good" if change.trend is Trend.BETTER else "warn"
    return "text" if column is HistoryColumn.NUMBER else "text_2"


def _beside(figure: str, change: str) -> str:
    return f"{figure}  {change}" if change else figure


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if HistoryColumn(column) in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
