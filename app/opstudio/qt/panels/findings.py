"""The findings of the selected operator, or of one of its stages."""

from __future__ import annotations

import time

from PySide6.QtCore import QT_TRANSLATE_NOOP, Qt, QTimer
from PySide6.QtWidgets import QListView, QStackedLayout, QVBoxLayout

from opstudio.base.units import render_seconds
from opstudio.jobs.events import StageState
from opstudio.qt.bridge import LoopRefused, WindowEvent
from opstudio.qt.models.finding_model import FindingModel
from opstudio.qt.models.operator_view import Activity, OperatorView, ShownFinding, StageView
from opstudio.qt.models.progress_texts import progress_sentence
from opstudio.qt.models.stage_titles import stage_title
from opstudio.qt.models.state_marks import operator_mark, stage_mark
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.widgets.busy_row import BusyRow
from opstudio.qt.widgets.finding_list import FindingList
from opstudio.qt.widgets.stage_row import StageRow
from opstudio.qt.widgets.state_page import StatePage

_TICK_MS = 500


class FindingsPanel(Panel):
    """A list, and what there is to know of the selected finding."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._refusal: tuple[ShownFinding, ...] = ()
        self._busy = BusyRow(context.actions.cancel, context.icons)
        self._stage_row = StageRow(context.theme, context.icons)
        self._list = FindingList(context.theme, context.icons, context.place_text)
        self._empty = StatePage(context.icons)
        self._pages = self._lay_out()
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._show_busy)
        self._stage_row.closed.connect(self._show_all_stages)
        self._list.place_chosen.connect(context.go_to)
        self._list.view.clicked.connect(self._list.choose_first_place)
        self._list.help_requested.connect(context.show_help)
        context.state.operators_updated.connect(self._follow_state)
        context.selection.operator_changed.connect(self._refresh)
        context.selection.stage_changed.connect(self._refresh)
        context.events.events_received.connect(self._take_refusal)
        self.retranslate()

    @property
    def view(self) -> QListView:
        """The list."""
        return self._list.view

    @property
    def model(self) -> FindingModel:
        """The findings that are listed."""
        return self._list.model

    @property
    def empty_page(self) -> StatePage:
        """What stands there while nothing is listed."""
        return self._empty

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now."""
        if not self._busy.isHidden():
            return PanelState.BUSY
        return PanelState.FAILING if self._list.model.rowCount() else PanelState.EMPTY

    def retranslate(self) -> None:
        """Set the texts."""
        self._list.set_names(self.tr("Findings"), self.tr("The selected finding"))
        self._refresh()
        self._list.show_detail()

    def focus_content(self) -> None:
        """Take the keyboard."""
        self._list.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _lay_out(self) -> QStackedLayout:
        pages = QStackedLayout()
        pages.addWidget(self._list)
        pages.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._busy)
        column.addWidget(self._stage_row)
        column.addLayout(pages)
        return pages

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
        self._list.set_rows(rows)
        self._show_busy()
        self._stage_row.show_stage(stage)
        self._pages.setCurrentIndex(0 if rows else 1)
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
        if view.progress and view.progress_since is not None:
            seconds = max(int(time.time() - view.progress_since), 0)
            since = self.tr(" ({0} s)").format(seconds) if seconds else ""
            self._busy.show_text(progress_sentence(view.progress) + since)
        elif stage is None or stage.since is None:
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

    def _show_all_stages(self) -> None:
        self._context.selection.select_stage("")


PANEL = PanelManifest(
    id="findings",
    title=str(QT_TRANSLATE_NOOP("Panel", "Findings")),
    area=PanelArea.RIGHT,
    order=10,
    create=FindingsPanel,
)
