"""What holds for every graph, damaged ones included."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.layout.graph import NO_PORT, Edges, Graph, Layout, Options, Stubs
from opstudio.layout.layered import lay_out
from tests.unit.layout.drawings import boxes, edges_of, lines_through_boxes, overlapping_boxes

OPTIONS = st.builds(
    Options,
    node_gap=st.sampled_from([1.0, 30.0]),
    layer_gap=st.sampled_from([3.0, 36.0]),
    hub_degree=st.sampled_from([2, 32]),
    longest_span=st.sampled_from([1, 3, 100]),
    widest_row=st.sampled_from([1, 2, 16]),
)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Any graph: with cycles, edges from a node to itself, equal edges, and parts without connection."""
    count = draw(st.integers(1, 14))
    node = st.integers(0, count - 1)
    port = st.integers(NO_PORT, 3)
    edges = draw(st.lists(st.tuples(node, port, node, port), max_size=30))
    size = st.sampled_from([0.0, 7.0, 30.0, 80.0, 133.5])
    return Graph(
        width=np.array(draw(st.lists(size, min_size=count, max_size=count))),
        height=np.array(draw(st.lists(size, min_size=count, max_size=count))),
        edges=edges_of(edges),
    )


def assert_equal(one: Layout, other: Layout) -> None:
    for name in ("x", "y", "layer", "component", "route_points", "route_offsets"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert np.array_equal(one.stubs.tip, other.stubs.tip)


@settings(max_examples=150, deadline=None)
@given(graphs(), OPTIONS)
def test_that_boxes_do_not_overlap_and_lines_pass_no_box(graph: Graph, options: Options) -> None:
    layout = lay_out(graph, options)

    assert overlapping_boxes(graph, layout) == []
    assert lines_through_boxes(graph, layout) == []


@settings(max_examples=80, deadline=None)
@given(graphs(), OPTIONS)
def test_that_every_edge_leads_down_unless_it_closes_a_cycle(graph: Graph, options: Options) -> None:
    layout = lay_out(graph, options)

    is_proper = graph.source != graph.target
    steps = layout.layer[graph.target] - layout.layer[graph.source]
    assert bool((steps[is_proper & ~layout.is_reversed] >= 1).all())
    assert bool((steps[is_proper & layout.is_reversed] <= -1).all())
    assert not bool(layout.is_reversed[~is_proper].any())


@settings(max_examples=80, deadline=None)
@given(graphs())
def test_that_a_graph_without_cycles_has_no_reversed_edge(graph: Graph) -> None:
    upper, lower = np.minimum(graph.source, graph.target), np.maximum(graph.source, graph.target)
    # Numbers turned round, so that the order as given is of no help.
    last = graph.node_count - 1
    edges = Edges(source=last - upper, target=last - lower)
    graph = Graph(width=graph.width, height=graph.height, edges=edges)

    assert not bool(lay_out(graph).is_reversed.any())


@settings(max_examples=80, deadline=None)
@given(graphs(), OPTIONS)
def test_that_an_edge_is_a_line_between_its_boxes_or_a_pair_of_stubs(graph: Graph, options: Options) -> None:
    layout = lay_out(graph, options)

    is_stub = np.diff(layout.route_offsets) == 0
    assert layout.stubs.edge[::2].tolist() == np.flatnonzero(is_stub).tolist()
    assert layout.route_offsets[-1] == layout.route_points.shape[0]
    places = boxes(graph, layout)
    for edge in np.flatnonzero(~is_stub).tolist():
        source, target = places[int(graph.source[edge])], places[int(graph.target[edge])]
        (start_x, start_y), (end_x, end_y) = layout.route(edge)[[0, -1]].tolist()
        leaves, arrives = (source[1], target[3]) if layout.is_reversed[edge] else (source[3], target[1])
        assert (start_y, end_y) == (leaves, arrives)
        assert source[0] - 1e-9 <= start_x <= source[2] + 1e-9
        assert target[0] - 1e-9 <= end_x <= target[2] + 1e-9


@settings(max_examples=80, deadline=None)
@given(graphs(), OPTIONS)
def test_that_a_line_has_no_point_that_does_not_turn_it(graph: Graph, options: Options) -> None:
    layout = lay_out(graph, options)

    for edge in range(graph.edges.count):
        steps = np.diff(layout.route(edge), axis=0)
        assert bool((np.abs(steps).sum(axis=1) > 0).all())
        assert not bool(((steps[1:, 0] == 0) & (steps[:-1, 0] == 0)).any())


@settings(max_examples=80, deadline=None)
@given(graphs(), OPTIONS)
def test_that_stubs_come_in_pairs_at_the_borders_of_their_boxes(graph: Graph, options: Options) -> None:
    layout = lay_out(graph, options)

    stubs, places = layout.stubs, boxes(graph, layout)
    for stub, edge in enumerate(stubs.edge.tolist()):
        other = Stubs.other(stub)
        assert (stubs.edge[other], Stubs.other(other)) == (edge, stub)
        assert Stubs.at_source(stub) is not Stubs.at_source(other)
        ends = graph.source if Stubs.at_source(stub) else graph.target
        box = places[int(ends[edge])]
        x, y = stubs.anchor[stub].tolist()
        assert box[0] - 1e-9 <= x <= box[2] + 1e-9
        assert y == (box[3] if Stubs.at_source(stub) else box[1])
        assert bool(stubs.tip[stub, 1] > y) is Stubs.at_source(stub)


@settings(max_examples=80, deadline=None)
@given(graphs(), OPTIONS)
def test_that_everything_lies_within_the_size_of_the_drawing(graph: Graph, options: Options) -> None:
    layout = lay_out(graph, options)

    width, height = layout.size
    corners = np.array(boxes(graph, layout))
    for points in (corners[:, :2], corners[:, 2:], layout.route_points, layout.stubs.tip):
        assert bool(((points >= -1e-6) & (points <= np.array([width, height]) + 1e-6)).all())


@settings(max_examples=40, deadline=None)
@given(graphs(), OPTIONS)
def test_that_the_same_graph_gets_the_same_layout(graph: Graph, options: Options) -> None:
    assert_equal(lay_out(graph, options), lay_out(graph, options))


def test_that_a_layout_does_not_depend_on_the_seed_of_hashes() -> None:
    script = """
import random
from opstudio.layout.layered import lay_out
from tests.unit.layout.drawings import graph_of
chance = random.Random(5)
edges = [tuple(sorted(chance.sample(range(60), 2))) for _ in range(110)]
layout = lay_out(graph_of(60, edges))
print(layout.x.tolist(), layout.route_points.tolist())
"""
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(path for path in sys.path if path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(texts) == 1
    assert len(texts.pop()) > 1000
