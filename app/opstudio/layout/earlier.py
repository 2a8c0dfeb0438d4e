"""Where the nodes and bends of a graph stood in an earlier layout."""

from __future__ import annotations

import numpy as np

from opstudio.layout.arrays import Floats
from opstudio.layout.graph import Graph, Layout, Previous
from opstudio.layout.rows import Rows


def earlier_x(graph: Graph, rows: Rows, previous: Previous) -> Floats:
    """Return the earlier x of each item, NaN for what is new. Shape: (items,).

    A bend stood where the line of its edge ran straight for longest.
    """
    x = np.full(rows.item_count, np.nan)
    was_there = previous.node >= 0
    x[: graph.node_count][was_there] = previous.layout.x[previous.node[was_there]]
    names = (
        previous.graph.source,
        previous.graph.edges.source_port,
        previous.graph.target,
        previous.graph.edges.target_port,
    )
    edge_of = {name: edge for edge, name in enumerate(zip(*(part.tolist() for part in names), strict=True))}
    bent, bend_of = np.unique(rows.bend_edge, return_inverse=True)
    wanted = zip(
        previous.node[graph.source[bent]].tolist(),
        graph.edges.source_port[bent].tolist(),
        previous.node[graph.target[bent]].tolist(),
        graph.edges.target_port[bent].tolist(),
        strict=True,
    )
    lanes = np.append(_lanes(previous.layout), np.nan)
    x[graph.node_count :] = lanes[[edge_of.get(name, -1) for name in wanted]][bend_of] if bent.size else np.nan
    return x


def _lanes(layout: Layout) -> Floats:
    """Return for each edge the x of the longest vertical piece of its line, NaN where it has no line."""
    lanes = np.full(layout.route_offsets.size - 1, np.nan)
    if layout.route_points.shape[0] == 0:
        return lanes
    counts = np.diff(layout.route_offsets)
    edge = np.repeat(np.arange(counts.size), counts)
    step = np.abs(np.diff(layout.route_points, axis=0))
    length = np.where((step[:, 0] == 0) & (edge[1:] == edge[:-1]), step[:, 1], 0.0)
    by_length = np.lexsort((length, edge[:-1]))
    # Of several entries the last one stays, which is the longest.
    lanes[edge[:-1][by_length]] = layout.route_points[:-1, 0][by_length]
    return lanes
