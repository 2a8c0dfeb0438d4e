"""Paths to the graphs inside of nodes, one for each: names of nodes are optional, and may be given twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from opstudio.model.graph.records import GraphRecord, NodeRecord


class NestedPaths:
    """The paths below one graph or function. Its nodes are given in their order, each once."""

    def __init__(self, path: tuple[str, ...]) -> None:
        self._path = path
        self._given: Counter[tuple[str, str]] = Counter()

    def of(self, node: NodeRecord) -> Iterator[tuple[tuple[str, ...], GraphRecord]]:
        """Yield the graphs inside of the next node, by its type, its name and the attribute.

        From the second one on, those that would be called the same have a number.
        """
        for attribute, graph in node.subgraphs:
            title = f"{node.type} {node.name}".rstrip()
            self._given[title, attribute] += 1
            number = self._given[title, attribute]
            yield (*self._path, title if number == 1 else f"{title} #{number}", attribute), graph
