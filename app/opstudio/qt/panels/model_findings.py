"""What is wrong with the model, its nodes and the libraries: each fault once, with its cause before what it does."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, QModelIndex, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QPushButton, QStackedLayout, QVBoxLayout

from opstudio.base.finding import Place, Severity
from opstudio.qt.fixes.choices import FixChoice
from opstudio.qt.fixes.fix_page import FixPage
from opstudio.qt.fixes.words import short_words
from opstudio.qt.graph.details_source import ModelSource
from opstudio.qt.graph.graph_session import GraphState
from opstudio.qt.models.operator_view import ShownFinding
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.widgets.finding_list import FindingList
from opstudio.qt.widgets.state_page import StatePage
from opstudio.qt.widgets.veil import Veil

_WIDEST_BUTTON = 180
"""Pixels of what a fix does, so that there is room for the problem; all of it is in the tool tip."""
_EXTENT = 250
"""The height in the perspective Graph: a cause and what to do about it can be read."""


class ModelFindingsPanel(Panel):
    """A list, and what there is to know of the selected finding, with what can be done about it below.

    What fixes change and what came of them stands in the same place, while the person looks at that.
    """

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context, self._session = context, context.graph
        self._source: ModelSource | None = None
        self._list = FindingList(context.theme, context.icons, self._place_text)
        self._veil = Veil(self._list, context.theme)
        self._empty = StatePage(context.icons)
        self.fixes = FixPage(context.fixes, context.actions, context.theme, context.icons)
        self._pages = QStackedLayout()
        for page in (self._list, self._empty, self.fixes):
            self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._pages)
        self._list.place_chosen.connect(self._go_to)
        self._list.help_requested.connect(context.show_help)
        self._list.view.clicked.connect(self._take_click)
        self._list.current_changed.connect(self._show_buttons)
        self.fixes.open_requested.connect(context.open_model)
        self.fixes.help_requested.connect(context.show_help)
        context.fixes.choices_changed.connect(self._show_buttons)
        context.fixes.shown_changed.connect(self._show_page)
        session = self._session
        session.state_changed.connect(self.refresh)
        session.resolution_changed.connect(self.refresh)
        session.selection_changed.connect(self._follow_selection)
        self.retranslate()

    @property
    def findings(self) -> FindingList:
        """The list and its detail."""
        return self._list

    @property
    def empty_page(self) -> StatePage:
        """What stands there while nothing is listed."""
        return self._empty

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now."""
        session, fixes = self._session, self._context.fixes
        if fixes.is_shown:
            is_failing = bool(fixes.failure)
            return PanelState.BUSY if fixes.is_writing else PanelState.FAILING if is_failing else PanelState.READY
        if session.state is GraphState.READING or session.is_resolving:
            return PanelState.BUSY
        if session.state is GraphState.EMPTY:
            return PanelState.EMPTY
        return PanelState.FAILING if session.findings else PanelState.READY

    def retranslate(self) -> None:
        """Set the texts."""
        self._list.set_names(self.tr("Problems of the model"), self.tr("The selected problem"))
        self.refresh()
        self._list.show_detail()
        self._show_buttons()

    def focus_content(self) -> None:
        """Take the keyboard."""
        is_fixing = self._context.fixes.is_shown
        (self.fixes.list if is_fixing else self._list.view).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def refresh(self) -> None:
        """Show what is known of the model that is open now."""
        session = self._session
        # While the model is held against other libraries, what was found before stays, dimmed.
        self._veil.cover(covered=session.is_resolving and bool(session.findings))
        rows = [ShownFinding(finding=finding, stale=False) for finding in session.findings]
        errors = sum(finding.severity is Severity.ERROR for finding in session.findings)
        self.badge_changed.emit(
            self.tr("{0} of {1} errors").format(errors, len(rows)) if errors != len(rows) else _count(errors)
        )
        self._list.set_rows(rows)
        if not rows:
            self._show_empty()
        self._show_page()

    def _show_page(self) -> None:
        has_rows = bool(self._list.model.rowCount())
        self._pages.setCurrentWidget(
            self.fixes if self._context.fixes.is_shown else self._list if has_rows else self._empty
        )

    def _known_source(self) -> ModelSource | None:
        """Return what finds nodes by their names, once somebody asks."""
        session = self._session
        if session.model is None or session.index is None:
            self._source = None
        elif self._source is None or self._source.model is not session.model:
            self._source = ModelSource(session.model, session.index, session.nodes)
        if self._source is not None:
            self._source.take_report(session.report)
        return self._source

    def _show_buttons(self) -> None:
        """Offer what can be done about the selected finding; fixes that need no hand stand before the explanation."""
        shown = self._list.current
        if shown is None:
            self._list.set_buttons(())
            return
        fixes = [self._fix_button(choice) for choice in self._context.fixes.solving(shown.finding)]
        explain = QPushButton(self.tr("Explain {0}").format(shown.finding.id))
        explain.setIcon(self._context.icons.icon("help"))
        explain.clicked.connect(self._explain)
        self._list.set_buttons((*fixes, explain))

    def _fix_button(self, choice: FixChoice) -> QPushButton:
        """Return a button with what a fix does, as far as there is room."""
        button = QPushButton()
        words = short_words(choice)
        button.setText(QFontMetrics(button.font()).elidedText(words, Qt.TextElideMode.ElideRight, _WIDEST_BUTTON))
        button.setToolTip(choice.title)
        button.setAccessibleName(words)
        button.setIcon(self._context.icons.icon("fix"))
        button.clicked.connect(partial(self._context.fixes.show, choice.key))
        return button

    def _explain(self) -> None:
        shown = self._list.current
        if shown is not None:
            self._context.show_help(shown.finding.id)

    def _place_text(self, place: Place) -> str:
        """Return a place without the file that is open: it is the same for all. Others are told from the workspace."""
        path = self._session.path
        if path is not None and place.file == str(path) and (place.node or place.tensor):
            return str(Place(node=place.node, tensor=place.tensor))
        return self._context.place_text(place)

    def _take_click(self, index: QModelIndex) -> None:
        shown = self._list.finding_at(index.row())
        place = next((place for place in shown.finding.places if place.node or place.tensor), None) if shown else None
        if place is not None:
            self._go_to(place)

    def _go_to(self, place: Place) -> None:
        """Select what a place names, and bring it into view; a file without a node is the model, or one to edit."""
        session, source = self._session, self._known_source()
        if place.node is None and place.tensor is None:
            self._go_to_file(place)
        if source is None:
            return
        if place.node is not None:
            row = source.node_by_title(place.node)
            if row is not None:
                session.enter(row.scope.path)
                session.select_node(row.number, reveal=True)
        elif place.tensor is not None:
            scope = source.value_scope(place.tensor)
            if scope is not None:
                session.enter(scope)
                session.select_value(place.tensor, reveal=True)

    def _go_to_file(self, place: Place) -> None:
        session = self._session
        if place.file == str(session.path):
            session.enter(())
            session.select_node(None)
        elif place.file is not None and place.line is not None:
            self._context.go_to(place)

    def _follow_selection(self) -> None:
        """Select the finding that tells why nobody implements the selected node."""
        session = self._session
        if session.selected_node is None or not session.findings:
            return
        source, scope = self._known_source(), session.find_scope(session.scope)
        if source is None or scope is None:
            return
        finding = source.finding_of(source.answer(scope, session.selected_node))
        current = self._list.current
        if finding is None or (current is not None and current.finding == finding):
            return
        numbers = (number for number, item in enumerate(session.findings) if item is finding)
        self._list.select_row(next(numbers, 0))

    def _show_empty(self) -> None:
        session, page = self._session, self._empty
        if session.state is GraphState.READING:
            page.show_state(icon="running", tone="info", title=self.tr("Reading the model"))
        elif session.is_resolving:
            title = self.tr("Being held against the runtime's own lists")
            page.show_state(icon="running", tone="info", title=title)
        elif session.report is not None:
            release = session.report.evidence.catalogue.tables.release
            page.show_state(
                icon="good",
                tone="good",
                title=self.tr("No problems"),
                text=self.tr("ONNX Runtime {0} takes this model, as far as files and its lists tell.").format(release),
            )
        else:
            page.show_state(
                icon="good",
                title=self.tr("No problems"),
                text=self.tr("What is wrong with a model appears here once one is open."),
            )


def _count(number: int) -> str:
    return f"{number:,}" if number else ""


PANEL = PanelManifest(
    id="model_findings",
    title=str(QT_TRANSLATE_NOOP("Panel", "Problems of the model")),
    area=PanelArea.BOTTOM,
    order=34,
    create=ModelFindingsPanel,
    perspectives=("graph",),
    extent=_EXTENT,
)
