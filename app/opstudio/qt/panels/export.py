"""Why an export came out as it did: both exporters side by side, the fates of operators, where nodes come from."""

from __future__ import annotations

import time

from PySide6.QtCore import QT_TRANSLATE_NOOP, QDateTime, QLocale, Qt, QTimer
from PySide6.QtWidgets import QLineEdit, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from opstudio.qt.export.explanation_view import ExplanationView
from opstudio.qt.export.export_controls import OptionsButton, TargetButton
from opstudio.qt.export.words import step_text
from opstudio.qt.models.operator_view import ShownFinding
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.widgets.busy_row import BusyRow
from opstudio.qt.widgets.finding_list import FindingList
from opstudio.qt.widgets.state_page import StatePage
from opstudio.qt.widgets.veil import Veil

_TICK_MS = 500
_TYPING_MS = 120
"""From the last letter in the filter to new tables."""
_FILTER_WIDTH = 170
_EXTENT = 430
"""The height in the perspective Export: about half of the window at its first size."""


class ExportPanel(Panel):
    """Shows what is known of the target: an explanation, or why there is none."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context, self._session = context, context.exports
        self._busy = BusyRow(context.actions.cancel_export, context.icons)
        self.view = ExplanationView(context.theme, context.icons, context.place_text)
        self.failure = FindingList(context.theme, context.icons, context.place_text)
        self._empty = StatePage(context.icons)
        self._veils = [Veil(widget, context.theme) for widget in (self.view, self.failure)]
        self.target_button = TargetButton(self._session, context.workspace.root, context.icons, context.tell_refusal)
        self.options_button = OptionsButton(self._session)
        self._explain, self.filter = QToolButton(), QLineEdit()
        self._pages = self._lay_out()
        self._tick, self._typing = QTimer(self), QTimer(self)
        self._connect()
        self.retranslate()

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now."""
        session, result = self._session, self._session.result
        if session.is_running:
            return PanelState.BUSY
        if result is None:
            return PanelState.EMPTY
        return PanelState.READY if result.good else PanelState.FAILING

    @property
    def empty_page(self) -> StatePage:
        """What stands there while nothing is known."""
        return self._empty

    @property
    def busy_row(self) -> BusyRow:
        """What tells which exporter runs."""
        return self._busy

    def retranslate(self) -> None:
        """Set the texts."""
        self.filter.setPlaceholderText(self.tr("Filter rows"))
        self.failure.set_names(self.tr("Findings of the export"), self.tr("The selected finding"))
        self.failure.show_detail()
        self.target_button.retranslate()
        self.options_button.retranslate()
        self.refresh()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the filter, what is exported and how, and the button that explains."""
        return (self.filter, self.target_button, self.options_button, self._explain)

    def focus_content(self) -> None:
        """Take the keyboard."""
        shown = self._pages.currentWidget()
        target = self.failure.view if shown is self.failure else self.view.sections if shown is self.view else self
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def refresh(self) -> None:
        """Show what is known of the target now."""
        session, result = self._session, self._session.result
        self._show_busy()
        for veil in self._veils:
            veil.cover(covered=session.is_running and result is not None)
        self.badge_changed.emit(self._badge())
        if result is None:
            self._show_empty()
            self._pages.setCurrentWidget(self._empty)
        elif result.explanation is not None:
            self.view.show_explanation(result.explanation)
            self._pages.setCurrentWidget(self.view)
        else:
            self.failure.set_rows([ShownFinding(finding=item, stale=False) for item in result.failure])
            self._pages.setCurrentWidget(self.failure)
        self._show_filter()

    def _lay_out(self) -> QStackedLayout:
        self._explain.setDefaultAction(self._context.actions.explain_export)
        self._explain.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(_FILTER_WIDTH)
        pages = QStackedLayout()
        for page in (self.view, self.failure, self._empty):
            pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._busy)
        column.addLayout(pages)
        return pages

    def _connect(self) -> None:
        context = self._context
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._show_busy)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._take_filter)
        self.filter.textChanged.connect(self._typing.start)
        self.filter.returnPressed.connect(self._take_filter)
        for source in (self.view, self.failure):
            source.place_chosen.connect(context.go_to)
            source.help_requested.connect(context.show_help)
        self.view.graph_requested.connect(context.open_model)
        self.view.section_changed.connect(self._show_filter)
        context.actions.choose_export.triggered.connect(self.target_button.choose_file)
        self._session.target_changed.connect(self.refresh)
        self._session.results_changed.connect(self.refresh)

    def _take_filter(self) -> None:
        self._typing.stop()
        self.view.set_filter(self.filter.text())

    def _show_filter(self) -> None:
        self.filter.setVisible(self._pages.currentWidget() is self.view and bool(self.view.tables))

    def _show_busy(self) -> None:
        running = self._session.running
        if running is None:
            self._busy.hide()
            self._tick.stop()
            return
        seconds = int(time.monotonic() - running.since)
        since = self.tr(" for {0} s").format(seconds) if seconds else ""
        what = step_text(running.step) if running.is_begun else self.tr("Waiting for the worker")
        self._busy.show_text(f"{running.target.title}: {what}{since}")
        if not self._tick.isActive():
            self._tick.start()

    def _show_empty(self) -> None:
        session, page, actions = self._session, self._empty, self._context.actions
        if session.needs_trust:
            page.show_state(
                icon="trust",
                title=self.tr("This workspace is not trusted"),
                text=self.tr("To explain an export the operator is built and its model is run as you."),
                action=actions.trust,
            )
        elif session.is_running:
            page.show_state(
                icon="running",
                tone="info",
                title=self.tr("{0} is being exported twice").format(session.target.title if session.target else ""),
                text=self.tr("Once by each exporter, in processes of their own."),
            )
        else:
            page.show_state(
                icon="export",
                title=self.tr("No export was explained yet"),
                text=self.tr(
                    "Both exporters run, side by side: what each made of every operator, why it failed and at which "
                    "line, and the code to paste."
                ),
                action=actions.explain_export,
            )

    def _badge(self) -> str:
        result = self._session.result
        if result is None:
            return ""
        at = QLocale().toString(QDateTime.fromSecsSinceEpoch(int(result.at)).time(), "HH:mm")
        if result.options != self._session.options:
            return self.tr("of {0}, with other options").format(at)
        return self.tr("of {0}").format(at)


PANEL = PanelManifest(
    id="export",
    title=str(QT_TRANSLATE_NOOP("Panel", "Export")),
    area=PanelArea.BOTTOM,
    order=40,
    create=ExportPanel,
    perspectives=("export",),
    extent=_EXTENT,
)
