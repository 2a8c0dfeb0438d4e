"""The selected node or value of the model; while nothing is selected, the model itself."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedLayout, QToolButton, QVBoxLayout

from opstudio.base.errors import CancelledError
from opstudio.jobs.cancel import CancelToken
from opstudio.model.graph.tensor_records import SparseTensorRecord, TensorRecord
from opstudio.model.graph.value_index import Scope
from opstudio.qt.background import Background
from opstudio.qt.graph.details_model import model_details
from opstudio.qt.graph.details_node import node_details
from opstudio.qt.graph.details_page import DetailsPage
from opstudio.qt.graph.details_reading import NodeReading, TensorReading, read_node, read_tensor
from opstudio.qt.graph.details_records import (
    Details,
    HelpTarget,
    MoreTarget,
    NodeTarget,
    PlaceTarget,
    ScopeTarget,
    Target,
    ValueTarget,
)
from opstudio.qt.graph.details_source import ModelSource
from opstudio.qt.graph.details_value import (
    ELEMENTS,
    FEW_ELEMENTS,
    MANY_ELEMENTS,
    STATISTICS,
    needs_asking,
    value_details,
)
from opstudio.qt.graph.graph_session import GraphState
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.widgets.state_page import StatePage

_SETTLE_MS = 15
"""Between a change and a new look: one click changes the graph, the node and the value."""


class NodeDetailsPanel(Panel):
    """Shows details as they become known: the record at once, what lies in files a moment later."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context, self._session = context, context.graph
        self._source: ModelSource | None = None
        self._subject: tuple[object, ...] = ()
        self._node_reading = NodeReading()
        self._tensor_reading: TensorReading | None = None
        self._is_reading = False
        self._expanded: frozenset[str] = frozenset()
        self._cancel = CancelToken()
        self._copy = QToolButton()
        self._copy.clicked.connect(self.copy_all)
        self._page = DetailsPage(context.theme, context.icons)
        self._page.target_chosen.connect(self._follow)
        self._empty = StatePage(context.icons)
        self._pages = self._lay_out()
        self._background = Background(self)
        self._background.finished.connect(self._take)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self.refresh)
        session = self._session
        for signal in (
            session.state_changed,
            session.scope_changed,
            session.resolution_changed,
            session.selection_changed,
        ):
            signal.connect(self._look_soon)
        context.icons.changed.connect(self.retranslate)
        self.retranslate()

    @property
    def page(self) -> DetailsPage:
        """What is shown of a node, a value or the model."""
        return self._page

    @property
    def details(self) -> Details | None:
        """What is said, where there is a model."""
        return self._page.details if self._pages.currentIndex() == 0 else None

    @property
    def is_reading(self) -> bool:
        """Whether something is read from the file."""
        return self._is_reading

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
                return PanelState.BUSY if self._is_reading else PanelState.READY

    def retranslate(self) -> None:
        """Set the texts."""
        self._copy.setIcon(self._context.icons.icon("copy"))
        self._copy.setToolTip(self.tr("Copy all that is shown here"))
        self._copy.setAccessibleName(self.tr("Copy all that is shown here"))
        self._page.setAccessibleName(self.tr("The selected node"))
        self.refresh()

    def header_widgets(self) -> tuple[QToolButton, ...]:
        """Return the button that copies everything."""
        return (self._copy,)

    def focus_content(self) -> None:
        """Take the keyboard."""
        self._page.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        """Look at what changed while nobody looked."""
        super().showEvent(event)
        self._look_soon()

    def hideEvent(self, event: QHideEvent) -> None:
        """End what is read; it is read again when somebody looks."""
        super().hideEvent(event)
        self._set_subject(())

    def copy_all(self) -> None:
        """Put all that is said on the clipboard as plain text."""
        if self.details is not None:
            QGuiApplication.clipboard().setText(self.details.text)

    def refresh(self) -> None:
        """Show what is selected now."""
        self._timer.stop()
        session = self._session
        self._take_source()
        scope = session.find_scope(session.scope)
        self._copy.setEnabled(session.state is GraphState.READY)
        if self._source is None or scope is None:
            self._set_subject(())
            self._show_state()
            return
        if self.isVisible():
            self._set_subject((self._source, session.scope, session.selected_node, session.selected_value))
        self._page.show_details(self._details(self._source, scope))
        self._pages.setCurrentIndex(0)

    def _details(self, source: ModelSource, scope: Scope) -> Details:
        node, value = self._session.selected_node, self._session.selected_value
        if value:
            return value_details(source, scope, value, self._tensor_reading, self._expanded)
        if node is not None and 0 <= node < len(scope.content.nodes):
            return node_details(source, scope, node, self._node_reading, self._expanded, self._waiting())
        return model_details(source, scope, self._expanded)

    def _waiting(self) -> str:
        if self._session.is_resolving:
            return self.tr("Being looked up in the runtime's lists")
        if self._session.report is None and self._session.findings:
            return self._session.findings[0].title
        return self.tr("Not known yet")

    def _take_source(self) -> None:
        model, index = self._session.model, self._session.index
        if model is None or index is None:
            self._source = None
        elif self._source is None or self._source.model is not model:
            self._source = ModelSource(model, index, self._session.nodes)
        if self._source is not None:
            self._source.take_report(self._session.report)

    def _set_subject(self, subject: tuple[object, ...]) -> None:
        """Begin to read what the file says of another thing."""
        if subject == self._subject:
            return
        self._subject, self._expanded = subject, frozenset()
        self._node_reading, self._tensor_reading = NodeReading(), None
        self._read()

    def _read(self) -> None:
        self._cancel.cancel("something else is looked at")
        self._cancel = CancelToken()
        source, session = self._source, self._session
        scope = session.find_scope(session.scope)
        self._is_reading = False
        if source is None or scope is None or not self._subject:
            return
        if session.selected_value:
            tensor = _stored(source.nodes.tensor(scope, session.selected_value))
            if tensor is not None and not tensor.problem:
                self._is_reading = True
                self._background.run(partial(self._read_tensor, source, tensor, self._expanded, self._cancel))
        elif session.selected_node is not None and 0 <= session.selected_node < len(scope.content.nodes):
            self._is_reading = True
            self._background.run(partial(read_node, source.model, scope.content.nodes[session.selected_node]))

    @staticmethod
    def _read_tensor(
        source: ModelSource, tensor: TensorRecord, expanded: frozenset[str], cancel: CancelToken
    ) -> TensorReading:
        count = MANY_ELEMENTS if ELEMENTS in expanded else FEW_ELEMENTS
        with_statistics = STATISTICS in expanded or not needs_asking(tensor)
        return read_tensor(source.model, tensor, count=count, with_statistics=with_statistics, cancel=cancel)

    def _take(self, found: object) -> None:
        if not self._is_reading and not isinstance(found, Exception):
            return  # of what was looked at before
        self._is_reading = False
        if isinstance(found, NodeReading):
            self._node_reading = found
        elif isinstance(found, TensorReading):
            self._tensor_reading = found
        elif isinstance(found, Exception) and not isinstance(found, CancelledError):
            raise found
        self.refresh()

    def _follow(self, target: Target) -> None:
        """Go where a link leads."""
        session = self._session
        match target:
            case NodeTarget(scope=scope, node=node):
                session.enter(scope)
                session.select_node(node, reveal=True)
            case ValueTarget(scope=scope, value=value):
                session.enter(scope)
                session.select_value(value, reveal=True)
            case ScopeTarget(scope=scope):
                session.enter(scope)
            case PlaceTarget(place=place):
                self._context.go_to(place)
            case HelpTarget(page=page):
                self._context.show_help(page)
            case MoreTarget(key=key):
                self._expanded |= {key}
                if key in (STATISTICS, ELEMENTS):
                    self._read()
                self.refresh()

    def _show_state(self) -> None:
        session = self._session
        if session.state is GraphState.READING:
            name = session.path.name if session.path is not None else ""
            self._empty.show_state(icon="running", tone="info", title=self.tr("Reading {0}").format(name))
        elif session.state is GraphState.FAILING and session.findings:
            # Why, and what to do about it, is said in the middle and among the problems.
            self._empty.show_state(icon="bad", tone="bad", title=session.findings[0].title)
        else:
            self._empty.show_state(
                icon="model",
                title=self.tr("No model is open"),
                text=self.tr("Open one in the panel Models: what it says of its nodes and values appears here."),
            )
        self._pages.setCurrentIndex(1)

    def _lay_out(self) -> QStackedLayout:
        pages = QStackedLayout()
        pages.addWidget(self._page)
        pages.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(pages)
        return pages

    def _look_soon(self, *_arguments: object) -> None:
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()


def _stored(tensor: TensorRecord | SparseTensorRecord | None) -> TensorRecord | None:
    return tensor.values if isinstance(tensor, SparseTensorRecord) else tensor


PANEL = PanelManifest(
    id="node_details",
    title=str(QT_TRANSLATE_NOOP("Panel", "Details")),
    area=PanelArea.RIGHT,
    order=30,
    create=NodeDetailsPanel,
    perspectives=("graph",),
)
