"""Groups of nodes that are drawn as one box."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opstudio.layout.graph import NO_PORT, Graph
from opstudio.layout.groups import CollapsedGraph, assign_groups, collapse, count_members, groups_around
from opstudio.layout.layered import lay_out
from tests.unit.layout.drawings import edges_of

#        0        1            2             3            4            5        6
PATHS = ["input", "enc/l.0/a", "enc/l.0/a", "enc/l.0/b", "enc/l.1/a", "enc/x", "head"]
EDGES = [(0, 0, 1, 0), (1, 0, 2, 0), (1, 1, 3, 1), (2, 0, 3, 0), (3, 0, 4, 0), (3, 0, 5, 0), (4, 0, 6, 1), (5, 0, 6, 0)]


def collapsed(paths: list[str], edges: list[tuple[int, int, int, int]], *groups: str) -> CollapsedGraph:
    return collapse(assign_groups(paths, groups), edges_of(edges))


def ends_of(graph: CollapsedGraph) -> list[tuple[int, ...]]:
    columns = (graph.edges.source, graph.edges.source_port, graph.edges.target, graph.edges.target_port)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize(
    ("path", "groups"),
    [
        ("a/b/c", ("a", "a/b", "a/b/c")),
        ("/model/layers.0", ("/model", "/model/layers.0")),
        ("a//b", ("a", "a/", "a//b")),
        ("", ()),
        ("/", ()),
    ],
)
def test_that_a_path_lies_in_the_groups_of_its_prefixes(path: str, groups: tuple[str, ...]) -> None:
    assert groups_around(path) == groups


def test_that_a_name_that_begins_like_a_group_does_not_lie_in_it() -> None:
    assert assign_groups(["layer.1/a", "layer.10/a", "layer.1"], ["layer.1"]) == ["layer.1", None, "layer.1"]


def test_that_members_of_inner_groups_count_for_outer_ones() -> None:
    counts = count_members(PATHS)

    assert counts == {
        "input": 1,
        "enc": 5,
        "enc/l.0": 3,
        "enc/l.0/a": 2,
        "enc/l.0/b": 1,
        "enc/l.1": 1,
        "enc/l.1/a": 1,
        "enc/x": 1,
        "head": 1,
    }
    assert list(counts)[1:3] == ["enc", "enc/l.0"]


def test_that_the_outermost_collapsed_group_is_the_box() -> None:
    assert assign_groups(PATHS, {"enc/l.0/a", "enc/l.0"})[1:5] == ["enc/l.0", "enc/l.0", "enc/l.0", None]


def test_that_edges_of_a_group_are_merged_and_name_no_port_at_it() -> None:
    graph = collapsed(PATHS, EDGES, "enc/l.0")

    assert graph.group == (None, "enc/l.0", None, None, None)
    assert graph.box.tolist() == [0, 1, 1, 1, 2, 3, 4]
    assert graph.members_of(1).tolist() == [1, 2, 3]
    assert ends_of(graph) == [
        (0, 0, 1, NO_PORT),
        (1, NO_PORT, 2, 0),
        (1, NO_PORT, 3, 0),
        (2, 0, 4, 1),
        (3, 0, 4, 0),
    ]
    assert graph.edge.tolist() == [0, -1, -1, -1, 1, 2, 3, 4]


def test_that_edges_between_two_groups_are_one() -> None:
    edges = [(0, 0, 2, 0), (0, 1, 3, 0), (1, 0, 3, 1)]

    graph = collapsed(["a", "a", "b", "b"], edges, "a", "b")

    assert ends_of(graph) == [(0, NO_PORT, 1, NO_PORT)]
    assert graph.edge.tolist() == [0, 0, 0]


def test_that_an_edge_from_a_node_to_itself_stays_outside_of_groups() -> None:
    edges = [(0, 0, 0, 0), (1, 0, 1, 0)]

    assert ends_of(collapsed(["a", "b"], edges, "a")) == [(1, 0, 1, 0)]


def test_that_a_group_whose_result_comes_back_into_it_is_drawn_as_a_cycle() -> None:
    graph = collapsed(["a", "b", "a"], [(0, 0, 1, 0), (1, 0, 2, 0)], "a")

    sizes = np.full(graph.box_count, 30.0)
    layout = lay_out(Graph(width=sizes, height=sizes, edges=graph.edges))

    assert layout.is_reversed.tolist() == [False, True]


@given(st.lists(st.sampled_from(["", "a", "a/b", "a/c", "d", "d/b"]), min_size=1, max_size=12), st.data())
def test_that_boxes_part_the_nodes_and_edges_lead_between_their_boxes(paths: list[str], data: st.DataObject) -> None:
    node = st.integers(0, len(paths) - 1)
    port = st.integers(0, 2)
    edges = data.draw(st.lists(st.tuples(node, port, node, port), max_size=20))
    groups = data.draw(st.sets(st.sampled_from(["a", "a/b", "d/b", "e"])))

    graph = collapsed(paths, edges, *groups)

    assert sorted(graph.members.tolist()) == list(range(len(paths)))
    firsts = [int(graph.members_of(box)[0]) for box in range(graph.box_count)]
    assert firsts == sorted(firsts)
    for box, group in enumerate(graph.group):
        members = graph.members_of(box).tolist()
        assert all(graph.box[member] == box for member in members)
        assert len(members) == 1 if group is None else all(f"{paths[n]}/".startswith(f"{group}/") for n in members)
    reached = ends_of(graph)
    assert len(set(reached)) == len(reached)
    for (source, _, target, _), edge in zip(edges, graph.edge.tolist(), strict=True):
        ends = (int(graph.box[source]), int(graph.box[target]))
        is_inner = ends[0] == ends[1] and graph.group[ends[0]] is not None
        assert edge == -1 if is_inner else (reached[edge][0], reached[edge][2]) == ends
    assert set(graph.edge.tolist()) - {-1} == set(range(len(reached)))
