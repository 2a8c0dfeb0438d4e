"""Graphs to lay out, and what a ruler finds in their drawings. Nothing here knows how a layout is made."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np

from opstudio.layout.graph import Edges, Graph, Layout

Edge = tuple[int, int]
Box = tuple[float, float, float, float]


def edges_of(ends: Iterable[tuple[int, int, int, int]]) -> Edges:
    """Return edges of: source, output of the source, target, input of the target."""
    columns = np.array(list(ends), dtype=np.int64).reshape(-1, 4)
    return Edges(source=columns[:, 0], source_port=columns[:, 1], target=columns[:, 2], target_port=columns[:, 3])


def graph_of(count: int, edges: Iterable[Edge], *, width: float = 80.0, height: float = 30.0) -> Graph:
    """Return a graph of equal boxes whose edges name no ports."""
    ends = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
    return Graph(
        width=np.full(count, width), height=np.full(count, height), edges=Edges(source=ends[:, 0], target=ends[:, 1])
    )


class ModelBuilder:
    """Builds graphs as those of models: each operator reads outputs, which are its inputs 0, 1, 2 …"""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.edges: list[tuple[int, int, int, int]] = []

    def add(self, name: str, *inputs: int) -> int:
        """Add an operator that reads output 0 of others, and return its number."""
        node = len(self.names)
        self.names.append(name)
        self.edges.extend((source, 0, node, port) for port, source in enumerate(inputs))
        return node

    def graph(self) -> Graph:
        """Return the graph; boxes are as wide as their names are long."""
        return Graph(
            width=np.array([20.0 + 8.0 * len(name) for name in self.names]),
            height=np.full(len(self.names), 30.0),
            edges=edges_of(self.edges),
        )


def boxes(graph: Graph, layout: Layout) -> list[Box]:
    """Return left, top, right and bottom of each box."""
    half_width, half_height = graph.width / 2, graph.height / 2
    sides = (layout.x - half_width, layout.y - half_height, layout.x + half_width, layout.y + half_height)
    return list(zip(*(side.tolist() for side in sides), strict=True))


def overlapping_boxes(graph: Graph, layout: Layout, *, within: float = 1e-6) -> list[Edge]:
    """Return pairs of boxes that share more than their borders."""
    found: list[Edge] = []
    for (one, a), (other, b) in itertools.combinations(enumerate(boxes(graph, layout)), 2):
        if min(a[2], b[2]) - max(a[0], b[0]) > within and min(a[3], b[3]) - max(a[1], b[1]) > within:
            found.append((one, other))
    return found


def lines_through_boxes(graph: Graph, layout: Layout) -> list[Edge]:
    """Return edges and the boxes that their lines enter, be it the box they start from or end at."""
    found: list[Edge] = []
    for edge in range(graph.edges.count):
        for start, end in itertools.pairwise(layout.route(edge).tolist()):
            found.extend((edge, node) for node, box in enumerate(boxes(graph, layout)) if _enters(start, end, box))
    return found


def _enters(start: Sequence[float], end: Sequence[float], box: Box, within: float = 1e-6) -> bool:
    """Whether a piece of a line passes the inside of a box (Liang and Barsky's clipping)."""
    left, top, right, bottom = box[0] + within, box[1] + within, box[2] - within, box[3] - within
    across, down = end[0] - start[0], end[1] - start[1]
    first, last = 0.0, 1.0
    for step, room in (
        (-across, start[0] - left),
        (across, right - start[0]),
        (-down, start[1] - top),
        (down, bottom - start[1]),
    ):
        if step == 0:
            if room <= 0:
                return False
        elif step < 0:
            first = max(first, room / step)
        else:
            last = min(last, room / step)
    return first < last


def crossings(edges: Sequence[Edge], layer: Sequence[int], place: Sequence[float]) -> int:
    """Return how many pairs of edges between the same two layers cross."""
    return sum(
        layer[a] == layer[c] and (place[a] - place[c]) * (place[b] - place[d]) < 0
        for (a, b), (c, d) in itertools.combinations(edges, 2)
    )


def fewest_crossings(edges: Sequence[Edge], layers: Sequence[Sequence[int]]) -> int:
    """Return the fewest crossings that any order of the layers has, by trying all."""
    layer = {node: index for index, nodes in enumerate(layers) for node in nodes}
    numbers = [layer[node] for node in range(len(layer))]
    fewest = -1
    for orders in itertools.product(*(itertools.permutations(nodes) for nodes in layers)):
        place = {node: index for nodes in orders for index, node in enumerate(nodes)}
        count = crossings(edges, numbers, [place[node] for node in range(len(place))])
        fewest = count if fewest < 0 else min(fewest, count)
    return fewest
