"""Which groups are closed at first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from opstudio.layout.groups import assign_groups, count_members
from opstudio.model.diagram.choosing import MOST_BOXES, choose_closed

PATHS = st.lists(st.lists(st.sampled_from(["a", "b.0", "b.1", "c"]), max_size=4).map("/".join), min_size=1, max_size=40)


def boxes(paths: list[str], closed: frozenset[str]) -> int:
    groups = assign_groups(paths, closed)
    return sum(group is None for group in groups) + len({group for group in groups if group is not None})


def test_that_a_small_graph_is_drawn_whole() -> None:
    assert choose_closed(["a/b"] * (MOST_BOXES - 2), 2, ()) == frozenset()


def test_that_one_more_closes_a_group() -> None:
    assert choose_closed(["a"] * (MOST_BOXES - 1), 2, ()) == {"a"}


def test_that_outer_groups_are_opened_before_inner_ones() -> None:
    paths = [f"stage{outer}/block.{inner}" for outer in range(4) for inner in range(10) for _ in range(20)]

    closed = choose_closed(paths, 2, ())

    assert closed == {f"stage{outer}/block.{inner}" for outer in range(4) for inner in range(10)}


def test_that_groups_that_are_alike_are_opened_together_or_not_at_all() -> None:
    paths = [f"block.{inner}" for inner in range(9) for _ in range(20)] + ["head"] * 20

    closed = choose_closed(paths, 2, ())

    # Seven of the nine blocks would have found room.
    assert closed == {f"block.{inner}" for inner in range(9)}


def test_that_one_large_group_does_not_keep_small_ones_closed() -> None:
    paths = ["large"] * 500 + ["small"] * 20

    assert choose_closed(paths, 2, ()) == {"large"}


def test_that_a_row_of_equal_blocks_stays_closed_where_there_is_more_to_see() -> None:
    row = [f"l.0 … l.11/l.{number}" for number in range(12) for _ in range(50)]

    closed = choose_closed([*row, *[""] * 20], 2, ["l.0 … l.11"])

    assert "l.0 … l.11" in closed
    # When it is opened, its blocks are closed, not six hundred nodes open.
    assert {f"l.0 … l.11/l.{number}" for number in range(12)} <= closed


def test_that_a_row_is_opened_where_little_else_is_there() -> None:
    row = [f"l.0 … l.11/l.{number}" for number in range(12) for _ in range(50)]

    closed = choose_closed([*row, "head"], 2, ["l.0 … l.11"])

    assert closed == {f"l.0 … l.11/l.{number}" for number in range(12)}


@given(PATHS, st.integers(1, 8))
def test_that_a_picture_never_has_more_boxes_than_it_needs_to(paths: list[str], times: int) -> None:
    paths = paths * times

    closed = choose_closed(paths, 3, ())

    outermost = frozenset(group for group in count_members(paths) if "/" not in group)
    fewest = boxes(paths, outermost) + 3
    assert fewest <= boxes(paths, closed) + 3 <= max(MOST_BOXES, fewest)
    assert bool(closed) is (len(paths) + 3 > MOST_BOXES and bool(outermost))
