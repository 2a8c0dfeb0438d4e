"""The findings of the selected operator, or of one of its stages."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QModelIndex, QPersistentModelIndex, Qt, QTimer, QUrl
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QListView, QSplitter, QStackedLayout, QTextBrowser, QVBoxLayout

from opstudio.base.finding import Place
from opstudio.base.units import render_seconds
from opstudio.jobs.events import StageState
from opstudio.qt.bridge import LoopRefused, WindowEvent
from opstudio.qt.models.finding_model import FindingModel
from opstudio.qt.models.operator_view import Activity, OperatorView, ShownFinding, StageView
from opstudio.qt.models.stage_titles import stage_title
from opstudio.qt.models.state_marks import operator_mark, stage_mark
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.widgets.busy_row import BusyRow
from opstudio.qt.widgets.finding_delegate import ROW_HEIGHT, FindingDelegate
from opstudio.qt.widgets.finding_text import finding_html
from opstudio.qt.widgets.stage_row import StageRow
from opstudio.qt.widgets.state_page import StatePage

_TICK_MS = 500
_MOST_ROWS_AT_FIRST = 6
_LOW_RATIO = 1.6


class FindingsPanel(Panel):
    """A list, and what there is to know of the selected finding."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._model = FindingModel()
        self._refusal: tuple[ShownFinding, ...] = ()
        self._fits_list = True
        self._busy = BusyRow(context.actions.cancel, context.icons)
        self._stage_row = StageRow(context.theme, context.icons)
        self._view, self._detail = self._make_view(), self._make_detail()
        self._empty = StatePage(context.icons)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._pages = self._lay_out()
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._show_busy)
        self._stage_row.closed.connect(self._show_all_stages)
        self._view.selectionModel().currentChanged.connect(self._show_detail)
        context.state.operators_updated.connect(self._follow_state)
        context.selection.operator_changed.connect(self._refresh)
        context.selection.stage_changed.connect(self._refresh)
        context.events.events_received.connect(self._take_refusal)
        context.theme.changed.connect(self._recolour)
        self.retranslate()

    @property
    def view(self) -> QListView:
        """The list."""
        return self._view

    @property
    def model(self) -> FindingModel:
        """The findings that are listed."""
        return self._model

    @property
    def empty_page(self) -> StatePage:
        """What stands there while nothing is listed."""
        return self._empty

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now."""
        if not self._busy.isHidden():
            return PanelState.BUSY
        return PanelState.FAILING if self._model.rowCount() else PanelState.EMPTY

    def retranslate(self) -> None:
        """Set the texts."""
        self._view.setAccessibleName(self.tr("Findings"))
        self._detail.setAccessibleName(self.tr("The selected finding"))
        self._refresh()
        self._show_detail()

    def focus_content(self) -> None:
        """Take the keyboard."""
        self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _make_view(self) -> QListView:
        view = QListView()
        view.setModel(self._model)
        view.setItemDelegate(FindingDelegate(self._context.theme, self._context.icons, self._finding_at, view))
        view.setUniformItemSizes(True)
        view.setFrameShape(QListView.Shape.NoFrame)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.activated.connect(self._go_to_first_place)
        return view

    def _make_detail(self) -> QTextBrowser:
        detail = QTextBrowser()
        detail.setOpenLinks(False)
        detail.setFrameShape(QTextBrowser.Shape.NoFrame)
        detail.document().setDocumentMargin(12)
        detail.anchorClicked.connect(self._go_to_link)
        return detail

    def _lay_out(self) -> QStackedLayout:
        self._splitter.addWidget(self._view)
        self._splitter.addWidget(self._detail)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.splitterMoved.connect(self._keep_sizes)
        pages = QStackedLayout()
        pages.addWidget(self._splitter)
        pages.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._busy)
        column.addWidget(self._stage_row)
        column.addLayout(pages)
        return pages

    def _keep_sizes(self, _place: int, _handle: int) -> None:
        """The person knows how high the list should be."""
        self._fits_list = False

    def _fit_list(self, rows: int) -> None:
        """Give the list the height of its rows and the rest to the detail; in a low panel they stand side by side."""
        is_low = self.width() > self.height() * _LOW_RATIO
        self._splitter.setOrientation(Qt.Orientation.Horizontal if is_low else Qt.Orientation.Vertical)
        if self._fits_list and rows:
            room = self._splitter.width() if is_low else self._splitter.height()
            extent = room * 2 // 5 if is_low else min(rows, _MOST_ROWS_AT_FIRST) * ROW_HEIGHT
            self._splitter.setSizes([extent, max(room - extent, ROW_HEIGHT)])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the list at the height of its rows."""
        super().resizeEvent(event)
        self._fit_list(self._model.rowCount())

    def _follow_state(self, names: frozenset[str]) -> None:
        if self._context.selection.operator in names:
            self._refresh()

    def _take_refusal(self, events: list[WindowEvent]) -> None:
        for event in events:
            if isinstance(event, LoopRefused):
                self._refusal = tuple(ShownFinding(finding=finding, stale=False) for finding in event.findings)
                self._refresh()

    def _refresh(self) -> None:
        selection = self._context.selection
        view = self._context.state.view(selection.operator)
        stage = view.stages.get(selection.stage, StageView(stage=selection.stage)) if selection.stage else None
        rows = self._rows(view, stage)
        self.badge_changed.emit(f"{len(rows):,}" if rows else "")
        before = self._finding_at(self._view.currentIndex().row())
        if self._model.set_rows(rows) and rows:
            same = [number for number, row in enumerate(rows) if before and row.finding == before.finding]
            self._view.setCurrentIndex(self._model.index(same[0] if same else 0, 0))
        self._show_busy()
        self._stage_row.show_stage(stage)
        self._pages.setCurrentIndex(0 if rows else 1)
        self._fit_list(len(rows))
        if not rows:
            self._show_empty(view, stage)

    def _rows(self, view: OperatorView, stage: StageView | None) -> list[ShownFinding]:
        if stage is not None:
            return [ShownFinding(finding=finding, stale=stage.stale) for finding in stage.findings]
        rows = [*self._refusal, *view.findings(self._context.stage_order)]
        # What an earlier run found is worth seeing while a new one is under way, not after it.
        return [row for row in rows if not row.stale or view.activity is not Activity.IDLE]

    def _show_busy(self) -> None:
        view = self._context.state.view(self._context.selection.operator)
        stage = view.running_stage
        if view.activity is not Activity.RUNNING:
            self._busy.hide()
            self._tick.stop()
            return
        if stage is None or stage.since is None:
            self._busy.show_text(self.tr("Starting"))
        else:
            seconds = int(time.time() - stage.since)
            since = self.tr(" for {0} s").format(seconds) if seconds else ""
            self._busy.show_text(self.tr("Running {0}").format(stage_title(stage.stage)) + since)
        if not self._tick.isActive():
            self._tick.start()

    def _show_empty(self, view: OperatorView, stage: StageView | None) -> None:
        page, actions = self._empty, self._context.actions
        if stage is not None:
            mark = stage_mark(stage)
            is_running = stage.since is not None
            title = self.tr("No findings so far") if is_running else self.tr("No findings in this stage")
            page.show_state(icon=mark.icon, tone=mark.token, title=title)
        elif not view.name:
            page.show_state(
                icon="good", title=self.tr("No findings"), text=self.tr("What is wrong with an operator appears here.")
            )
        elif view.verdict is not None and not view.problems:
            is_new = view.activity is Activity.IDLE
            ended = [item for item in view.stages.values() if item.state in (StageState.GOOD, StageState.BAD)]
            page.show_state(
                icon="good",
                tone="good" if is_new else "text_3",
                title=self.tr("No findings") if is_new else self.tr("No findings so far"),
                text=self.tr("{0} stages, verdict in {1}.").format(len(ended), render_seconds(view.seconds or 0.0)),
            )
        else:
            mark = operator_mark(view)
            page.show_state(
                icon=mark.icon,
                tone=mark.token,
                title=f"{view.name}: {mark.word}",
                text=self.tr("What its check finds appears here."),
                action=actions.run_fresh if view.activity is Activity.IDLE else None,
            )

    def _finding_at(self, row: int) -> ShownFinding | None:
        return self._model.at(row) if 0 <= row < self._model.rowCount() else None

    def _show_detail(self, *_indexes: QModelIndex | QPersistentModelIndex) -> None:
        shown = self._finding_at(self._view.currentIndex().row())
        text = finding_html(shown.finding, self._context.theme.tokens) if shown else ""
        self._detail.setHtml(text)

    def _go_to_first_place(self, index: QModelIndex) -> None:
        shown = self._finding_at(index.row())
        places = shown.finding.places if shown else ()
        self._go_to(next((place for place in places if place.file), None))

    def _go_to_link(self, link: QUrl) -> None:
        shown = self._finding_at(self._view.currentIndex().row())
        if link.scheme() == "help":
            self._context.show_help(link.path())
            return
        number = int(link.toString())
        self._go_to(shown.finding.places[number] if shown else None)

    def _go_to(self, place: Place | None) -> None:
        if place is not None:
            self._context.go_to(place)

    def _show_all_stages(self) -> None:
        self._context.selection.select_stage("")

    def _recolour(self, *_arguments: Any) -> None:
        self._show_detail()
        self._view.viewport().update()


PANEL = PanelManifest(
    id="findings",
    title=str(QT_TRANSLATE_NOOP("Panel", "Findings")),
    area=PanelArea.RIGHT,
    order=10,
    create=FindingsPanel,
)
