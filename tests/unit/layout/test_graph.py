"""What is refused before anything is laid out."""

from __future__ import annotations

import numpy as np
import pytest

from opstudio.layout.graph import NO_PORT, Edges, Graph, Options


def test_that_edges_without_ports_name_none() -> None:
    edges = Edges(source=np.array([0, 1]), target=np.array([1, 2]))

    assert edges.source_port.tolist() == edges.target_port.tolist() == [NO_PORT, NO_PORT]


@pytest.mark.parametrize(
    ("source", "target", "port", "message"),
    [
        ([0, 1], [1], [], "differ in number"),
        ([0], [1], [0, 1], "differ in number"),
        ([0], [-1], [], "below 0"),
    ],
)
def test_that_edges_that_do_not_fit_together_are_refused(
    source: list[int], target: list[int], port: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Edges(source=np.array(source), target=np.array(target), source_port=np.array(port, dtype=np.int64))


@pytest.mark.parametrize(
    ("width", "height", "message"),
    [
        ([80.0, float("nan")], [30.0, 30.0], "width"),
        ([80.0, 80.0], [30.0, -1.0], "height"),
        ([80.0, 80.0], [30.0], "2 widths and 1 heights"),
        ([80.0], [30.0], "nodes are 0 to 0"),
    ],
)
def test_that_boxes_that_cannot_be_drawn_are_refused(width: list[float], height: list[float], message: str) -> None:
    edges = Edges(source=np.array([0]), target=np.array([1]))

    with pytest.raises(ValueError, match=message):
        Graph(width=np.array(width), height=np.array(height), edges=edges)


@pytest.mark.parametrize("options", [{"node_gap": 0.0}, {"layer_gap": float("inf")}, {"hub_degree": 0}])
def test_that_options_without_room_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        Options(**options)
