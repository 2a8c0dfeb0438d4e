"""Many boxes that hang on one other box, as inputs of a model do, stand in rows above one another instead of in one.

While the graph is laid out they are one large box. The row that is next to the other box keeps its lines; what stands
in further rows has stubs. Boxes without any edge stand together as well.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from opstudio.layout.arrays import Flags, Floats, Integers
from opstudio.layout.graph import Edges, Graph, Layout, Options, Previous, Stubs

_FEWEST_ALONE = 4
"""From so many boxes without edges on they stand together."""
_SHAPE = 2.5
"""How much wider than high the rows together become, where they are many."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fans:
    """The graph that is laid out instead, and how to come back.

    Shapes: inner: (nodes,), the node of ``graph`` that each stands in; offset: (nodes, 2), from the middle of that, 0
    for what is not in a fan; is_beyond: (nodes,), what stands in further rows; is_fan: (nodes of ``graph``,).
    """

    graph: Graph
    inner: Integers
    offset: Floats
    is_beyond: Flags
    is_fan: Flags

    def earlier(self, previous: Previous | None) -> Previous | None:
        """Return the earlier layout as one of the graph that is laid out: a fan stands where its first box stood."""
        if previous is None:
            return None
        node = np.full(self.graph.node_count, -1, dtype=np.int64)
        # Of several the last that is written stays: the first box.
        node[self.inner[::-1]] = previous.node[::-1]
        return replace(previous, node=node)

    def fixed_ports(self, node: Integers) -> Floats:
        """Return how far right of the middle of their fans the lines of boxes end, NaN for others. Shape: as given."""
        return np.where(self.is_fan[self.inner[node]], self.offset[node, 0], np.nan)

    def spread(self, layout: Layout, graph: Graph) -> Layout:
        """Return the layout of the graph that the fans were made of."""
        if not self.is_fan.any():
            return layout
        x, y = layout.x[self.inner] + self.offset[:, 0], layout.y[self.inner] + self.offset[:, 1]
        stubs = layout.stubs
        anchor, tip = stubs.anchor.copy(), stubs.tip.copy()
        for first, ends, side in ((0, graph.source, 0.5), (1, graph.target, -0.5)):
            node = ends[stubs.edge[first::2]]
            moved = np.flatnonzero(self.is_fan[self.inner[node]])
            node, at = node[moved], 2 * moved + first
            border = y[node] + side * graph.height[node]
            tip[at, 1] += border - anchor[at, 1]
            anchor[at, 1] = border
            tip[at, 0] = anchor[at, 0] = x[node]
        return replace(
            layout,
            x=x,
            y=y,
            layer=layout.layer[self.inner],
            component=layout.component[self.inner],
            stubs=Stubs(edge=stubs.edge, anchor=anchor, tip=tip),
        )


def gather(graph: Graph, options: Options) -> Fans:
    """Return the graph with fans as single boxes. Takes time in proportion to nodes and edges."""
    offset, is_beyond = np.zeros((graph.node_count, 2)), np.zeros(graph.node_count, dtype=np.bool_)
    leader = np.arange(graph.node_count, dtype=np.int64)
    width, height = graph.width.copy(), graph.height.copy()
    is_fan = np.zeros(graph.node_count, dtype=np.bool_)
    for members, lines in _find(graph, options):
        place = _Rows(graph, members, options, lines)
        offset[members], is_beyond[members] = place.offset, place.is_beyond
        first = members[0]
        leader[members], is_fan[first] = first, True
        width[first], height[first] = place.size
    kept, inner = np.unique(leader, return_inverse=True)
    edges = graph.edges
    if kept.size < graph.node_count:
        edges = Edges(
            source=inner[edges.source],
            target=inner[edges.target],
            source_port=edges.source_port,
            target_port=edges.target_port,
        )
    return Fans(
        graph=Graph(width=width[kept], height=height[kept], edges=edges),
        inner=inner.astype(np.int64, copy=False),
        offset=offset,
        is_beyond=is_beyond,
        is_fan=is_fan[kept],
    )


def _find(graph: Graph, options: Options) -> Iterator[tuple[Integers, int]]:
    """Yield the boxes of each fan, and where their lines are: below them (1), above (−1), or nowhere (0)."""
    read, given = (np.bincount(ends, minlength=graph.node_count) for ends in (graph.source, graph.target))
    alone = np.flatnonzero((read == 0) & (given == 0))
    if alone.size >= _FEWEST_ALONE:
        yield alone, 0
    for own, other, no_others, lines in (
        (graph.source, graph.target, given == 0, 1),
        (graph.target, graph.source, read == 0, -1),
    ):
        least = np.full(graph.node_count, graph.node_count, dtype=np.int64)
        most = np.full(graph.node_count, -1, dtype=np.int64)
        np.minimum.at(least, own, other)
        np.maximum.at(most, own, other)
        leaves = np.flatnonzero(no_others & (least == most))
        by_hub = leaves[np.argsort(least[leaves], kind="stable")]
        starts = np.unique(least[by_hub], return_index=True)[1].tolist()
        for first, end in itertools.pairwise([*starts, by_hub.size]):
            if end - first > options.widest_row:
                yield by_hub[first:end], lines


class _Rows:
    """Boxes in rows, in their order: full rows are next to the lines, what is left over is furthest away.

    Shapes: offset: (boxes, 2); is_beyond: (boxes,).
    """

    def __init__(self, graph: Graph, members: Integers, options: Options, lines: int) -> None:
        count = members.size
        pitch_x = float(graph.width[members].max()) + options.node_gap
        deepest = float(graph.height[members].max())
        pitch_y = deepest + (options.layer_gap if lines else options.node_gap)
        columns = max(options.widest_row, math.ceil(math.sqrt(_SHAPE * count * pitch_y / pitch_x)))
        rows = math.ceil(count / columns)
        columns = math.ceil(count / rows)
        rows = math.ceil(count / columns)
        # Counted away from the lines.
        number = np.arange(count, dtype=np.int64)
        number = number[::-1] if lines > 0 else number
        row, column = number // columns, number % columns
        wide = np.minimum(count - row * columns, columns)
        column = wide - 1 - column if lines > 0 else column
        self.is_beyond: Flags = row > 0
        across = (column - (wide - 1) / 2) * pitch_x
        # Boxes that are lower than others of their row stand near the lines.
        nearest = (deepest - graph.height[members]) / 2
        down = row * pitch_y - (rows - 1) / 2 * pitch_y - nearest
        self.offset: Floats = np.stack((across, -down if lines > 0 else down), axis=1)
        self.size = (columns * pitch_x - options.node_gap, (rows - 1) * pitch_y + deepest)
