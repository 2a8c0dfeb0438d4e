"""Pushing blocks apart, against following every chain of distances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opstudio.layout.separation import Pusher, Separations

PAIRS = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 8), st.sampled_from([1.0, 12.5, 40.0])).filter(lambda p: p[0] < p[1]),
    max_size=25,
)


def separations_of(pairs: list[tuple[int, int, float]], count: int) -> Separations:
    left, right, distance = zip(*pairs, strict=True) if pairs else ((), (), ())
    return Separations.of(
        count, np.array(left, dtype=np.int64), np.array(right, dtype=np.int64), np.array(distance, dtype=np.float64)
    )


@given(PAIRS, st.lists(st.sampled_from([-50.0, 0.0, 3.0, 70.0]), min_size=9, max_size=9))
def test_that_blocks_stand_as_far_left_as_their_distances_allow(
    pairs: list[tuple[int, int, float]], wanted: list[float]
) -> None:
    separations = separations_of(pairs, 9)
    level, circular = separations.sort()

    x = Pusher(separations, level).push(np.array(wanted))

    expected = wanted.copy()
    for block in range(9):
        reached = [expected[left] + distance for left, right, distance in pairs if right == block]
        expected[block] = max(wanted[block], *reached) if reached else wanted[block]
    assert x.tolist() == expected
    assert circular.size == 0


def test_that_many_blocks_on_few_levels_are_pushed_like_few_blocks_on_many() -> None:
    # 40 rows of two blocks are pushed level by level, one row of 80 block by block.
    rows = separations_of([(2 * row, 2 * row + 1, 30.0 + row) for row in range(40)], 80)
    line = separations_of([(block, block + 1, 5.0) for block in range(79)], 80)

    assert Pusher(rows, rows.sort()[0]).push(np.zeros(80))[1::2].tolist() == [30.0 + row for row in range(40)]
    assert Pusher(line, line.sort()[0]).push(np.zeros(80)).tolist() == [5.0 * block for block in range(80)]


def test_that_blocks_left_of_themselves_are_told() -> None:
    separations = separations_of([(0, 1, 1.0), (1, 2, 1.0), (2, 1, 1.0), (2, 3, 1.0)], 5)

    assert separations.sort()[1].tolist() == [1, 2, 3]


@pytest.mark.parametrize("count", [0, 3])
def test_that_blocks_without_distances_stand_where_they_want(count: int) -> None:
    separations = separations_of([], count)

    assert Pusher(separations, separations.sort()[0]).push(np.arange(count) * 1.5).tolist() == [0.0, 1.5, 3.0][:count]
