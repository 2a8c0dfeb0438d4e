"""An explanation: the exporters' states above, below one of its sections, which are listed at the left."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QListView, QSplitter, QStackedLayout, QStackedWidget, QVBoxLayout, QWidget

from opstudio.base.finding import Place, Severity
from opstudio.model.export_debugging.records import Attempt, ExportExplanation
from opstudio.model.export_request import Exporter
from opstudio.qt.export.attempt_column import AttemptBody, AttemptHead
from opstudio.qt.export.row_view import RowTable
from opstudio.qt.export.rows import (
    COUNT_COLUMNS,
    node_rows,
    node_titles,
    operator_rows,
    operator_titles,
    request_rows,
    request_titles,
)
from opstudio.qt.export.stub_view import StubView
from opstudio.qt.models.model_tree import DETAIL_ROLE
from opstudio.qt.models.operator_view import ShownFinding
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.detail_delegate import DetailDelegate
from opstudio.qt.widgets.finding_list import FindingList
from opstudio.qt.widgets.state_page import StatePage
from opstudio.qt.widgets.translated import TranslatedWidget

_LIST_WIDTH = 180
_PADDING = 8
"""Before the sections, so that they stand in line with the title of the panel."""


class Section(enum.IntEnum):
    """The sections, in the order of the list."""

    OVERVIEW = 0
    FINDINGS = 1
    OPERATORS = 2
    NODES = 3
    REQUEST = 4
    CODE = 5


class ExplanationView(TranslatedWidget):
    """Shows one explanation; the section, the filter and what is selected stay when another one takes its place."""

    place_chosen = Signal(object)
    help_requested = Signal(str)
    graph_requested = Signal(Path)
    section_changed = Signal()

    def __init__(self, theme: Theme, icons: Icons, place_text: Callable[[Place], str]) -> None:
        super().__init__()
        self._theme, self._icons = theme, icons
        self._explanation: ExportExplanation | None = None
        self._filled: set[Section] = set()
        self._filter = ""
        self._items = QStandardItemModel(self)
        self._items.appendColumn([QStandardItem() for _ in Section])
        self.sections = self._make_list()
        self.heads = {exporter: AttemptHead(theme, icons) for exporter in Exporter}
        self.bodies = {exporter: AttemptBody(theme) for exporter in Exporter}
        self.findings, self._no_findings = FindingList(theme, icons, place_text), StatePage(icons)
        self.operators, self.request = RowTable(theme, icons), RowTable(theme, icons)
        self.nodes = {exporter: RowTable(theme, icons) for exporter in Exporter}
        self.code = StubView(theme, icons)
        self._pages = QStackedWidget()
        self._lay_out()
        self._connect()
        self.setFocusProxy(self.sections)
        self.retranslate()
        self.select(Section.OVERVIEW)

    @property
    def section(self) -> Section:
        """The section that is shown."""
        return Section(max(self.sections.currentIndex().row(), 0))

    @property
    def explanation(self) -> ExportExplanation | None:
        """What is shown."""
        return self._explanation

    @property
    def tables(self) -> tuple[RowTable, ...]:
        """The tables of the section that is shown, which can be filtered."""
        match self.section:
            case Section.OPERATORS:
                return (self.operators,)
            case Section.NODES:
                return tuple(self.nodes.values())
            case Section.REQUEST:
                return (self.request,)
            case _:
                return ()

    def select(self, section: Section) -> None:
        """Show a section."""
        self.sections.setCurrentIndex(self._items.index(section, 0))

    def show_explanation(self, explanation: ExportExplanation) -> None:
        """Show an explanation."""
        if explanation is not self._explanation:
            self._explanation = explanation
            self._refresh()

    def set_filter(self, text: str) -> None:
        """Show the rows that have all these words, in every table."""
        self._filter = text
        for table in (self.operators, self.request, *self.nodes.values()):
            table.model.set_filter(text)

    def retranslate(self) -> None:
        """Set the texts."""
        titles = (
            self.tr("Overview"),
            self.tr("Findings"),
            self.tr("Operators"),
            self.tr("Nodes"),
            self.tr("Asked and found"),
            self.tr("Code to paste"),
        )
        for number, title in enumerate(titles):
            self._items.item(number).setText(title)
        self.sections.setAccessibleName(self.tr("Sections of the explanation"))
        self.findings.set_names(self.tr("Findings of the export"), self.tr("The selected finding"))
        self.operators.view.setAccessibleName(self.tr("Operators"))
        self.request.view.setAccessibleName(self.tr("Asked and found"))
        for table in self.nodes.values():
            table.view.setAccessibleName(self.tr("Nodes"))
        self._refresh()
        self.findings.show_detail()
        for body in self.bodies.values():
            body.refresh()

    def _make_list(self) -> QListView:
        view = QListView()
        view.setModel(self._items)
        view.setItemDelegate(DetailDelegate(self._theme, view, padding=_PADDING))
        view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        view.setFrameShape(QListView.Shape.NoFrame)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setFixedWidth(_LIST_WIDTH)
        return view

    def _lay_out(self) -> None:
        bodies, nodes = _side_by_side(self.bodies.values()), _side_by_side(self.nodes.values())
        # In the order of the sections.
        findings = QWidget()
        self._findings_pages = QStackedLayout(findings)
        self._findings_pages.addWidget(self.findings)
        self._findings_pages.addWidget(self._no_findings)
        for page in (bodies, findings, self.operators, nodes, self.request, self.code):
            self._pages.addWidget(page)
        heads = QHBoxLayout()
        heads.setSpacing(0)
        for head in self.heads.values():
            heads.addWidget(head, 1)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addLayout(heads)
        right.addWidget(self._pages, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sections)
        row.addLayout(right, 1)

    def _connect(self) -> None:
        self.sections.selectionModel().currentChanged.connect(self._show_section)
        for body in self.bodies.values():
            body.place_chosen.connect(self.place_chosen)
        for table in (self.operators, self.request, *self.nodes.values()):
            table.place_chosen.connect(self.place_chosen)
        self.findings.place_chosen.connect(self.place_chosen)
        self.findings.help_requested.connect(self.help_requested)
        for exporter in Exporter:
            self.heads[exporter].graph_requested.connect(partial(self._open_file, exporter))
            self.bodies[exporter].graph_requested.connect(partial(self._open_file, exporter))

    def _refresh(self) -> None:
        """Show everything that can be seen; what cannot is filled when it is looked at."""
        explanation = self._explanation
        self._filled.clear()
        if explanation is None:
            return
        doubtful = any(item.severity is Severity.ERROR for item in explanation.findings)
        for exporter, head in self.heads.items():
            head.show_attempt(explanation.attempt(exporter), is_doubtful=doubtful and _all_written(explanation))
        counts = {
            Section.FINDINGS: len(explanation.findings),
            Section.OPERATORS: len({fate.operator for attempt in explanation.attempts for fate in attempt.fates}),
            Section.NODES: max(len(attempt.origins) for attempt in explanation.attempts),
            Section.CODE: len(explanation.stubs),
        }
        for section, count in counts.items():
            self._items.item(section).setData(f"{count:,}" if count else "", DETAIL_ROLE)
        wrong = sum(_is_not_as_asked(attempt) for attempt in explanation.attempts)
        self._items.item(Section.REQUEST).setData(f"{wrong} ✖" if wrong else "", DETAIL_ROLE)
        self._fill()

    def _fill(self) -> None:
        """Fill the section that is shown."""
        explanation, section = self._explanation, self.section
        if explanation is None or section in self._filled:
            return
        self._filled.add(section)
        match section:
            case Section.OVERVIEW:
                for exporter, body in self.bodies.items():
                    body.show_attempt(explanation.attempt(exporter))
            case Section.FINDINGS:
                self.findings.set_rows([ShownFinding(finding=item, stale=False) for item in explanation.findings])
                self._no_findings.show_state(icon="good", tone="good", title=self.tr("No findings"))
                self._findings_pages.setCurrentWidget(self.findings if explanation.findings else self._no_findings)
            case Section.OPERATORS:
                empty = self.tr("No operator was met")
                rows = operator_rows(explanation)
                self.operators.set_rows(operator_titles(), rows, empty=empty, numbers=COUNT_COLUMNS)
            case Section.NODES:
                for exporter, table in self.nodes.items():
                    attempt = explanation.attempt(exporter)
                    table.set_rows(node_titles(), node_rows(attempt), empty=self._why_no_nodes(attempt))
            case Section.REQUEST:
                empty = self.tr("Nothing was asked for")
                self.request.set_rows(request_titles(), request_rows(explanation), empty=empty)
            case Section.CODE:
                self.code.show_stubs(explanation.stubs)

    def _why_no_nodes(self, attempt: Attempt) -> str:
        return self.tr("The file has no nodes") if attempt.has_file else self.tr("There is no file")

    def _show_section(self, *_indexes: object) -> None:
        self._fill()
        self._pages.setCurrentIndex(self.section)
        self.section_changed.emit()

    def _open_file(self, exporter: Exporter) -> None:
        if self._explanation is not None and (file := self._explanation.attempt(exporter).file):
            self.graph_requested.emit(Path(file))


def _side_by_side(widgets: Iterable[QWidget]) -> QSplitter:
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    for widget in widgets:
        splitter.addWidget(widget)
    splitter.setSizes([1000] * splitter.count())
    return splitter


def _all_written(explanation: ExportExplanation) -> bool:
    return all(attempt.has_file for attempt in explanation.attempts)


def _is_not_as_asked(attempt: Attempt) -> bool:
    return bool(attempt.differences or attempt.shape_faults) or any(not item.is_kept for item in attempt.dimensions)
