from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper  # noqa: TID253 - models are what this is about

from opstudio.qt.graph.picture import Picture
from opstudio.qt.graph.walking import Direction, next_of, reading_order, step
from tests.qt.graph.pictures import box_named, picture_of
from tests.unit.model.graph.samples import written


@pytest.fixture
def diamond(tmp_path: Path) -> Picture:
    """``x`` → ``top`` → ``one`` and ``two`` → ``sum`` → ``y``."""
    nodes = [
        helper.make_node("Relu", ["x"], ["t"], name="top"),
        helper.make_node("Exp", ["t"], ["a"], name="one"),
        helper.make_node("Neg", ["t"], ["b"], name="two"),
        helper.make_node("Add", ["a", "b"], ["y"], name="sum"),
    ]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "y")]
    graph = helper.make_graph(nodes, "diamond", ends[:1], ends[1:])
    opsets = [helper.make_opsetid("", 17)]
    return picture_of(written(tmp_path, helper.make_model(graph, opset_imports=opsets, ir_version=9)))


def test_that_up_and_down_follow_the_values(diamond: Picture) -> None:
    top, one, total = (box_named(diamond, name) for name in ("top", "one", "sum"))
    assert step(diamond, box_named(diamond, "x"), Direction.DOWN) == top
    assert step(diamond, top, Direction.DOWN) in (one, box_named(diamond, "two"))
    assert step(diamond, one, Direction.DOWN) == total
    assert step(diamond, one, Direction.UP) == top
    assert step(diamond, box_named(diamond, "x"), Direction.UP) is None


def test_that_the_way_back_leads_where_one_came_from(diamond: Picture) -> None:
    top = box_named(diamond, "top")
    for name in ("one", "two"):
        box = box_named(diamond, name)
        assert step(diamond, top, Direction.DOWN, came_from=box) == box


def test_that_left_and_right_lead_to_siblings(diamond: Picture) -> None:
    left, right = sorted(
        (box_named(diamond, "one"), box_named(diamond, "two")), key=lambda box: diamond.placed.layout.x[box]
    )
    assert step(diamond, left, Direction.RIGHT) == right
    assert step(diamond, right, Direction.LEFT) == left
    assert step(diamond, left, Direction.LEFT) is None


def test_that_the_next_ones_are_reached_in_reading_order_and_around(diamond: Picture) -> None:
    order = reading_order(diamond)
    heights = [diamond.placed.layout.y[box] for box in order.tolist()]
    assert heights == sorted(heights)
    chosen = np.zeros(diamond.boxes.count, dtype=np.bool_)
    first, last = box_named(diamond, "top"), box_named(diamond, "sum")
    chosen[[first, last]] = True
    assert next_of(chosen, order, None, 1) == first
    assert next_of(chosen, order, None, -1) == last
    assert next_of(chosen, order, first, 1) == last
    assert next_of(chosen, order, last, 1) == first
    assert next_of(chosen, order, first, -1) == last
    # From a box that is not among them.
    assert next_of(chosen, order, box_named(diamond, "one"), 1) == last
    assert next_of(chosen, order, box_named(diamond, "one"), -1) == first
    assert next_of(np.zeros_like(chosen), order, first, 1) is None
