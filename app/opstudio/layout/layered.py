"""Lays a graph out in layers, from top to bottom.

Source: the steps are those of K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical
system structures", IEEE Transactions on Systems, Man, and Cybernetics 11 (1981): cut cycles, assign layers, insert
bends, order layers, assign coordinates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from opstudio.base.checkpoint import go_on
from opstudio.layout.acyclic import topological_order
from opstudio.layout.alignment import align
from opstudio.layout.arrays import Flags, Floats, Integers
from opstudio.layout.earlier import earlier_x
from opstudio.layout.fans import Fans, gather
from opstudio.layout.graph import Graph, Layout, Options, Previous, Stubs
from opstudio.layout.layering import Layers, assign_layers, find_components
from opstudio.layout.ordering import order_strands
from opstudio.layout.packing import pack
from opstudio.layout.placement import place_items
from opstudio.layout.ports import place_ports, rank_ports
from opstudio.layout.reduction import find_strands
from opstudio.layout.routes import Lines, make_routes
from opstudio.layout.rows import Rows, make_rows
from opstudio.layout.starting_order import hold
from opstudio.layout.stubs import choose_stubs

_STEEP = 12.0
"""A line that goes further sideways than this many gaps between layers gets a larger gap, up to ``_LARGEST_GAP``."""
_LARGEST_GAP = 3.0


def lay_out(
    graph: Graph,
    options: Options | None = None,
    previous: Previous | None = None,
    *,
    checkpoint: Callable[[], None] = go_on,
) -> Layout:
    """Return where the boxes of a graph stand and where its lines run.

    The same graph always gets the same layout. With an earlier layout, nodes that were there and stand in one layer
    keep their order; boxes of a fan have that of the graph. Cycles, edges from a node to itself, equal edges and parts
    without connection are allowed. Takes time in proportion to the nodes and bends of a model: 50,000 nodes
    about a second.

    Args:
        graph: boxes and edges
        options: distances, and from when on an edge is a stub
        previous: an earlier layout of about the same graph
        checkpoint: called between the steps; what it raises ends the work
    Raises: ``ValueError`` where the earlier layout is not told for each node.
    """
    options = Options() if options is None else options
    if previous is not None and previous.node.size != graph.node_count:
        raise ValueError(f"the earlier layout is told for {previous.node.size} of {graph.node_count} nodes")
    checkpoint()
    fans = gather(graph, options)
    drawn, earlier = fans.graph, fans.earlier(previous)
    levels = _Levels.of(drawn)
    is_stub = choose_stubs(drawn, levels.span, options) | fans.is_beyond[graph.source] | fans.is_beyond[graph.target]
    rows = make_rows(drawn, levels.row, levels.is_reversed, is_stub)
    strands = find_strands(rows)
    held = None if earlier is None else hold(rows, strands, earlier_x(drawn, rows, earlier))
    checkpoint()
    place = order_strands(strands, held, checkpoint)[strands.strand]
    checkpoint()
    x = place_items(rows, place, align(rows, place, *levels.paths(drawn, rows)), options)
    checkpoint()
    ports = np.stack((fans.fixed_ports(graph.source), fans.fixed_ports(graph.target)))
    return fans.spread(_Drawing(fans, options, levels, rows, np.flatnonzero(is_stub), ports).draw(x), graph)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Levels:
    """Layers, components and rows: each component has rows of its own, below those of the one before.

    Shapes: layers: of (nodes,); component, row: (nodes,); row_component: (rows,); is_reversed, span: (edges,).
    """

    layers: Layers
    component: Integers
    row: Integers
    row_component: Integers
    is_reversed: Flags
    span: Integers

    @classmethod
    def of(cls, graph: Graph) -> _Levels:
        proper = np.flatnonzero(graph.source != graph.target)
        source, target = graph.source[proper], graph.target[proper]
        order, is_backward = topological_order(graph.node_count, source, target)
        is_reversed = np.zeros(graph.edges.count, dtype=np.bool_)
        is_reversed[proper] = is_backward
        upper, lower = np.where(is_backward, target, source), np.where(is_backward, source, target)
        layers = assign_layers(order, upper, lower)
        layer = layers.layer
        component = find_components(graph.node_count, source, target)
        depth = np.zeros(int(component.max()) + 1 if component.size else 0, dtype=np.int64)
        np.maximum.at(depth, component, layer + 1)
        row = layer + (np.cumsum(depth) - depth)[component] if component.size else layer
        return cls(
            layers=layers,
            component=component,
            row=row,
            row_component=np.repeat(np.arange(depth.size, dtype=np.int64), depth),
            is_reversed=is_reversed,
            span=np.abs(row[graph.target] - row[graph.source]),
        )

    def paths(self, graph: Graph, rows: Rows) -> tuple[Integers, Integers]:
        """Return the longest path above and below each item; bends have that of their line's ends. Shape: (items,)."""
        turned = self.is_reversed[rows.bend_edge]
        upper = np.where(turned, graph.target[rows.bend_edge], graph.source[rows.bend_edge])
        lower = np.where(turned, graph.source[rows.bend_edge], graph.target[rows.bend_edge])
        above, below = self.layers.above, self.layers.below
        return np.concatenate((above, above[upper])), np.concatenate((below, below[lower]))


class _Drawing:
    """From places on rows to places on the plane. Shapes: ports: (2, edges), at sources and targets of fans."""

    def __init__(
        self, fans: Fans, options: Options, levels: _Levels, rows: Rows, stub_edge: Integers, ports: Floats
    ) -> None:
        self._graph, self._is_fan = fans.graph, fans.is_fan
        self._ports = ports
        self._options = options
        self._levels = levels
        self._rows = rows
        self._stub_edge = stub_edge
        self._stub_length = min(options.stub_length, options.layer_gap / 3)

    def draw(self, x: Floats) -> Layout:
        """Return the layout of items at ``x``, the middles within each component."""
        graph, rows, levels = self._graph, self._rows, self._levels
        row_height = np.zeros(rows.row_count)
        np.maximum.at(row_height, levels.row, graph.height)
        row_top, corner, size = self._arrange(x, row_height)
        x = x + corner[levels.row_component[rows.row], 0] if x.size else x
        middle = (row_top + row_height / 2)[levels.row]
        top, bottom = middle - graph.height / 2, middle + graph.height / 2
        above, below = self._port_offsets(x, at_bottom=False), self._port_offsets(x, at_bottom=True)
        drawn = rows.edge.size
        lines = Lines(
            x=x,
            row_top=row_top,
            row_bottom=row_top + row_height,
            top=top,
            bottom=bottom,
            start_x=x[rows.edge_upper] + below[:drawn],
            end_x=x[rows.edge_lower] + above[:drawn],
        )
        points, offsets = make_routes(rows, lines, levels.is_reversed)
        source, target = graph.source[self._stub_edge], graph.target[self._stub_edge]
        return Layout(
            x=x[: graph.node_count],
            y=middle,
            layer=levels.layers.layer,
            component=levels.component,
            is_reversed=levels.is_reversed,
            route_points=points,
            route_offsets=offsets,
            stubs=self._stubs(x[source] + below[drawn:], bottom[source], x[target] + above[drawn:], top[target]),
            size=size,
        )

    def _arrange(self, x: Floats, row_height: Floats) -> tuple[Floats, Floats, tuple[float, float]]:
        """Return the top of each row, what each component is moved by, and the size of all."""
        rows, component = self._rows, self._levels.row_component
        count = int(component[-1]) + 1 if component.size else 0
        pitch = row_height + self._row_gaps(x)
        top = np.cumsum(pitch) - pitch
        first_row = np.searchsorted(component, np.arange(count))
        last_row = np.searchsorted(component, np.arange(count), side="right") - 1
        margin = self._stub_length if self._stub_edge.size else 0.0
        top = top - top[first_row][component] + margin
        height = (top + row_height)[last_row] + margin
        left, right = np.full(count, np.inf), np.full(count, -np.inf)
        of_item = component[rows.row] if count else rows.row
        np.minimum.at(left, of_item, x - rows.width / 2)
        np.maximum.at(right, of_item, x + rows.width / 2)
        # What is only a block of boxes that nothing is known of stands behind the others.
        is_block = np.ones(count, dtype=np.bool_)
        is_block[self._levels.component[~self._is_fan | (self._degrees() > 0)]] = False
        by_height = np.lexsort((np.arange(count), -height, is_block))
        corner = np.zeros((count, 2))
        corner[by_height] = pack((right - left)[by_height], height[by_height], self._options.component_gap)
        far = np.stack((right - left, height), axis=1) + corner
        size = (float(far[:, 0].max()), float(far[:, 1].max())) if count else (0.0, 0.0)
        top = top + corner[component, 1] if count else top
        corner[:, 0] -= left
        return top, corner, size

    def _row_gaps(self, x: Floats) -> Floats:
        """Return the gap below each row; it is larger where lines go far sideways."""
        rows, gap = self._rows, self._options.layer_gap
        furthest = np.zeros(rows.row_count)
        np.maximum.at(furthest, rows.row[rows.upper], np.abs(x[rows.upper] - x[rows.lower]))
        gaps: Floats = gap * np.clip(furthest / (gap * _STEEP), 1.0, _LARGEST_GAP)
        return gaps

    def _port_offsets(self, x: Floats, *, at_bottom: bool) -> Floats:
        """Return where right of their nodes' middles edges end: drawn ones, then stubs. Shape: (drawn + stubs,)."""
        graph, rows, stubs = self._graph, self._rows, self._stub_edge
        last_bend = np.where(rows.span > 1, rows.first_bend, 0)
        if at_bottom:
            node = np.concatenate((rows.edge_upper, graph.source[stubs]))
            port = np.concatenate((rows.edge_upper_port, graph.edges.source_port[stubs]))
            beyond = np.where(rows.span > 1, last_bend, rows.edge_lower)
        else:
            node = np.concatenate((rows.edge_lower, graph.target[stubs]))
            port = np.concatenate((rows.edge_lower_port, graph.edges.target_port[stubs]))
            beyond = np.where(rows.span > 1, last_bend + rows.span - 2, rows.edge_upper)
        rank, counts = rank_ports(node, port, graph.node_count)
        centre = (counts - 1) / 2
        edge = np.concatenate((rows.edge, stubs))
        # A line is turned where it closes a cycle; those of fans never do.
        fixed = self._ports[0 if at_bottom else 1, edge]
        is_free = np.isnan(self._ports[:, rows.edge]).all(axis=0)
        straight = np.flatnonzero((x[beyond] == x[node[: rows.edge.size]]) & is_free)
        # Of several straight lines the leftmost one counts: the last that is written.
        straight = straight[np.argsort(-rank[straight], kind="stable")]
        centre[node[straight]] = rank[straight]
        placed = place_ports(node, rank, counts, centre, graph.width, port_gap=self._options.port_gap)
        return np.where(np.isnan(fixed), placed, fixed)

    def _degrees(self) -> Integers:
        return np.bincount(np.concatenate((self._graph.source, self._graph.target)), minlength=self._graph.node_count)

    def _stubs(self, source_x: Floats, source_y: Floats, target_x: Floats, target_y: Floats) -> Stubs:
        count = self._stub_edge.size
        anchor, tip = np.empty((2 * count, 2)), np.empty((2 * count, 2))
        anchor[0::2, 0], anchor[0::2, 1] = source_x, source_y
        anchor[1::2, 0], anchor[1::2, 1] = target_x, target_y
        tip[:] = anchor
        tip[0::2, 1] += self._stub_length
        tip[1::2, 1] -= self._stub_length
        return Stubs(edge=np.repeat(self._stub_edge, 2), anchor=anchor, tip=tip)
