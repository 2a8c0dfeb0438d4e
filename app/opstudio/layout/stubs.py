"""Which edges are not drawn as lines: those of hubs, very long ones, and edges from a node to itself."""

from __future__ import annotations

import numpy as np

from opstudio.layout.arrays import Flags, Integers, number_pairs
from opstudio.layout.graph import Graph, Options

_SPARE_LINES = 1000
"""Small graphs may have more lines for each node: they can be drawn at once however dense they are."""


def choose_stubs(graph: Graph, span: Integers, options: Options) -> Flags:
    """Return which edges become stubs.

    Shapes: span: (edges,), the layers from one end to the other, 0 for an edge from a node to itself.
    """
    value = number_pairs(graph.source, graph.edges.source_port)
    readers = np.bincount(value)[value] if value.size else value
    inputs = np.bincount(graph.target, minlength=graph.node_count)[graph.target]
    is_hub: Flags = (readers > options.hub_degree) | (inputs > options.hub_degree)
    is_stub: Flags = (span == 0) | (span > options.longest_span) | (is_hub & (span > 1))
    budget = options.lines_per_node * graph.node_count + _SPARE_LINES
    longest = options.longest_span
    while longest > 1 and _lines(value, span, is_stub) > budget:
        longest //= 2
        is_stub |= span > longest
    return is_stub


def _lines(value: Integers, span: Integers, is_stub: Flags) -> int:
    longest = np.ones(value.size, dtype=np.int64)
    drawn = ~is_stub
    np.maximum.at(longest, value[drawn], span[drawn])
    return int((longest - 1).sum())
