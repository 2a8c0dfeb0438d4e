"""The builds of the selected operator: verdict, error, time and size of each, beside a pinned baseline."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QItemSelection, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStackedLayout, QToolButton, QTreeView, QWidget

from opstudio.base.errors import StudioError
from opstudio.jobs.events import JobFinished, Verdict, VerdictReached
from opstudio.qt.background import Background
from opstudio.qt.bridge import WindowEvent
from opstudio.qt.models.history_model import HistoryColumn, HistoryModel
from opstudio.qt.models.operator_view import Activity
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.widgets.number_delegate import NumberDelegate
from opstudio.qt.widgets.state_page import StatePage
from opstudio.workflows.build_history import ComparedHistory, OperatorHistory
from opstudio.workflows.result_record import about_result
from opstudio.workspace.build_history import HistoryRecord

_SETTLE_MS = 250
"""From a verdict to a new look: the history is written right behind it."""
_WIDTHS = {
    HistoryColumn.NUMBER: 56,
    HistoryColumn.VERDICT: 112,
    HistoryColumn.ERROR: 160,
    HistoryColumn.KERNEL_TIME: 124,
    HistoryColumn.SIZE: 120,
    HistoryColumn.VERDICT_TIME: 110,
    HistoryColumn.AT: 150,
}


class HistoryPanel(Panel):
    """Lists builds; the selected one is compared in the perspective History."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._model = HistoryModel(context.theme, context.icons, self)
        self._view = self._make_view()
        self._pin, self._about = QToolButton(), QToolButton()
        self._pin.clicked.connect(self.toggle_pin)
        self._about.clicked.connect(self.copy_about)
        self._empty = StatePage(context.icons)
        self._layout = QStackedLayout(self)
        self._layout.addWidget(self._view)
        self._layout.addWidget(self._empty)
        self._layout.setCurrentWidget(self._empty)
        self._background = Background(self)
        self._background.finished.connect(self._take)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self.refresh)
        self._view.selectionModel().selectionChanged.connect(self._take_selection)
        context.selection.operator_changed.connect(self.refresh)
        context.selection.build_changed.connect(self._show_selection)
        context.state.received.connect(self._follow)
        context.icons.changed.connect(self.retranslate)
        self.retranslate()

    @property
    def model(self) -> HistoryModel:
        """The builds."""
        return self._model

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now: the newest build decides."""
        if not self._model.rowCount():
            return PanelState.EMPTY
        if self._context.state.view(self._context.selection.operator).activity is Activity.RUNNING:
            return PanelState.BUSY
        return PanelState.FAILING if self._model.at(0).verdict is Verdict.BAD else PanelState.READY

    def retranslate(self) -> None:
        """Set the texts."""
        icons = self._context.icons
        self._pin.setIcon(icons.icon("pin"))
        self._pin.setToolTip(self.tr("Pin the selected build as the baseline, or unpin it"))
        self._pin.setAccessibleName(self.tr("Pin as baseline"))
        self._about.setIcon(icons.icon("copy"))
        self._about.setToolTip(self.tr("Copy all about the selected build: versions, flags, commands, hashes"))
        self._about.setAccessibleName(self.tr("Copy all about this build"))
        self._view.setAccessibleName(self.tr("History"))
        self._empty.show_state(
            icon="history",
            title=self.tr("No builds yet"),
            text=self.tr("Every text of the operator that gets a verdict is kept here, to be compared and pinned."),
            action=self._context.actions.run_fresh,
        )
        self._model.retranslate()
        self.refresh()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the buttons that pin, and that copy the record about a build."""
        return (self._pin, self._about)

    def focus_content(self) -> None:
        """Take the keyboard."""
        self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        """Look at what changed while nobody looked."""
        super().showEvent(event)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the last columns where there is no room for them."""
        super().resizeEvent(event)
        room = self.width()
        for column, width in _WIDTHS.items():
            self._view.setColumnHidden(column, room < width)
            room -= width

    def refresh(self, *_arguments: object) -> None:
        """Read the history again."""
        self._timer.stop()
        if not self.isVisible():
            return
        history = self._history()
        if history is None:
            self._show(ComparedHistory(operator="", rows=(), baseline=None))
        else:
            self._background.run(history.compared)

    def _take(self, found: object) -> None:
        """Show what was read; where the person looks at another operator by now, nothing."""
        if isinstance(found, ComparedHistory):
            if found.operator == self._context.selection.operator:
                self._show(found)
        elif isinstance(found, StudioError):
            self._context.tell_refusal(found.findings[0])
        elif isinstance(found, Exception):
            raise found

    def _show(self, history: ComparedHistory) -> None:
        rows = history.rows
        self._model.set_records(rows, history.baseline)
        self.badge_changed.emit(f"{len(rows):,}" if rows else "")
        self._layout.setCurrentIndex(0 if rows else 1)
        self._show_selection()

    def toggle_pin(self) -> None:
        """Pin the selected build, or the newest; unpin it where it is the baseline already."""
        history, record = self._history(), self._selected()
        if history is None or record is None:
            return
        try:
            if record.number == self._model.baseline:
                history.unpin()
            else:
                history.pin(record.number)
        except StudioError as error:
            self._context.tell_refusal(error.findings[0])
        self.refresh()

    def copy_about(self) -> None:
        """Put the record about the selected build on the clipboard."""
        record = self._selected()
        if record is not None:
            QGuiApplication.clipboard().setText(about_result(self._context.workspace, record).as_text())

    def _make_view(self) -> QTreeView:
        view = QTreeView()
        view.setModel(self._model)
        view.setRootIsDecorated(False)
        view.setUniformRowHeights(True)
        view.setAllColumnsShowFocus(True)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setFrameShape(QTreeView.Shape.NoFrame)
        view.setItemDelegate(NumberDelegate(view))
        header = view.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(HistoryColumn.VERDICT, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            header.resizeSection(column, width)
        return view

    def _history(self) -> OperatorHistory | None:
        folder = self._context.state.folder(self._context.selection.operator)
        return None if folder is None else OperatorHistory(self._context.workspace, folder)

    def _selected(self) -> HistoryRecord | None:
        """Return the selected record, or the newest where none is selected."""
        row = max(self._model.row(self._context.selection.build), 0)
        return self._model.at(row) if row < self._model.rowCount() else None

    def _follow(self, events: list[WindowEvent]) -> None:
        if any(isinstance(event, JobFinished | VerdictReached) for event in events):
            self._timer.start()

    def _take_selection(self, selected: QItemSelection, _deselected: QItemSelection) -> None:
        if not selected.isEmpty():
            self._context.selection.select_build(self._model.at(selected.indexes()[0].row()).number)

    def _show_selection(self) -> None:
        row = self._model.row(self._context.selection.build)
        if row >= 0 and row != self._view.currentIndex().row():
            self._view.setCurrentIndex(self._model.index(row, 0))


PANEL = PanelManifest(
    id="history",
    title=str(QT_TRANSLATE_NOOP("Panel", "History")),
    area=PanelArea.BOTTOM,
    order=30,
    create=HistoryPanel,
    perspectives=("kernels", "history"),
)
