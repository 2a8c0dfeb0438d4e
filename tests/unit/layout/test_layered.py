"""Layouts of graphs whose best drawing is known."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import numpy as np
import pytest

from opstudio.layout.graph import Graph, Layout, Options
from opstudio.layout.layered import lay_out
from tests.unit.layout.drawings import (
    Edge,
    ModelBuilder,
    crossings,
    edges_of,
    fewest_crossings,
    graph_of,
    lines_through_boxes,
    overlapping_boxes,
)


def residual_network(blocks: int) -> ModelBuilder:
    model = ModelBuilder()
    x = model.add("input")
    for block in range(blocks):
        y = model.add("BatchNormalization", model.add("Conv", x))
        y = model.add("Conv", model.add("Relu", y))
        shortcut = model.add("Conv", x) if block % 3 == 2 else x
        x = model.add("Relu", model.add("Add", y, shortcut) if block % 2 else model.add("Add", shortcut, y))
    return model


def u_net(depth: int) -> ModelBuilder:
    model = ModelBuilder()
    x = model.add("input")
    skipped: list[int] = []
    for _ in range(depth):
        x = model.add("Relu", model.add("Conv", x))
        skipped.append(x)
        x = model.add("MaxPool", x)
    x = model.add("Conv", x)
    for _ in range(depth):
        x = model.add("Conv", model.add("Concat", skipped.pop(), model.add("ConvTranspose", x)))
    return model


def encoder(layers: int) -> ModelBuilder:
    """Attention and a feed-forward part in each layer, and one mask that all layers read."""
    model = ModelBuilder()
    x, mask = model.add("input"), model.add("mask")
    for _ in range(layers):
        query, key, value = (model.add("Add", model.add("MatMul", x)) for _ in range(3))
        scores = model.add("MatMul", query, model.add("Transpose", key))
        weights = model.add("Softmax", model.add("Add", scores, mask))
        x = model.add("Add", x, model.add("MatMul", weights, value))
        x = model.add("Add", x, model.add("Gelu", model.add("MatMul", x)))
    return model


def inception(blocks: int) -> ModelBuilder:
    model = ModelBuilder()
    x = model.add("input")
    for _ in range(blocks):
        branches = []
        for length in (1, 2, 3, 2):
            y = x
            for _ in range(length):
                convolution = model.add("Conv", y)
                y = model.add("Mul", convolution, model.add("Sigmoid", convolution))
            branches.append(y)
        x = model.add("Concat", *branches)
    return model


MODELS: dict[str, Callable[[], ModelBuilder]] = {
    "residual": lambda: residual_network(6),
    "u-net": lambda: u_net(5),
    "encoder": lambda: encoder(4),
    "inception": lambda: inception(3),
}


def spans(graph: Graph, layout: Layout) -> list[int]:
    return (layout.layer[graph.target] - layout.layer[graph.source]).tolist()


def test_that_two_boxes_stand_below_each_other_at_the_gap_between_layers() -> None:
    layout = lay_out(graph_of(2, [(0, 1)], width=100.0, height=30.0), Options(layer_gap=36.0))

    assert layout.x.tolist() == [50.0, 50.0]
    assert layout.y.tolist() == [15.0, 30.0 + 36.0 + 15.0]
    assert layout.size == (100.0, 96.0)
    assert layout.route(0).tolist() == [[50.0, 30.0], [50.0, 66.0]]


def test_that_boxes_of_a_layer_stand_side_by_side_in_the_middle_of_the_layer() -> None:
    graph = Graph(
        width=np.array([80, 60, 40]), height=np.array([20, 50, 10]), edges=edges_of([(0, 0, 1, 0), (0, 1, 2, 0)])
    )

    layout = lay_out(graph, Options(node_gap=30.0, layer_gap=40.0))

    assert layout.y.tolist() == [10.0, 20.0 + 40.0 + 25.0, 20.0 + 40.0 + 25.0]
    assert layout.x[2] - layout.x[1] == 30.0 + 30.0 + 20.0
    assert layout.x[0] == pytest.approx((layout.x[1] + layout.x[2]) / 2)


def test_that_no_node_and_no_edge_make_an_empty_drawing() -> None:
    layout = lay_out(graph_of(0, []))

    assert (layout.x.size, layout.route_points.shape, layout.size) == (0, (0, 2), (0.0, 0.0))


def test_that_a_chain_is_one_vertical_line_of_two_points_an_edge() -> None:
    widths = 60.0 + 17.0 * (np.arange(200) % 5)
    graph = Graph(
        width=widths, height=np.full(200, 30.0), edges=edges_of((node, 0, node + 1, 0) for node in range(199))
    )

    layout = lay_out(graph)

    assert np.unique(layout.x).size == 1
    assert np.diff(layout.route_offsets).tolist() == [2] * 199


@pytest.mark.parametrize("name", MODELS)
def test_that_the_drawing_of_a_model_has_no_overlaps_and_lines_enter_no_box(name: str) -> None:
    graph = MODELS[name]().graph()

    layout = lay_out(graph)

    assert overlapping_boxes(graph, layout) == []
    assert lines_through_boxes(graph, layout) == []
    assert min(spans(graph, layout)) > 0


def test_that_the_main_line_of_a_residual_network_is_straight_beside_its_shortcuts() -> None:
    model = residual_network(6)
    graph = model.graph()

    layout = lay_out(graph)

    # What is not a shortcut's convolution lies on the longest path.
    beside = [node for node, name in enumerate(model.names) if name == "Conv" and layout.x[node] != layout.x[0]]
    main = np.setdiff1d(np.arange(graph.node_count), beside)
    assert len(beside) == 2
    assert np.unique(layout.x[main]).size == 1


def test_that_shortcuts_of_a_u_net_stand_in_parallel_on_the_side_of_their_input() -> None:
    model = u_net(4)
    graph = model.graph()

    layout = lay_out(graph)

    assert np.unique(layout.x).size == 1
    skips = [edge for edge, span in enumerate(spans(graph, layout)) if span > 2]
    assert len(skips) == 4
    lanes = [float(layout.route(edge)[:, 0].min()) for edge in skips]
    # The shortcuts are input 0 of Concat, left of the main line; those of the outer levels are further out.
    by_length = np.argsort([spans(graph, layout)[edge] for edge in skips])
    assert sorted(lanes, reverse=True) == [lanes[index] for index in by_length]
    assert max(lanes) < float(layout.x[0])


def test_that_two_equal_branches_stand_symmetrically_between_straight_ends() -> None:
    model = ModelBuilder()
    start = model.add("Relu", model.add("input"))
    left, right = model.add("Conv", start), model.add("Conv", start)
    model.add("Relu", model.add("Add", left, right))

    layout = lay_out(model.graph())

    assert len({float(layout.x[node]) for node in (0, 1, 4, 5)}) == 1
    assert layout.x[start] - layout.x[left] == pytest.approx(layout.x[right] - layout.x[start])
    assert layout.x[left] < layout.x[right]


def test_that_the_longest_branch_of_an_inception_block_goes_straight_through_all_blocks() -> None:
    model = inception(3)

    layout = lay_out(model.graph())

    joints = [node for node, name in enumerate(model.names) if name in {"input", "Concat"}]
    assert len(joints) == 4
    assert np.unique(layout.x[joints]).size == 1


def test_that_rows_in_which_all_are_linked_with_all_stand_close_and_in_the_middle() -> None:
    edges = [(upper, lower) for upper in range(6) for lower in range(6, 12)]

    layout = lay_out(graph_of(12, edges, width=80.0), Options(node_gap=30.0))

    assert layout.size[0] == pytest.approx(6 * 80.0 + 5 * 30.0)
    assert layout.x[:6].mean() == pytest.approx(layout.x[6:].mean())


def test_that_lines_reach_the_ports_of_a_box_in_their_order() -> None:
    model = ModelBuilder()
    inputs = [model.add(f"input {index}") for index in range(5)]
    model.add("Concat of all five", *inputs)

    layout = lay_out(model.graph())

    ends = [float(layout.route(edge)[-1, 0]) for edge in range(5)]
    assert sorted(ends) == ends
    assert np.diff(ends).min() >= 10.0
    assert ends[2] == layout.x[5]


def test_that_edges_of_one_output_share_their_line() -> None:
    # 0 → 1 → 2 → 3 → 4, and 0 feeds 2, 3 and 4 as well.
    graph = graph_of(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 2), (0, 3), (0, 4)])

    layout = lay_out(graph)

    lanes = {float(layout.route(edge)[1, 0]) for edge in (4, 5, 6)}
    assert len(lanes) == 1
    assert abs(lanes.pop() - float(layout.x[1])) == 40.0 + Options().line_gap


def test_that_constants_stand_right_above_their_reader() -> None:
    model = ModelBuilder()
    x = model.add("input")
    for _ in range(6):
        x = model.add("Relu", x)
    constant = model.add("Constant")
    shape = model.add("Unsqueeze", constant)
    reader = model.add("Reshape", x, shape)

    layout = lay_out(model.graph())

    assert layout.layer[[constant, shape, reader]].tolist() == [5, 6, 7]


@pytest.mark.parametrize(
    ("edges", "layers", "fewest"),
    [
        ([(0, 3), (1, 2)], [[0, 1], [2, 3]], 0),
        ([(0, 2), (0, 3), (1, 2), (1, 3)], [[0, 1], [2, 3]], 1),
        ([(u, v) for u in (0, 1, 2) for v in (3, 4, 5)], [[0, 1, 2], [3, 4, 5]], 9),
        ([(0, 6), (0, 4), (1, 5), (1, 3), (2, 6), (2, 5), (3, 7), (4, 7)], [[0, 1, 2], [3, 4, 5, 6], [7]], 0),
        ([(0, 2), (0, 4), (1, 3), (1, 4), (2, 6), (3, 5), (4, 5), (4, 6)], [[0, 1], [2, 3, 4], [5, 6]], 0),
    ],
)
def test_that_small_graphs_have_the_fewest_crossings(edges: list[Edge], layers: list[list[int]], fewest: int) -> None:
    count = sum(map(len, layers))

    layout = lay_out(graph_of(count, edges))

    assert fewest_crossings(edges, layers) == fewest
    assert crossings(edges, layout.layer.tolist(), layout.x.tolist()) == fewest


def test_that_graphs_by_chance_have_nearly_the_fewest_crossings() -> None:
    layers = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10]]
    found, fewest = [], []
    for seed in range(20):
        chance = random.Random(seed)  # noqa: S311
        edges = {(chance.choice(above), node) for above, below in itertools.pairwise(layers) for node in below}
        while len(edges) < 14:
            level = chance.randrange(2)
            edges.add((chance.choice(layers[level]), chance.choice(layers[level + 1])))
        layout = lay_out(graph_of(11, sorted(edges)))
        found.append(crossings(sorted(edges), layout.layer.tolist(), layout.x.tolist()))
        fewest.append(fewest_crossings(sorted(edges), layers))

    assert sum(fewest) > 20
    assert sum(found) <= 1.05 * sum(fewest)
    assert max(np.subtract(found, fewest)) <= 2


def test_that_straight_lines_do_not_make_a_tangled_graph_far_wider_than_its_layers() -> None:
    chance = random.Random(2)  # noqa: S311
    edges = {(max(0, node - chance.randint(1, 60)), node) for node in range(1, 600) for _ in range(3)}
    graph = graph_of(600, sorted(edges), width=80.0)

    layout = lay_out(graph, Options(node_gap=30.0, line_gap=14.0))

    layers = int(layout.layer.max()) + 1
    last_reader = np.zeros(600, dtype=np.int64)
    np.maximum.at(last_reader, graph.source, layout.layer[graph.target])
    lines = [int(((layout.layer < layer) & (last_reader > layer)).sum()) for layer in range(layers)]
    widest = max(np.bincount(layout.layer) * (80.0 + 30.0) + np.array(lines) * 14.0)
    assert layout.size[0] < 3 * widest + 1000.0 + 80.0


def test_that_a_layout_that_is_not_wanted_any_more_ends() -> None:
    class UnwantedError(Exception):
        pass

    def checkpoint() -> None:
        raise UnwantedError

    with pytest.raises(UnwantedError):
        lay_out(graph_of(2, [(0, 1)]), checkpoint=checkpoint)
