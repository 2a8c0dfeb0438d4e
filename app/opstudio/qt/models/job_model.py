"""The jobs as a Qt model: what runs, what waits, what ended lately."""

from __future__ import annotations

import enum
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor

from opstudio.base.units import render_seconds
from opstudio.jobs.events import JobFinished, JobOutcome, JobStarted, Verdict
from opstudio.qt.bridge import WindowEvent
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.models.operator_view import Activity
from opstudio.qt.models.progress_texts import progress_word
from opstudio.qt.models.stage_titles import stage_title
from opstudio.qt.models.state_marks import Mark, verdict_mark
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

MOST_ENDED = 500
_ROW_HEIGHT = 24
_Index = QModelIndex | QPersistentModelIndex


class JobColumn(enum.IntEnum):
    """The columns, the important one first."""

    JOB = 0
    STATE = 1
    SECONDS = 2
    STARTED = 3
    CANCEL = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """A job. ``started`` is in seconds since 1970, ``None`` while it waits.

    Of one that ended, ``outcome`` and ``verdict`` say how.
    """

    key: str
    activity: Activity
    stage: str = ""
    progress: str = ""
    outcome: JobOutcome | None = None
    verdict: Verdict | None = None
    detail: str = ""
    started: float | None = None
    seconds: float | None = None

    @property
    def mark(self) -> Mark:
        """How its state looks, in the language of the moment."""
        match self.outcome:
            case JobOutcome.SUCCEEDED:
                return verdict_mark(self.verdict)
            case JobOutcome.CANCELLED:
                return Mark("cancelled", "text_2", QCoreApplication.translate("State", "cancelled"))
            case JobOutcome.FAILED:
                return Mark("warning", "warn", QCoreApplication.translate("State", "no verdict"))
        if self.activity is Activity.WAITING:
            return Mark("waiting", "text_2", QCoreApplication.translate("State", "waiting"))
        if self.progress:
            return Mark("running", "info", progress_word(self.progress))
        starting = QCoreApplication.translate("State", "starting…")
        return Mark("running", "info", f"{stage_title(self.stage)}…" if self.stage else starting)


class JobModel(QAbstractTableModel):
    """Follows the loop. What runs stands first, then what waits, then what ended, the newest first."""

    def __init__(
        self,
        state: LoopState,
        theme: Theme,
        icons: Icons,
        parent: QObject | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self._state, self._theme, self._icons, self._clock = state, theme, icons, clock
        self._started: dict[int, JobStarted] = {}
        self._ended: deque[JobRow] = deque(maxlen=MOST_ENDED)
        self._rows: tuple[JobRow, ...] = ()
        state.operators_updated.connect(self.refresh)
        state.membership_changed.connect(self.refresh)
        icons.changed.connect(self.retranslate)

    @property
    def unfinished(self) -> int:
        """How many jobs run or wait."""
        return sum(row.activity is not Activity.IDLE for row in self._rows)

    def at(self, row: int) -> JobRow:
        """Return a job."""
        return self._rows[row]

    def receive(self, events: list[WindowEvent]) -> None:
        """Keep what ended."""
        for event in events:
            if isinstance(event, JobStarted):
                self._started[event.job] = event
            elif isinstance(event, JobFinished):
                self._ended.appendleft(self._ended_row(event, self._started.pop(event.job, None)))
        self.refresh()

    def refresh(self, *_names: object) -> None:
        """Look again at what runs and waits."""
        rows = (*self._open_rows(), *self._ended)
        if len(rows) != len(self._rows):
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
        elif rows != self._rows:
            self._rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(JobColumn) - 1))

    def retranslate(self) -> None:
        """Fetch all texts again."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(JobColumn) - 1)
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(JobColumn) - 1))
        self.refresh()

    def rowCount(self, parent: _Index | None = None) -> int:
        """Return the number of jobs."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(JobColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the titles of the columns."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            titles = (self.tr("Job"), self.tr("State"), self.tr("Time"), self.tr("Started"), "")
            return titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], JobColumn(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(row, column)
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
                is_open = row.activity is not Activity.IDLE
                cancels = column is JobColumn.CANCEL and is_open
                return self.tr("Cancel {0}").format(row.key) if cancels else row.detail or self._text(row, column)
            case _:
                return self._look(row, column, role)

    def _look(self, row: JobRow, column: JobColumn, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DecorationRole if column is JobColumn.JOB:
                return self._icons.icon(row.mark.icon, row.mark.token)
            case Qt.ItemDataRole.DecorationRole if column is JobColumn.CANCEL and row.activity is not Activity.IDLE:
                return self._icons.icon("stop")
            case Qt.ItemDataRole.ForegroundRole:
                tone = "text" if column is JobColumn.JOB else row.mark.token if column is JobColumn.STATE else "text_2"
                return QColor(getattr(self._theme.tokens, tone))
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
            case Qt.ItemDataRole.SizeHintRole:
                return QSize(0, _ROW_HEIGHT)
            case _:
                return None

    def _text(self, row: JobRow, column: JobColumn) -> str:
        match column:
            case JobColumn.JOB:
                return row.key or self.tr("look for operators")
            case JobColumn.STATE:
                return row.mark.word
            case JobColumn.SECONDS:
                seconds = row.seconds
                if row.activity is Activity.RUNNING and row.started is not None:
                    return f"{int(self._clock() - row.started)} s"
                return "" if seconds is None else render_seconds(seconds)
            case JobColumn.STARTED:
                return "" if row.started is None else time.strftime("%H:%M:%S", time.localtime(row.started))
            case JobColumn.CANCEL:
                return ""

    def _open_rows(self) -> list[JobRow]:
        views = [self._state.view(name) for name in self._state.names]
        started = {event.key: event.at for event in self._started.values()}
        running = [
            JobRow(
                key=view.name,
                activity=view.activity,
                stage="" if view.running_stage is None else view.running_stage.stage,
                progress=view.progress,
                started=started.get(view.name),
            )
            for view in views
            if view.activity is Activity.RUNNING
        ]
        waiting = [JobRow(key=view.name, activity=view.activity) for view in views if view.activity is Activity.WAITING]
        return [*running, *waiting]

    def _ended_row(self, event: JobFinished, begun: JobStarted | None) -> JobRow:
        return JobRow(
            key=event.key,
            activity=Activity.IDLE,
            outcome=event.outcome,
            verdict=self._state.view(event.key).verdict,
            detail=event.findings[0].title if event.findings else "",
            started=None if begun is None else begun.at,
            seconds=event.seconds,
        )


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column == JobColumn.SECONDS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
