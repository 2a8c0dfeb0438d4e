"""Many inputs of one node, and boxes without edges, in rows above one another."""

from __future__ import annotations

import numpy as np

from opstudio.layout.graph import Graph, Layout, Previous
from opstudio.layout.layered import lay_out
from tests.unit.layout.drawings import graph_of, lines_through_boxes, overlapping_boxes

INPUTS = 100


def many_inputs(count: int = INPUTS) -> Graph:
    """A node that reads many inputs, and one that reads it."""
    return graph_of(count + 2, [*((node, count) for node in range(count)), (count, count + 1)])


def rows_of(layout: Layout, nodes: range) -> list[list[int]]:
    """Return the nodes of each row from top to bottom, from left to right."""
    rows: dict[float, list[int]] = {}
    for node in sorted(nodes, key=lambda node: float(layout.x[node])):
        rows.setdefault(float(layout.y[node]), []).append(node)
    return [rows[y] for y in sorted(rows)]


def test_that_many_inputs_of_a_node_stand_in_rows_in_their_order() -> None:
    graph = many_inputs()

    layout = lay_out(graph)

    rows = rows_of(layout, range(INPUTS))
    assert len(rows) == 7
    assert [node for row in rows for node in row] == list(range(INPUTS))
    assert len({len(row) for row in rows[1:]}) == 1
    assert len(rows[0]) <= len(rows[1])
    # 15 boxes of 80 pixels and the gaps between them, where one row would be 10,970 wide.
    assert layout.size[0] == 15 * 80 + 14 * 30
    assert overlapping_boxes(graph, layout) == []
    assert lines_through_boxes(graph, layout) == []


def test_that_only_the_row_next_to_the_reader_has_lines() -> None:
    graph = many_inputs()

    layout = lay_out(graph)

    drawn = [edge for edge in range(INPUTS) if layout.route(edge).size]
    assert drawn == rows_of(layout, range(INPUTS))[-1]
    for edge in drawn:
        start, end = layout.route(edge)[0], layout.route(edge)[-1]
        assert start.tolist() == [layout.x[edge], layout.y[edge] + 15.0]
        assert end[1] == layout.y[INPUTS] - 15.0
        assert abs(end[0] - layout.x[INPUTS]) <= 40.0
    assert sorted(set(layout.stubs.edge.tolist())) == [edge for edge in range(INPUTS) if edge not in drawn]


def test_that_stubs_of_further_rows_start_at_their_own_boxes() -> None:
    layout = lay_out(many_inputs())

    for stub, edge in enumerate(layout.stubs.edge.tolist()):
        if stub % 2 == 0:
            assert layout.stubs.anchor[stub].tolist() == [layout.x[edge], layout.y[edge] + 15.0]
            assert layout.stubs.tip[stub].tolist() == [layout.x[edge], layout.y[edge] + 25.0]
        else:
            assert layout.stubs.anchor[stub, 1] == layout.y[INPUTS] - 15.0


def test_that_many_outputs_stand_in_rows_below_their_maker() -> None:
    graph = graph_of(INPUTS + 1, [(INPUTS, node) for node in range(INPUTS)])

    layout = lay_out(graph)

    rows = rows_of(layout, range(INPUTS))
    assert [node for row in rows for node in row] == list(range(INPUTS))
    assert layout.y[INPUTS] < layout.y[:INPUTS].min()
    assert [edge for edge in range(INPUTS) if layout.route(edge).size] == rows[0]
    for edge in rows[0]:
        assert layout.route(edge)[-1].tolist() == [layout.x[edge], layout.y[edge] - 15.0]


def test_that_inputs_nobody_reads_stand_together_behind_the_rest() -> None:
    chain, alone = 4, 40
    graph = graph_of(chain + alone, [(node, node + 1) for node in range(chain - 1)])

    layout = lay_out(graph)

    used, unused = slice(0, chain), slice(chain, chain + alone)
    assert layout.y[used].min() < layout.y[unused].min()
    assert layout.x[used].min() <= layout.x[unused].min()
    rows = rows_of(layout, range(chain, chain + alone))
    assert [node for row in rows for node in row] == list(range(chain, chain + alone))
    across = np.diff(np.unique(layout.x[rows[-1]]))
    assert set(across.tolist()) == {110.0}
    assert overlapping_boxes(graph, layout) == []


def test_that_a_line_of_few_inputs_is_left_as_it_is() -> None:
    layout = lay_out(many_inputs(16))

    assert len(rows_of(layout, range(16))) == 1
    assert layout.stubs.edge.size == 0


def test_that_a_reader_keeps_its_inputs_above_it_when_something_is_added() -> None:
    before = many_inputs()
    layout = lay_out(before)
    after = graph_of(
        INPUTS + 3, [*((node, INPUTS) for node in range(INPUTS)), (INPUTS, INPUTS + 1), (INPUTS, INPUTS + 2)]
    )
    node = np.append(np.arange(INPUTS + 2), -1)

    again = lay_out(after, previous=Previous(graph=before, layout=layout, node=node))

    assert rows_of(again, range(INPUTS)) == rows_of(layout, range(INPUTS))
