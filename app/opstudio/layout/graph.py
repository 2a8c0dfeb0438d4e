"""What is laid out, how, and what comes out: plain records of arrays. Units are pixels; y grows downwards."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from opstudio.layout.arrays import Floats, Integers

NO_PORT = -1
"""The end of an edge that names no port. Such ends of a node share one place."""


def _no_ports() -> Integers:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edges:
    """Edges from outputs of nodes to inputs of nodes.

    An edge leaves from output ``source_port`` of its source and arrives at input ``target_port`` of its target.

    Shapes:
        source, target: (edges,), indices of nodes
        source_port, target_port: (edges,), ``NO_PORT`` where unknown; without a length all are
    Raises: ``ValueError`` for arrays that do not fit together.
    """

    source: Integers
    target: Integers
    source_port: Integers = field(default_factory=_no_ports)
    target_port: Integers = field(default_factory=_no_ports)

    def __post_init__(self) -> None:
        for name in ("source", "target", "source_port", "target_port"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=np.int64))
        for name in ("source_port", "target_port"):
            if getattr(self, name).size == 0 != self.count:
                object.__setattr__(self, name, np.full(self.count, NO_PORT, dtype=np.int64))
        shapes = {array.shape for array in (self.source, self.target, self.source_port, self.target_port)}
        if shapes != {(self.count,)}:
            raise ValueError(f"the ends of edges differ in number: {sorted(shapes)}")
        if self.count and min(int(self.source.min()), int(self.target.min())) < 0:
            raise ValueError("an edge ends at a node with a number below 0")

    @property
    def count(self) -> int:
        """How many edges there are."""
        return int(self.source.size)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Graph:
    """Boxes and the edges between them.

    Edges of one port carry one value and are drawn as one line that branches. Ports that no edge uses take no room.

    Shapes: width, height: (nodes,), finite and not negative.
    Raises: ``ValueError`` for sizes and edges that do not fit together.
    """

    width: Floats
    height: Floats
    edges: Edges

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            sizes = np.ascontiguousarray(getattr(self, name), dtype=np.float64)
            if sizes.ndim != 1 or not bool(np.isfinite(sizes).all()) or bool((sizes < 0).any()):
                raise ValueError(f"{name} must be a list of finite sizes that are not negative")
            object.__setattr__(self, name, sizes)
        if self.width.shape != self.height.shape:
            raise ValueError(f"there are {self.width.size} widths and {self.height.size} heights")
        if self.edges.count and max(int(self.source.max()), int(self.target.max())) >= self.node_count:
            raise ValueError(f"an edge ends at no node: nodes are 0 to {self.node_count - 1}")

    @property
    def node_count(self) -> int:
        """How many boxes there are."""
        return int(self.width.size)

    @property
    def source(self) -> Integers:
        """The nodes that edges leave from. Shape: (edges,)."""
        return self.edges.source

    @property
    def target(self) -> Integers:
        """The nodes that edges arrive at. Shape: (edges,)."""
        return self.edges.target


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Distances in pixels, and from when on an edge is not drawn as a line.

    ``hub_degree``: edges of a value with more readers, or of a node with more inputs, become stubs unless they lead
    to the next layer. ``longest_span``: edges over more layers become stubs. Where the lines of a graph would pass
    more than ``lines_per_node`` layers for each node, the longest become stubs as well, so that a graph with very
    many long edges stays a picture that can be drawn. ``widest_row``: of more boxes that have edges with one other box
    only, as inputs and outputs have, the others stand in further rows.
    """

    node_gap: float = 30.0
    line_gap: float = 14.0
    layer_gap: float = 36.0
    component_gap: float = 60.0
    port_gap: float = 16.0
    stub_length: float = 10.0
    hub_degree: int = 32
    longest_span: int = 100
    lines_per_node: int = 6
    widest_row: int = 16

    def __post_init__(self) -> None:
        gaps = (self.node_gap, self.line_gap, self.layer_gap, self.component_gap, self.port_gap, self.stub_length)
        if not all(np.isfinite(gap) and gap > 0 for gap in gaps):
            raise ValueError("gaps must be finite and greater than zero")
        if min(self.hub_degree, self.longest_span, self.lines_per_node, self.widest_row) < 1:
            raise ValueError("hub_degree, longest_span, lines_per_node and widest_row must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stubs:
    """Short ends of edges that are not drawn as lines; both ends of an edge stand beside each other.

    Stub ``2 k`` is the source's end of edge ``edge[2 k]``, stub ``2 k + 1`` its target's end.

    Shapes:
        edge: (stubs,)
        anchor: (stubs, 2), x and y on the border of the box
        tip: (stubs, 2), the free end, where the label belongs
    """

    edge: Integers
    anchor: Floats
    tip: Floats

    @staticmethod
    def other(stub: int) -> int:
        """Return the stub at the other end of the same edge."""
        return stub ^ 1

    @staticmethod
    def at_source(stub: int) -> bool:
        """Whether this is the end where the edge leaves."""
        return stub % 2 == 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """Where everything stands. The upper left corner of all is (0, 0).

    Shapes:
        x, y: (nodes,), centres of boxes
        layer: (nodes,), 0 is the uppermost of a component
        component: (nodes,), which part of the graph without connection to the others; 0 is the largest
        is_reversed: (edges,), edges of a cycle that lead upwards
        route_points: (points, 2), x and y; from the source to the target
        route_offsets: (edges + 1,); edge ``e`` runs through ``route_points[route_offsets[e]:route_offsets[e + 1]]``,
            nothing where it is a stub
        size: width and height of all
    """

    x: Floats
    y: Floats
    layer: Integers
    component: Integers
    is_reversed: np.ndarray[tuple[int], np.dtype[np.bool_]]
    route_points: Floats
    route_offsets: Integers
    stubs: Stubs
    size: tuple[float, float]

    def route(self, edge: int) -> Floats:
        """Return the points of one edge's line. Shape: (points, 2), empty where the edge is a stub."""
        return self.route_points[self.route_offsets[edge] : self.route_offsets[edge + 1]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Previous:
    """An earlier layout, whose order is kept: nodes that stand in one layer again stand in the order they had.

    Shapes: node: (nodes,), for each node of the new graph its index in the earlier one, −1 where it is new.
    """

    graph: Graph
    layout: Layout
    node: Integers

    def __post_init__(self) -> None:
        object.__setattr__(self, "node", np.ascontiguousarray(self.node, dtype=np.int64))
        if self.node.size and not -1 <= int(self.node.min()) <= int(self.node.max()) < self.graph.node_count:
            raise ValueError("a node of the earlier layout does not exist")
