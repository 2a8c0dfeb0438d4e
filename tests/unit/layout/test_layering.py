"""Orders, layers and components."""

from __future__ import annotations

import random
from collections.abc import Sequence

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opstudio.layout.acyclic import topological_order
from opstudio.layout.layering import assign_layers, find_components
from tests.unit.layout.drawings import Edge

EDGES = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30)


def ends(edges: list[Edge]) -> tuple[np.ndarray, np.ndarray]:
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


@given(EDGES)
def test_that_edges_lead_forwards_unless_they_are_reversed(edges: list[Edge]) -> None:
    edges = [edge for edge in edges if edge[0] != edge[1]]

    order, is_backward = topological_order(12, *ends(edges))

    assert sorted(order) == list(range(12))
    rank = {node: index for index, node in enumerate(order)}
    assert is_backward.tolist() == [rank[source] > rank[target] for source, target in edges]


@given(EDGES)
def test_that_edges_are_reversed_only_where_there_is_a_cycle(edges: list[Edge]) -> None:
    edges = [edge for edge in edges if edge[0] != edge[1]]

    _, is_backward = topological_order(12, *ends(edges))

    graph = nx.DiGraph(edges)
    assert bool(is_backward.any()) is not nx.is_directed_acyclic_graph(graph)
    part = {node: index for index, nodes in enumerate(nx.strongly_connected_components(graph)) for node in nodes}
    assert all(part[a] == part[b] for (a, b), backward in zip(edges, is_backward.tolist(), strict=True) if backward)


@given(EDGES)
def test_that_a_layer_is_the_longest_path_or_right_above_the_first_reader(edges: list[Edge]) -> None:
    edges = [(min(edge), max(edge)) for edge in edges if edge[0] != edge[1]]

    layers = assign_layers(range(12), *ends(edges))

    above, below = [0] * 12, [0] * 12
    for node in range(12):
        above[node] = max((above[a] + 1 for a, b in edges if b == node), default=0)
    for node in reversed(range(12)):
        below[node] = max((below[b] + 1 for a, b in edges if a == node), default=0)
    assert (layers.above.tolist(), layers.below.tolist()) == (above, below)
    for node, layer in enumerate(layers.layer.tolist()):
        readers = [int(layers.layer[b]) for a, b in edges if a == node]
        assert layer == above[node] or layer == min(readers) - 1
        if not any(b == node for _, b in edges) and readers:
            assert layer == min(readers) - 1


@pytest.mark.parametrize("seed", [0, 1])
def test_that_layers_do_not_depend_on_the_order_of_nodes(seed: int) -> None:
    edges = [(0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6), (6, 7), (8, 9), (9, 7)]
    numbers = list(range(10))
    random.Random(seed).shuffle(numbers)  # noqa: S311
    source, target = ends([(numbers[a], numbers[b]) for a, b in edges])

    order, is_backward = topological_order(10, source, target)
    layer = assign_layers(order, source, target).layer

    assert not is_backward.any()
    assert [int(layer[number]) for number in numbers] == [0, 1, 1, 2, 3, 3, 4, 5, 3, 4]


def chain_beside_a_line(length: int) -> np.ndarray:
    """Return the layers of a line of ``length`` edges, and of a chain of two from its first to its last node."""
    line = [(node, node + 1) for node in range(length)]
    chain = [(0, length + 1), (length + 1, length + 2), (length + 2, length)]

    return assign_layers(*order_of(length + 3, line + chain)).layer


def order_of(count: int, edges: list[Edge]) -> tuple[Sequence[int], np.ndarray, np.ndarray]:
    source, target = ends(edges)
    return topological_order(count, source, target)[0], source, target


def test_that_a_chain_to_a_far_reader_stands_near_it() -> None:
    layer = chain_beside_a_line(30)

    assert layer[-2:].tolist() == [28, 29]


def test_that_a_chain_to_a_near_reader_begins_with_what_it_is_beside() -> None:
    layer = chain_beside_a_line(10)

    assert layer[-2:].tolist() == [1, 2]


@given(EDGES)
def test_that_components_are_those_of_an_undirected_graph_the_largest_first(edges: list[Edge]) -> None:
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(12))

    component = find_components(12, *ends(edges))

    parts = sorted(map(sorted, nx.connected_components(graph)), key=lambda part: (-len(part), part[0]))
    assert [np.flatnonzero(component == number).tolist() for number in range(len(parts))] == parts


def test_that_a_long_path_listed_from_its_end_is_one_component() -> None:
    source, target = ends([(node, node + 1) for node in reversed(range(20_000))])

    assert int(find_components(20_001, source, target).max()) == 0
