"""Edges that are stubs: those of hubs, very long ones, and as many as a dense graph needs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from opstudio.layout.graph import Graph, Layout, Options
from opstudio.layout.layered import lay_out
from tests.unit.layout.drawings import ModelBuilder, edges_of, graph_of


def stubbed(layout: Layout) -> list[int]:
    return layout.stubs.edge[::2].tolist()


def masked_chain(length: int) -> Graph:
    """A chain of which every node reads the mask, which is the first node, as its input 1."""
    model = ModelBuilder()
    mask, x = model.add("mask"), model.add("input")
    for _ in range(length):
        x = model.add("Add", x, mask)
    return model.graph()


def test_that_a_mask_of_few_readers_is_drawn_as_one_line() -> None:
    layout = lay_out(masked_chain(20), Options(hub_degree=32))

    assert stubbed(layout) == []


def test_that_a_mask_of_many_readers_is_a_line_to_the_first_and_stubs_at_the_others() -> None:
    graph = masked_chain(40)

    layout = lay_out(graph, Options(hub_degree=32))

    reads = [edge for edge in range(graph.edges.count) if graph.source[edge] == 0]
    assert len(reads) == 40
    assert stubbed(layout) == reads[1:]
    assert np.unique(layout.stubs.anchor[::2], axis=0).shape[0] == 1
    assert np.unique(layout.stubs.anchor[1::2], axis=0).shape[0] == 39


def test_that_outputs_of_a_node_are_hubs_each_for_itself() -> None:
    # Each of 40 outputs has one reader two layers below, so that none of the values is a hub.
    edges = [(0, 1), *((0, node) for node in range(2, 42)), *((1, node) for node in range(2, 42))]
    outputs = [99, *range(40), *[0] * 40]
    ported = edges_of((source, port, target, 0) for (source, target), port in zip(edges, outputs, strict=True))
    graph = Graph(width=np.full(42, 80.0), height=np.full(42, 30.0), edges=ported)

    assert stubbed(lay_out(graph, Options(hub_degree=32))) == []
    assert stubbed(lay_out(graph_of(42, edges), Options(hub_degree=32))) == list(range(1, 41))


def test_that_far_inputs_of_a_node_with_many_inputs_are_stubs() -> None:
    chain = [(node, node + 1) for node in range(40)]
    edges = [*chain, *((node, 41) for node in range(41))]

    layout = lay_out(graph_of(42, edges), Options(hub_degree=32))

    assert stubbed(layout) == [edge for edge, (source, target) in enumerate(edges) if target == 41 and source < 40]


@pytest.mark.parametrize(("longest", "expected"), [(9, []), (8, [9]), (1, [9])])
def test_that_edges_over_more_than_the_longest_span_are_stubs(longest: int, expected: list[int]) -> None:
    edges = [*((node, node + 1) for node in range(9)), (0, 9)]

    assert stubbed(lay_out(graph_of(10, edges), Options(longest_span=longest))) == expected


def test_that_an_edge_from_a_node_to_itself_is_a_stub_at_the_top_and_one_at_the_bottom() -> None:
    layout = lay_out(graph_of(1, [(0, 0)], width=80.0, height=30.0), Options(stub_length=10.0))

    assert stubbed(layout) == [0]
    assert layout.stubs.anchor.tolist() == [[40.0, 40.0], [40.0, 10.0]]
    assert layout.stubs.tip.tolist() == [[40.0, 50.0], [40.0, 0.0]]
    assert layout.size == (80.0, 50.0)


def test_that_lines_of_a_dense_graph_pass_no_more_layers_than_its_nodes_allow() -> None:
    # Every node reads all before it: drawn in full, their lines would pass 400 · 399 / 2 layers.
    edges = list(itertools.combinations(range(400), 2))
    options = Options(hub_degree=10**6, longest_span=10**6, lines_per_node=6)

    layout = lay_out(graph_of(400, edges), options)

    ends = np.array(edges)
    span = ends[:, 1] - ends[:, 0]
    drawn = np.setdiff1d(np.arange(len(edges)), stubbed(layout))
    longest = np.zeros(400, dtype=np.int64)
    np.maximum.at(longest, ends[drawn, 0], span[drawn])
    assert 400 < (longest - 1).sum() <= 6 * 400 + 1000
    assert set(np.flatnonzero(span == 1)) <= set(drawn)
