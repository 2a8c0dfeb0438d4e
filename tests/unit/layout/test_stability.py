"""Small changes of a graph change its drawing a little: what stood left of something still does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.layout.graph import Edges, Graph, Layout, Previous
from opstudio.layout.layered import lay_out
from tests.unit.layout.drawings import graph_of, lines_through_boxes, overlapping_boxes


def branched_chain(length: int) -> Graph:
    """A chain in which every tenth node has two branches that meet again later, and every fifteenth a side output."""
    edges = [(node, node + 1) for node in range(length - 1)]
    count = length
    for node in range(0, length - 8, 10):
        for reach in (4, 7):
            edges += [(node, count), (count, count + 1), (count + 1, node + reach)]
            count += 2
    for node in range(5, length, 15):
        edges.append((node, count))
        count += 1
    return graph_of(count, edges)


def with_node_between(graph: Graph, edge: int) -> Graph:
    """Return the graph with a new last node on an edge."""
    new = graph.node_count
    target = graph.target.copy()
    target[edge] = new
    return Graph(
        width=np.append(graph.width, 80.0),
        height=np.append(graph.height, 30.0),
        edges=Edges(source=np.append(graph.source, new), target=np.append(target, graph.target[edge])),
    )


def pairs_out_of_order(before: Layout, after: Layout, kept: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return kept nodes (their numbers after) that share a layer in the new drawing and have changed sides."""
    found = []
    for index, (old, new) in enumerate(kept):
        for other_old, other_new in kept[:index]:
            shares_row = (after.layer[new], after.component[new]) == (
                after.layer[other_new],
                after.component[other_new],
            )
            was, now = before.x[old] - before.x[other_old], after.x[new] - after.x[other_new]
            if shares_row and was * now < 0:
                found.append((new, other_new))
    return found


@pytest.mark.parametrize("edge", [0, 7, 60, 100, 151, 198])
def test_that_a_node_inserted_into_a_chain_with_branches_moves_no_other_node_in_x_order(edge: int) -> None:
    graph = branched_chain(200)
    before = lay_out(graph)
    longer = with_node_between(graph, edge)

    node = np.append(np.arange(graph.node_count), -1)
    after = lay_out(longer, previous=Previous(graph=graph, layout=before, node=node))

    assert np.ptp(before.x) > 100.0
    old, new = np.argsort(before.x, kind="stable"), np.argsort(after.x[:-1], kind="stable")
    # Nodes that stood in one column stand in one column, and columns have kept their order.
    assert np.array_equal(np.sign(np.diff(before.x[old])), np.sign(np.diff(after.x[:-1][new])))
    assert old.tolist() == new.tolist()
    assert overlapping_boxes(longer, after) == []
    assert lines_through_boxes(longer, after) == []


def test_that_the_layout_of_an_unchanged_graph_is_kept() -> None:
    graph = branched_chain(60)
    before = lay_out(graph)

    after = lay_out(graph, previous=Previous(graph=graph, layout=before, node=np.arange(graph.node_count)))

    assert after.x.tolist() == before.x.tolist()
    assert after.route_points.tolist() == before.route_points.tolist()


def test_that_nodes_keep_the_order_of_an_earlier_layout_although_the_edges_ask_for_another() -> None:
    # The same four pairs, but listed from right to left: from its start the search would turn them round.
    earlier = graph_of(8, [(0, 4), (1, 5), (2, 6), (3, 7), (0, 5), (1, 6), (2, 7)])
    before = lay_out(earlier)
    renumbered = graph_of(8, [(7, 3), (6, 2), (5, 1), (4, 0), (7, 2), (6, 1), (5, 0)])

    after = lay_out(renumbered, previous=Previous(graph=earlier, layout=before, node=np.arange(8)[::-1]))

    assert np.argsort(after.x[[7, 6, 5, 4]]).tolist() == np.argsort(before.x[:4]).tolist()
    assert np.argsort(after.x[[3, 2, 1, 0]]).tolist() == np.argsort(before.x[4:]).tolist()


def mirrored(layout: Layout) -> Layout:
    """Return the layout with left and right exchanged."""
    points = layout.route_points * np.array([-1.0, 1.0]) + np.array([layout.size[0], 0.0])
    return replace(layout, x=layout.size[0] - layout.x, route_points=points)


def test_that_long_lines_stay_on_the_side_where_they_were() -> None:
    # Two lines pass the chain, one within the other.
    graph = graph_of(12, [*((node, node + 1) for node in range(11)), (0, 11), (2, 9)])
    before = lay_out(graph)
    longer = with_node_between(graph, 5)
    node = np.append(np.arange(12), -1)

    for earlier in (before, mirrored(before)):
        after = lay_out(longer, previous=Previous(graph=graph, layout=earlier, node=node))

        sides = [
            np.sign(np.median(layout.route(edge)[:, 0]) - layout.x[5])
            for layout in (earlier, after)
            for edge in (11, 12)
        ]
        assert sides[:2] == sides[2:]
        assert 0.0 not in sides


@st.composite
def changes(draw: st.DrawFn) -> tuple[Graph, Graph, list[int]]:
    """Two graphs and the numbers in the first that the nodes of the second had, −1 for new ones."""
    count = draw(st.integers(2, 12))
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=20))
    first = graph_of(count, [(min(edge), max(edge)) for edge in edges])
    left_out = draw(st.sets(node, max_size=2))
    added = draw(st.integers(0, 2))
    numbers = [node for node in range(count) if node not in left_out] + [-1] * added
    place = {old: new for new, old in enumerate(numbers) if old >= 0}
    kept = [(place[a], place[b]) for a, b in edges if a in place and b in place]
    if numbers:
        new = st.integers(0, len(numbers) - 1)
        kept += draw(st.lists(st.tuples(new, new), max_size=4))
    second = graph_of(len(numbers), [(min(edge), max(edge)) for edge in kept])
    return first, second, numbers


@settings(max_examples=80, deadline=None)
@given(changes())
def test_that_nodes_that_share_a_layer_again_keep_their_order(change: tuple[Graph, Graph, list[int]]) -> None:
    first, second, numbers = change
    before = lay_out(first)

    after = lay_out(second, previous=Previous(graph=first, layout=before, node=np.array(numbers, dtype=np.int64)))

    # Boxes without edges stand in a block of their own, in the order of the graph.
    old_ends, new_ends = ({*graph.source.tolist(), *graph.target.tolist()} for graph in (first, second))
    kept = [(old, new) for new, old in enumerate(numbers) if old in old_ends and new in new_ends]
    assert pairs_out_of_order(before, after, kept) == []
    assert overlapping_boxes(second, after) == []
    assert lines_through_boxes(second, after) == []


def test_that_an_earlier_layout_of_too_few_nodes_is_refused() -> None:
    graph = graph_of(3, [(0, 1)])
    layout = lay_out(graph)

    with pytest.raises(ValueError, match="told for 2 of 3 nodes"):
        lay_out(graph, previous=Previous(graph=graph, layout=layout, node=np.array([0, 1])))
    with pytest.raises(ValueError, match="does not exist"):
        Previous(graph=graph, layout=layout, node=np.array([0, 1, 3]))
