"""The graph as rows: every edge leads from a row to the next one, long edges through bends that need no box.

Each component has rows of its own, one below the other, so that all components are treated at once and never meet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opstudio.layout.arrays import Flags, Floats, Integers, number_pairs, starts_of
from opstudio.layout.graph import NO_PORT, Graph


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """Items (the nodes, then the bends) in rows, and links between neighbouring rows.

    Edges of one value share their bends. ``edge`` are the edges that are drawn; one that leads from row ``r`` to row
    ``r + span`` passes the bends ``first_bend … first_bend + span − 2``.

    Shapes:
        row: (items,), the row of each item; width: (items,), zero for bends
        node_count: items below it are nodes
        bend_edge: (bends,), the edge that needs the bend, the longest of those that share it
        upper, lower: (links,), items; upper_port, lower_port: (links,), ports that the link ends at
        edge, edge_upper, edge_lower, edge_upper_port, edge_lower_port, first_bend, span: (drawn edges,)
    """

    node_count: int
    row_count: int
    row: Integers
    width: Floats
    bend_edge: Integers
    upper: Integers
    lower: Integers
    upper_port: Integers
    lower_port: Integers
    edge: Integers
    edge_upper: Integers
    edge_lower: Integers
    edge_upper_port: Integers
    edge_lower_port: Integers
    first_bend: Integers
    span: Integers

    @property
    def item_count(self) -> int:
        """How many nodes and bends there are."""
        return int(self.row.size)


def make_rows(graph: Graph, row: Integers, is_reversed: Flags, is_stub: Flags) -> Rows:
    """Return the rows of a graph whose nodes stand in ``row``. Edges that are reversed end at no port."""
    edge = np.flatnonzero(~is_stub)
    turned = is_reversed[edge]
    upper = np.where(turned, graph.target[edge], graph.source[edge])
    lower = np.where(turned, graph.source[edge], graph.target[edge])
    upper_port = np.where(turned, NO_PORT, graph.edges.source_port[edge])
    lower_port = np.where(turned, NO_PORT, graph.edges.target_port[edge])
    span = row[lower] - row[upper]
    bends = _Bends.of(edge, number_pairs(upper, upper_port), span, graph.node_count)
    is_direct = span == 1
    last_bend = bends.first_bend + span - 2
    # A value's line begins with a link to its first bend and goes on from bend to bend.
    line_upper, line_lower = bends.links(upper)
    line_ports = np.where(line_upper < graph.node_count, bends.port_of(upper_port, line_lower), NO_PORT)
    none = np.full(line_upper.size, NO_PORT, dtype=np.int64)
    return Rows(
        node_count=graph.node_count,
        row_count=int(row.max()) + 1 if row.size else 0,
        row=np.concatenate((row, row[upper[bends.longest_of_bend]] + bends.rank_of_bend + 1)),
        width=np.concatenate((graph.width, np.zeros(bends.rank_of_bend.size))),
        bend_edge=edge[bends.longest_of_bend],
        upper=np.concatenate((np.where(is_direct, upper, last_bend), line_upper)),
        lower=np.concatenate((lower, line_lower)),
        upper_port=np.concatenate((np.where(is_direct, upper_port, NO_PORT), line_ports)),
        lower_port=np.concatenate((lower_port, none)),
        edge=edge,
        edge_upper=upper,
        edge_lower=lower,
        edge_upper_port=upper_port,
        edge_lower_port=lower_port,
        first_bend=bends.first_bend,
        span=span,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Bends:
    """The bends of all values.

    Shapes: first_bend: (drawn edges,), its item; longest_of_bend: (bends,), the drawn edge whose line it lies on;
    rank_of_bend: (bends,), 0 for the first of its line.
    """

    first_item: int
    first_bend: Integers
    longest_of_bend: Integers
    rank_of_bend: Integers

    @classmethod
    def of(cls, edge: Integers, value: Integers, span: Integers, first_item: int) -> _Bends:
        by_value = np.lexsort((edge, -span, value))
        values = int(value.max()) + 1 if value.size else 0
        longest = by_value[starts_of(value, values)[:-1]] if values else np.empty(0, dtype=np.int64)
        counts = span[longest] - 1
        starts = np.zeros(values + 1, dtype=np.int64)
        np.cumsum(counts, out=starts[1:])
        longest_of_bend = np.repeat(longest, counts)
        rank = np.arange(longest_of_bend.size, dtype=np.int64) - np.repeat(starts[:-1], counts)
        return cls(
            first_item=first_item,
            first_bend=first_item + starts[value] if values else value,
            longest_of_bend=longest_of_bend,
            rank_of_bend=rank,
        )

    def links(self, upper: Integers) -> tuple[Integers, Integers]:
        """Return the links that lead to each bend: from the node at the line's start, or from the bend before."""
        item = self.first_item + np.arange(self.rank_of_bend.size, dtype=np.int64)
        return np.where(self.rank_of_bend == 0, upper[self.longest_of_bend], item - 1), item

    def port_of(self, upper_port: Integers, bend: Integers) -> Integers:
        """Return the port that the line of each bend begins at."""
        return upper_port[self.longest_of_bend[bend - self.first_item]]
