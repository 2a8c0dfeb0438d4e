"""A placed diagram as arrays that are quick to paint and to search: boxes, lines, stubs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opstudio.layout.arrays import Floats, Integers, starts_of
from opstudio.model.diagram.records import Box, PlacedDiagram
from opstudio.qt.graph.areas import Area, Areas

_CURVE_STEPS = 17
"""Points of a curve that a distance is measured to."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Segments:
    """The pieces of all lines, those of one edge next to each other.

    Shapes: edge, length: (segments,); start, end: (segments, 2); first: (edges + 1,), where those of an edge begin.
    """

    edge: Integers
    start: Floats
    end: Floats
    length: Floats
    """Across and down together, in pixels of zoom 1."""
    first: Integers


class Picture:
    """Answers where things are. Made once for each placed diagram."""

    def __init__(self, placed: PlacedDiagram) -> None:
        layout, graph = placed.layout, placed.graph
        self.placed = placed
        half_width, half_height = graph.width / 2, graph.height / 2
        self.boxes = Areas(layout.x - half_width, layout.y - half_height, layout.x + half_width, layout.y + half_height)
        self.segments = _segments(layout.route_points, layout.route_offsets)
        lower = np.minimum(self.segments.start, self.segments.end)
        upper = np.maximum(self.segments.start, self.segments.end)
        self._pieces = Areas(lower[:, 0], lower[:, 1], upper[:, 0], upper[:, 1])
        stubs = layout.stubs
        low, high = np.minimum(stubs.anchor, stubs.tip), np.maximum(stubs.anchor, stubs.tip)
        self._stubs = Areas(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
        frames = np.array([(frame.left, frame.top, frame.right, frame.bottom) for frame in placed.frames])
        self.frames = Areas(*frames.reshape(-1, 4).T)
        self._numbers, self._by_value, self._starts = _by_value(placed.diagram.values)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of all."""
        return self.placed.layout.size

    def box(self, number: int) -> Box:
        """Return a box."""
        return self.placed.diagram.boxes[number]

    def box_area(self, number: int) -> Area:
        """Return where a box stands."""
        boxes = self.boxes
        return Area(
            left=float(boxes.left[number]),
            top=float(boxes.top[number]),
            right=float(boxes.right[number]),
            bottom=float(boxes.bottom[number]),
        )

    def boxes_in(self, area: Area) -> Integers:
        """Return the boxes that meet an area."""
        return self.boxes.meeting(area)

    def box_at(self, x: float, y: float) -> int | None:
        """Return the box that a point lies in."""
        found = self.boxes.at(x, y)
        return int(found[-1]) if found.size else None

    def nearest_box(self, x: float, y: float) -> int:
        """Return the box whose middle is nearest to a point; there must be one."""
        boxes = self.boxes
        return int(np.hypot((boxes.left + boxes.right) / 2 - x, (boxes.top + boxes.bottom) / 2 - y).argmin())

    def segments_in(self, area: Area) -> Integers:
        """Return the pieces of lines whose surrounding rectangles meet an area."""
        return self._pieces.meeting(area)

    def stubs_in(self, area: Area) -> Integers:
        """Return the stubs that meet an area."""
        return self._stubs.meeting(area)

    def edge_at(self, x: float, y: float, reach: float) -> int | None:
        """Return the edge whose line or stub is nearest to a point, not further than ``reach``."""
        area = Area(left=x - reach, top=y - reach, right=x + reach, bottom=y + reach)
        pieces = self.segments_in(area)
        if pieces.size:
            distances = self._distances(pieces, x, y)
            nearest = int(distances.argmin())
            if distances[nearest] <= reach:
                return int(self.segments.edge[pieces[nearest]])
        stubs = self.stubs_in(area)
        return int(self.placed.layout.stubs.edge[stubs[0]]) if stubs.size else None

    def stub_at(self, x: float, y: float, reach: float) -> int | None:
        """Return the stub near a point."""
        found = self.stubs_in(Area(left=x - reach, top=y - reach, right=x + reach, bottom=y + reach))
        return int(found[0]) if found.size else None

    def edges_of_box(self, number: int) -> Integers:
        """Return the edges that end at a box."""
        edges = self.placed.graph.edges
        return np.flatnonzero((edges.source == number) | (edges.target == number))

    def edges_with(self, edge: int) -> Integers:
        """Return the edges that carry the same value as this one."""
        return self.edges_of_value(self.placed.diagram.values[edge])

    def edges_of_value(self, value: str) -> Integers:
        """Return the edges that carry a value."""
        number = self._numbers.get(value)
        if number is None:
            return np.empty(0, dtype=np.int64)
        return self._by_value[self._starts[number] : self._starts[number + 1]]

    def boxes_of_nodes(self, nodes: Integers) -> Integers:
        """Return the boxes that stand for nodes of the scope, ascending, each once."""
        of_node = self.placed.diagram.box_of_node
        found = of_node[nodes[(nodes >= 0) & (nodes < of_node.size)]]
        return np.unique(found[found >= 0])

    def box_of_value(self, value: str) -> int | None:
        """Return the box of a graph's input, output or outer value, or the box that makes a value."""
        own = (number for number, box in enumerate(self.placed.diagram.boxes) if box.value and box.value == value)
        found = next(own, None)
        edges = self.edges_of_value(value)
        return int(self.placed.graph.edges.source[edges[0]]) if found is None and edges.size else found

    def _distances(self, pieces: Integers, x: float, y: float) -> Floats:
        """Return how far pieces of lines are from a point; they are curves that leave and arrive vertically."""
        start, end = self.segments.start[pieces], self.segments.end[pieces]
        step = np.linspace(0.0, 1.0, _CURVE_STEPS)[None, :]
        across = step * step * (3.0 - 2.0 * step)
        # The cubic with control points above and below one another: its height is that of the same form.
        down = 1.5 * step * (1.0 - step) ** 2 + 1.5 * step * step * (1.0 - step) + step**3
        px = start[:, :1] + (end[:, :1] - start[:, :1]) * across
        py = start[:, 1:] + (end[:, 1:] - start[:, 1:]) * down
        dx, dy = np.diff(px, axis=1), np.diff(py, axis=1)
        length = np.maximum(dx * dx + dy * dy, 1e-12)
        along = np.clip(((x - px[:, :-1]) * dx + (y - py[:, :-1]) * dy) / length, 0.0, 1.0)
        away = np.hypot(px[:, :-1] + along * dx - x, py[:, :-1] + along * dy - y)
        nearest: Floats = away.min(axis=1)
        return nearest


def _segments(points: Floats, offsets: Integers) -> Segments:
    counts = np.maximum(np.diff(offsets) - 1, 0)
    is_start = np.ones(points.shape[0], dtype=np.bool_)
    ends = offsets[1:][np.diff(offsets) > 0] - 1
    is_start[ends] = False
    start = np.flatnonzero(is_start)
    edge = np.repeat(np.arange(counts.size, dtype=np.int64), counts)
    return Segments(
        edge=edge,
        start=points[start],
        end=points[start + 1],
        length=np.abs(points[start + 1] - points[start]).sum(axis=1),
        first=starts_of(edge, counts.size),
    )


def _by_value(values: tuple[str, ...]) -> tuple[dict[str, int], Integers, Integers]:
    """Return a number for each value, the edges sorted by these numbers, and where those of a number begin."""
    numbers: dict[str, int] = {}
    of_edge = np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64).reshape(-1)
    return numbers, np.argsort(of_edge, kind="stable"), starts_of(of_edge, len(numbers))
