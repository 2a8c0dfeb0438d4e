"""Searches the open model while the person types, and marks what was found in the graph that is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from PySide6.QtCore import QObject

from opstudio.base.errors import InputError
from opstudio.model.diagram.records import ScopePath
from opstudio.model.diagram.search import ModelSearch
from opstudio.model.diagram.search_query import Query, parse_query
from opstudio.model.graph.value_index import ModelIndex
from opstudio.qt.background import Background
from opstudio.qt.graph.graph_session import GraphSession
from opstudio.qt.graph.graph_view import GraphView
from opstudio.qt.graph.search_field import SearchField
from opstudio.workflows.graph import GraphReport
from opstudio.workflows.graph_marks import marks_by_scope

_Found = Mapping[ScopePath, tuple[int, ...]]


class GraphSearch(QObject):
    """Holds field and view together."""

    def __init__(self, session: GraphSession, view: GraphView, field: SearchField) -> None:
        super().__init__(field)
        self._session, self._view, self._field = session, view, field
        self._text = ""
        self._found: _Found = {}
        self._fault: InputError | None = None
        self._finder = _Finder()
        self._background = Background(self)
        self._background.finished.connect(self._take)
        field.searched.connect(self.search)
        field.stepped.connect(self.step)
        session.state_changed.connect(self._again)
        session.resolution_changed.connect(self._again)
        session.closing.connect(self._background.wait)
        view.shown_changed.connect(self._mark)

    def search(self, text: str) -> None:
        """Search for something else."""
        self._text = text.strip()
        self._again()

    def step(self, by: int) -> None:
        """Go to the next thing found, or the one before."""
        self._view.step_found(by)
        self.show_count()

    def show_count(self) -> None:
        """Tell how many were found, or what is wrong with what was typed."""
        rank, count = self._view.found_rank()
        if self._fault is not None:
            finding = self._fault.findings[0]
            self._field.show_found(finding.title, has_some=False, detail=f"{finding.cause}. {finding.fix}.")
        elif not self._text and not count:
            self._field.show_found("", has_some=False)
        else:
            text = self.tr("{0} of {1}").format(rank, count) if rank else self.tr("{0} found").format(count)
            elsewhere = sum(len(nodes) for path, nodes in self._found.items() if path != self._session.scope)
            if elsewhere:
                text += self.tr(", {0} in other graphs").format(elsewhere)
            self._field.show_found(text, has_some=count > 0)

    def _again(self) -> None:
        self._fault = None
        index = self._session.index
        try:
            query = parse_query(self._text) if self._text else None
        except InputError as error:
            self._fault, query = error, None
        if query is None or index is None:
            self._found = {}
            self._view.set_found(np.empty(0, dtype=np.int64))
            self.show_count()
        else:
            self._background.run(partial(self._finder.find, index, query, self._session.report))

    def _take(self, found: object) -> None:
        if isinstance(found, dict):
            self._found = found
            self._mark()
        elif isinstance(found, Exception):
            raise found

    def _mark(self) -> None:
        nodes = self._found.get(self._session.scope, ())
        if nodes or self._text:
            self._view.set_found(np.array(nodes, dtype=np.int64))
        self.show_count()


class _Finder:
    """Keeps what is prepared of a model; used by one thread."""

    def __init__(self) -> None:
        self._index: ModelIndex | None = None
        self._search: ModelSearch | None = None

    def find(self, index: ModelIndex, query: Query, report: GraphReport | None) -> dict[ScopePath, tuple[int, ...]]:
        if self._search is None or self._index is not index:
            self._index, self._search = index, ModelSearch(index)

        marks = {} if report is None else marks_by_scope(report)
        return self._search.find(query, lambda path: marks.get(path, {}))
