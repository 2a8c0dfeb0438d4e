"""The nodes of the open model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

from PySide6.QtCore import QCoreApplication

from opstudio.model.diagram.records import ScopePath
from opstudio.qt.graph.graph_session import GraphSession
from opstudio.qt.picker.pick import Pick

_MOST = 500
"""Nodes that are offered at once."""


class NodeSource:
    """Offers the nodes that hold every word that was typed, in the order of the file."""

    prefix = "#"

    def __init__(self, session: GraphSession, show_graph: Callable[[], None]) -> None:
        self._session, self._show_graph = session, show_graph

    def hint(self) -> str:
        """Return what the empty field says."""
        return QCoreApplication.translate("Picker", "Node of the open model")

    def picks(self, typed: str) -> Sequence[Pick]:
        """Return the nodes."""
        return list(islice(self._find(typed.casefold().split()), _MOST))

    def _find(self, words: Sequence[str]) -> Iterator[Pick]:
        if self._session.index is None:
            return
        for scope in self._session.index.scopes():
            for number, node in enumerate(scope.content.nodes):
                kind = f"{node.domain}:{node.type}" if node.domain else node.type
                searched = f"{node.name} {kind}".casefold()
                if all(word in searched for word in words):
                    go = partial(self._go, scope.path, number)
                    yield Pick(text=node.name or kind, detail=kind if node.name else "", icon="graph", run=go)

    def _go(self, scope: ScopePath, number: int) -> None:
        self._show_graph()
        self._session.enter(scope)
        self._session.select_node(number, reveal=True)
