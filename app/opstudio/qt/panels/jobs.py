"""What runs, what waits and what ended, each with its cancel button."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStackedLayout, QTreeView

from opstudio.qt.models.job_model import JobColumn, JobModel
from opstudio.qt.models.operator_view import Activity
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.widgets.number_delegate import NumberDelegate
from opstudio.qt.widgets.state_page import StatePage

_TICK_MS = 1000
_WIDTHS = {JobColumn.STATE: 120, JobColumn.SECONDS: 84, JobColumn.STARTED: 90, JobColumn.CANCEL: 34}


class JobsPanel(Panel):
    """Lists the jobs of this session."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._model = JobModel(context.state, context.theme, context.icons, self)
        self._view = _JobView(self._model)
        self._empty = StatePage(context.icons)
        self._layout = QStackedLayout(self)
        self._layout.addWidget(self._view)
        self._layout.addWidget(self._empty)
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._view.viewport().update)
        self._view.clicked.connect(self._take_click)
        self._view.cancel_pressed.connect(self._cancel)
        # Behind the state, so that a job that ended has its verdict.
        context.state.received.connect(self._model.receive)
        for signal in (self._model.modelReset, self._model.dataChanged):
            signal.connect(self._refresh)
        self.retranslate()

    @property
    def model(self) -> JobModel:
        """The jobs."""
        return self._model

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now: of what ended, the newest job decides."""
        if not self._model.rowCount():
            return PanelState.EMPTY
        if self._model.unfinished:
            return PanelState.BUSY
        return PanelState.FAILING if self._model.at(0).mark.token in ("bad", "warn") else PanelState.READY

    def retranslate(self) -> None:
        """Set the texts."""
        self._view.setAccessibleName(self.tr("Jobs"))
        self._empty.show_state(
            icon="jobs",
            title=self.tr("Nothing has run yet"),
            text=self.tr("Checks appear here as they start. Each can be cancelled."),
            action=self._context.actions.run_fresh,
        )
        self._model.retranslate()
        self._refresh()

    def focus_content(self) -> None:
        """Take the keyboard."""
        self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _refresh(self, *_arguments: object) -> None:
        unfinished = self._model.unfinished
        self.badge_changed.emit(str(unfinished) if unfinished else "")
        self._layout.setCurrentIndex(0 if self._model.rowCount() else 1)
        if not unfinished:
            self._tick.stop()
        elif not self._tick.isActive():
            self._tick.start()

    def _take_click(self, index: QModelIndex) -> None:
        if index.column() == JobColumn.CANCEL:
            self._cancel(index.row())

    def _cancel(self, row: int) -> None:
        if 0 <= row < self._model.rowCount() and self._model.at(row).activity is not Activity.IDLE:
            self._context.cancel_check(self._model.at(row).key)


class _JobView(QTreeView):
    """The list; Delete cancels the selected job."""

    cancel_pressed = Signal(int)
    """The row whose job is to be cancelled."""

    def __init__(self, model: JobModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setItemDelegate(NumberDelegate(self, first_inset=8))  # in line with the titles
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(JobColumn.JOB, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            header.resizeSection(column, width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Cancel the selected job with Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self.cancel_pressed.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)


PANEL = PanelManifest(
    id="jobs",
    title=str(QT_TRANSLATE_NOOP("Panel", "Jobs")),
    area=PanelArea.BOTTOM,
    order=20,
    create=JobsPanel,
)
