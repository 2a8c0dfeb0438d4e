"""Where things are in a picture, held against the records of the layout and against Qt's own paths."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx  # noqa: TID253 - the second opinion
import pytest

from opstudio.qt.graph.areas import Area
from opstudio.qt.graph.line_paths import curved_path
from opstudio.qt.graph.picture import Picture
from tests.qt.graph.pictures import box_named, picture_of
from tests.support.large_models import write_large_model
from tests.unit.model.graph.samples import rich_model, written


@pytest.fixture(scope="module")
def branching(tmp_path_factory: pytest.TempPathFactory) -> Picture:
    return picture_of(write_large_model(tmp_path_factory.mktemp("models") / "cnn.onnx", "cnn", 250))


def test_that_a_box_is_found_at_its_middle_and_not_beside_it(branching: Picture) -> None:
    layout, graph = branching.placed.layout, branching.placed.graph
    for number in range(branching.boxes.count):
        x, y = float(layout.x[number]), float(layout.y[number])
        assert branching.box_at(x, y) == number
        assert branching.box_at(x + graph.width[number] / 2 + 2.0, y) != number


def test_that_what_is_seen_is_what_meets_the_view(branching: Picture) -> None:
    layout, graph = branching.placed.layout, branching.placed.graph
    width, height = branching.size
    for part in range(12):
        area = Area(left=width / 4, top=height * part / 12, right=width / 2, bottom=height * (part + 1) / 12)
        expected = [
            number
            for number in range(graph.node_count)
            if abs(layout.x[number] - (area.left + area.right) / 2) <= (graph.width[number] + area.width) / 2
            and abs(layout.y[number] - (area.top + area.bottom) / 2) <= (graph.height[number] + area.height) / 2
        ]
        assert branching.boxes_in(area).tolist() == expected


def test_that_no_line_is_overlooked_where_its_piece_is_seen(branching: Picture) -> None:
    segments = branching.segments
    area = Area(left=0.0, top=1000.0, right=branching.size[0], bottom=1400.0)
    found = set(branching.segments_in(area).tolist())
    for number, (start, end) in enumerate(zip(segments.start.tolist(), segments.end.tolist(), strict=True)):
        low, high = sorted((start[1], end[1]))
        assert (number in found) == (high >= area.top and low <= area.bottom)


def test_that_segments_are_those_of_the_routes(branching: Picture) -> None:
    layout, segments = branching.placed.layout, branching.segments
    for edge in range(branching.placed.graph.edges.count):
        route = layout.route(edge)
        own = slice(int(segments.first[edge]), int(segments.first[edge + 1]))
        assert np.array_equal(segments.start[own], route[:-1])
        assert np.array_equal(segments.end[own], route[1:])
        assert set(segments.edge[own].tolist()) <= {edge}


def test_that_a_line_is_found_along_all_of_its_curve(branching: Picture) -> None:
    """The points are Qt's, along the path that is painted."""
    segments, values = branching.segments, branching.placed.diagram.values
    is_bent = segments.start[:, 0] != segments.end[:, 0]
    for piece in np.flatnonzero(is_bent)[:40].tolist():
        path = curved_path(segments.start[piece : piece + 1], segments.end[piece : piece + 1])
        for share in (0.1, 0.35, 0.5, 0.8):
            point = path.pointAtPercent(share)
            found = branching.edge_at(point.x(), point.y(), 2.0)
            assert found is not None
            own = values[int(segments.edge[piece])]
            # Where lines cross, another value is as near.
            near = {values[int(segments.edge[other])] for other in branching.segments_in(around(point.x(), point.y()))}
            assert values[found] == own or own in near


def around(x: float, y: float) -> Area:
    return Area(left=x - 3, top=y - 3, right=x + 3, bottom=y + 3)


def test_that_nothing_is_found_away_from_lines(branching: Picture) -> None:
    assert branching.edge_at(-50.0, -50.0, 5.0) is None


def test_that_edges_of_values_and_boxes_are_those_that_onnx_lists(tmp_path: Path) -> None:
    path = written(tmp_path, rich_model())
    picture, model = picture_of(path), onnx.load(path)
    readers = [node for node in model.graph.node if "x" in node.input]
    box = picture.box_of_value("x")
    assert box is not None
    assert picture.box(box).title == "x"
    reached = picture.placed.graph.edges.target[picture.edges_of_value("x")]
    titles = {picture.box(number).title for number in reached.tolist()}
    assert {node.op_type for node in readers} <= titles
    everything = box_named(picture, "Everything")
    arriving = [
        edge for edge in picture.edges_of_box(everything) if picture.placed.graph.edges.target[edge] == everything
    ]
    values = {picture.placed.diagram.values[edge] for edge in arriving}
    (node,) = [node for node in model.graph.node if node.op_type == "Everything"]
    assert values == set(filter(None, node.input)) - {tensor.name for tensor in model.graph.initializer}
    assert picture.edges_of_value("no such value").size == 0


def test_that_nodes_lead_to_their_boxes(branching: Picture) -> None:
    diagram = branching.placed.diagram
    chosen = np.array([0, 5, 17, 10**6, -1], dtype=np.int64)
    boxes = branching.boxes_of_nodes(chosen)
    assert {node for box in boxes.tolist() for node in diagram.boxes[box].nodes} == {0, 5, 17}
