"""All nodes of the model in one table: sorted, filtered, copied; what is selected here is selected in the picture."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from opstudio.base.errors import InputError
from opstudio.model.diagram.search import ModelSearch
from opstudio.model.diagram.search_query import parse_query
from opstudio.model.graph.records import ModelRecord
from opstudio.qt.graph.graph_session import GraphState
from opstudio.qt.models.node_rows import NodeRows
from opstudio.qt.models.node_table import NodeColumn, NodeTableModel
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.widgets.node_table_view import NodeTableView
from opstudio.qt.widgets.state_page import StatePage
from opstudio.workflows.graph import GraphReport
from opstudio.workflows.graph_marks import marks_by_scope

_TYPING_MS = 120
"""From the last letter in the filter to a new table."""
_FILTER_WIDTH = 220
_TRAILING = QLineEdit.ActionPosition.TrailingPosition


class NodeListPanel(Panel):
    """The table, with a filter and a switch for what is unresolved in its title line."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context, self._session = context, context.graph
        self._record: ModelRecord | None = None
        self._report: GraphReport | None = None
        self._nodes: NodeRows | None = None
        self._searching: ModelSearch | None = None
        self._is_following = False
        self._model = NodeTableModel(context.theme, context.icons, self)
        self._filter, self._only_unresolved = QLineEdit(), QToolButton()
        self._mark = self._filter.addAction(context.icons.icon("warning", "warn"), _TRAILING)
        self._view = NodeTableView(self._model)
        self._empty = StatePage(context.icons)
        self._pages = self._lay_out()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TYPING_MS)
        self._connect()
        self.retranslate()

    @property
    def model(self) -> NodeTableModel:
        """The nodes."""
        return self._model

    @property
    def view(self) -> NodeTableView:
        """The table."""
        return self._view

    @property
    def filter(self) -> QLineEdit:
        """The field for words that a node must have."""
        return self._filter

    @property
    def only_unresolved(self) -> QToolButton:
        """The switch for the nodes that nobody implements."""
        return self._only_unresolved

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now."""
        match self._session.state:
            case GraphState.EMPTY:
                return PanelState.EMPTY
            case GraphState.READING:
                return PanelState.BUSY
            case GraphState.FAILING:
                return PanelState.FAILING
            case GraphState.READY:
                if self._session.is_resolving:
                    return PanelState.BUSY
                return PanelState.FAILING if self._model.unresolved else PanelState.READY

    def retranslate(self) -> None:
        """Set the texts."""
        self._filter.setPlaceholderText(self.tr("Filter nodes"))
        self._tell_filter("")
        self._only_unresolved.setText(self.tr("Unresolved only"))
        self._only_unresolved.setToolTip(self.tr("Show the nodes that nobody implements, and no others"))
        self._only_unresolved.setIcon(self._context.icons.icon("bad", "bad"))
        self._view.setAccessibleName(self.tr("Nodes"))
        self._model.retranslate()
        self.refresh()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the filter and the switch."""
        return (self._filter, self._only_unresolved)

    def focus_content(self) -> None:
        """Take the keyboard."""
        self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        """Look at what changed while nobody looked."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the nodes of the model that is open now, and what is known of them."""
        session = self._session
        if session.model is not self._record:
            self._record, self._report = session.model, None
            self._nodes = self._searching = None
            self._model.set_nodes(None)
        if not self.isVisible():
            self._tell_count()
            return
        if self._nodes is None and session.nodes is not None:
            self._nodes = session.nodes
            self._model.set_nodes(self._nodes)
            self._search()
        if session.report is not self._report and self._nodes is not None:
            self._report = session.report
            self._model.set_evidence(session.report.evidence if session.report is not None else None)
            self._search()
        self._tell_count()
        self._show_state()
        self._show_selection()

    def _connect(self) -> None:
        session = self._session
        self._timer.timeout.connect(self._take_filter)
        self._filter.textChanged.connect(self._timer.start)
        self._filter.returnPressed.connect(self._take_filter)
        self._only_unresolved.toggled.connect(self._take_switch)
        self._view.selectionModel().currentRowChanged.connect(self._take_selection)
        self._view.activated.connect(self._reveal)
        session.state_changed.connect(self.refresh)
        session.resolution_changed.connect(self.refresh)
        session.selection_changed.connect(self._show_selection)
        self._context.icons.changed.connect(self.retranslate)

    def _lay_out(self) -> QStackedLayout:
        self._filter.setClearButtonEnabled(True)
        self._filter.setMaximumWidth(_FILTER_WIDTH)
        self._only_unresolved.setCheckable(True)
        self._only_unresolved.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        pages = QStackedLayout()
        pages.addWidget(self._view)
        pages.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(pages)
        return pages

    def _tell_count(self) -> None:
        total = self._count()
        shown = self._model.rowCount()
        is_filtered = self._nodes is not None and shown != total
        self.badge_changed.emit(f"{shown:,} / {total:,}" if is_filtered else f"{total:,}" if total else "")

    def _count(self) -> int:
        if self._nodes is not None:
            return self._model.total
        index = self._session.index
        return 0 if index is None else sum(len(scope.content.nodes) for scope in index.scopes())

    def _take_filter(self) -> None:
        self._timer.stop()
        self._search()
        self._after_filter()

    def _search(self) -> None:
        """Show the nodes that the line in the filter asks for; while it is no question, those of the last one."""
        text = self._filter.text()
        if self._nodes is None or self._session.index is None or not text.strip():
            self._tell_filter("")
            self._model.set_matches(None)
            return
        try:
            query = parse_query(text)
        except InputError as error:
            self._tell_filter(error.findings[0].cause)
            return
        self._tell_filter("")
        self._searching = self._searching or ModelSearch(self._session.index)
        marks = marks_by_scope(self._report) if self._report is not None else {}
        found = self._searching.find(query, lambda path: marks.get(path, {}))
        self._model.set_matches(self._nodes.numbers(found))

    def _tell_filter(self, problem: str) -> None:
        how = self.tr("Words that a node must have; also type:conv, name:, shape:1x64, attribute:axis, dtype:, by:")
        self._filter.setToolTip(problem or how)
        self._mark.setToolTip(problem)
        self._mark.setVisible(bool(problem))

    def _take_switch(self, wanted: bool) -> None:  # noqa: FBT001 - Qt's signal
        self._model.set_only_unresolved(wanted)
        self._after_filter()

    def _after_filter(self) -> None:
        self._tell_count()
        self._show_state()
        self._show_selection()

    def _take_selection(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid() and not self._is_following:
            self._select(current, reveal=False)

    def _reveal(self, index: QModelIndex | QPersistentModelIndex) -> None:
        self._select(index, reveal=True)

    def _select(self, index: QModelIndex | QPersistentModelIndex, *, reveal: bool) -> None:
        row = self._model.node_at(index.row())
        # Entering another graph selects nothing at first, which must not clear the row.
        self._is_following = True
        self._session.enter(row.scope.path)
        self._session.select_node(row.number, reveal=reveal)
        self._is_following = False

    def _show_selection(self) -> None:
        """Select the row of the node that is selected in the picture."""
        session = self._session
        if self._is_following or self._nodes is None or not self.isVisible():
            return
        scope = session.find_scope(session.scope)
        number = (
            None if scope is None or session.selected_node is None else self._nodes.number(scope, session.selected_node)
        )
        row = self._model.row_of(number)
        selection = self._view.selectionModel()
        self._is_following = True
        if row < 0:
            selection.clear()
        elif row != self._view.currentIndex().row() or not selection.isRowSelected(row):
            index = self._model.index(row, NodeColumn.NAME)
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            selection.setCurrentIndex(index, flags)
            self._view.scrollTo(index)
        self._is_following = False

    def _show_state(self) -> None:
        session, page = self._session, self._empty
        if self._model.rowCount():
            self._pages.setCurrentIndex(0)
            return
        if session.state is GraphState.READING:
            page.show_state(icon="running", tone="info", title=self.tr("Reading the model"))
        elif session.state is GraphState.FAILING and session.findings:
            page.show_state(icon="bad", tone="bad", title=session.findings[0].title)
        elif self._model.total and self._only_unresolved.isChecked() and not self._model.unresolved:
            is_known = session.report is not None
            page.show_state(
                icon="good" if is_known else "unknown",
                tone="good" if is_known else "text_3",
                title=self.tr("All nodes are implemented") if is_known else self.tr("Not known yet"),
            )
        elif self._model.total:
            page.show_state(icon="search", title=self.tr("No node fits"))
        elif session.state is GraphState.READY:
            page.show_state(icon="model", title=self.tr("The model has no nodes"))
        else:
            page.show_state(
                icon="model",
                title=self.tr("No model is open"),
                text=self.tr("All nodes of a model are listed here, also those of functions and nested graphs."),
            )
        self._pages.setCurrentIndex(1)


PANEL = PanelManifest(
    id="node_list",
    title=str(QT_TRANSLATE_NOOP("Panel", "Nodes")),
    area=PanelArea.BOTTOM,
    order=36,
    create=NodeListPanel,
    perspectives=("graph",),
)
