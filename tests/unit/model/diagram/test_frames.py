"""Frames around the boxes of open groups."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from onnx import helper  # noqa: TID253 - models are what this is about

from opstudio.layout.graph import Edges, Graph, Layout, Stubs
from opstudio.model.diagram.frames import find_frames
from opstudio.model.diagram.records import Box, BoxKind, PlacedDiagram
from opstudio.model.diagram.svg import render_svg
from tests.unit.model.diagram.graphs import a_chain, a_model, a_value, placed

NAMES = ["/stem/Conv", "/stem/Relu", "/body/first/Conv", "/body/first/Relu", "/body/second/Conv", "/body/second/Relu"]


def titles(picture: PlacedDiagram) -> list[str]:
    return [frame.title for frame in picture.frames]


def test_that_each_open_group_has_a_frame_around_its_boxes_and_no_others(tmp_path: Path) -> None:
    picture = placed(tmp_path, a_chain(NAMES))

    assert titles(picture) == ["stem", "body", "first", "second"]
    layout, graph = picture.layout, picture.graph
    for frame in picture.frames:
        within = {
            box.name
            for number, box in enumerate(picture.diagram.boxes)
            if frame.left < layout.x[number] - graph.width[number] / 2
            and layout.x[number] + graph.width[number] / 2 < frame.right
            and frame.top < layout.y[number] - graph.height[number] / 2
            and layout.y[number] + graph.height[number] / 2 < frame.bottom
        }
        assert len(within) > 0
        assert within == {box.name for box in picture.diagram.boxes if (box.around + "/").startswith(frame.group + "/")}
    by_title = {frame.title: frame for frame in picture.frames}
    assert by_title["body"].left < by_title["first"].left
    assert by_title["body"].top < by_title["first"].top


def test_that_a_closed_group_has_no_frame(tmp_path: Path) -> None:
    picture = placed(tmp_path, a_chain(NAMES), ["body/first"])

    assert titles(picture) == ["stem", "body", "second"]


def test_that_a_group_that_is_everything_has_no_frame(tmp_path: Path) -> None:
    picture = placed(tmp_path, a_chain([f"/model{name}" for name in NAMES]))

    assert titles(picture) == ["stem", "body", "first", "second"]


def test_that_groups_around_the_same_boxes_have_one_frame_with_both_names(tmp_path: Path) -> None:
    picture = placed(tmp_path, a_chain(["/stem/Relu", "/outer/inner/a", "/outer/inner/b", "/last/Relu"]))

    assert titles(picture) == ["outer / inner"]


def test_that_a_group_with_another_node_among_its_boxes_has_no_frame() -> None:
    boxes = [Box(kind=BoxKind.NODE, title="a", nodes=(number,), around=around) for number, around in enumerate("gxgh")]
    graph = Graph(width=np.full(4, 40.0), height=np.full(4, 20.0), edges=Edges(source=np.empty(0), target=np.empty(0)))
    nothing = np.empty((0, 2))
    layout = Layout(
        x=np.full(4, 20.0),
        y=np.array([10.0, 60.0, 110.0, 400.0]),
        layer=np.arange(4),
        component=np.zeros(4, dtype=np.int64),
        is_reversed=np.empty(0, dtype=np.bool_),
        route_points=nothing,
        route_offsets=np.zeros(1, dtype=np.int64),
        stubs=Stubs(edge=np.empty(0, dtype=np.int64), anchor=nothing, tip=nothing),
        size=(40.0, 410.0),
    )

    assert find_frames(boxes, graph, layout) == ()
    apart = np.array([10.0, 300.0, 60.0, 400.0])
    layout.y[:] = apart
    (frame,) = find_frames(boxes, graph, layout)
    assert (frame.group, frame.left, frame.right, frame.bottom) == ("g", -6.0, 46.0, 76.0)


def test_that_a_drawing_has_the_frames_with_their_titles(tmp_path: Path) -> None:
    drawing = render_svg(placed(tmp_path, a_chain(["/a<b/x", "/a<b/y", "/last/z"])), {})

    assert drawing.count('class="frame"') == 1
    assert "a&lt;b" in drawing


def test_that_line_breaks_in_names_do_not_break_boxes(tmp_path: Path) -> None:
    node = helper.make_node("Re\nlu", ["a\tb"], ["y\u2028z"], name="one\ntwo")

    boxes = placed(tmp_path, a_model([node], [a_value("a\tb", 1)], [a_value("y\u2028z", 1)])).diagram.boxes

    assert [box.title for box in boxes] == ["a b", "Re lu", "y z"]
    assert boxes[1].name == "one two"
    assert boxes[0].value == "a\tb"
