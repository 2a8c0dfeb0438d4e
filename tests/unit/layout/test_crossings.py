"""Counting crossings, against comparing all pairs."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from opstudio.layout.crossings import count_crossings

LINKS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6), st.integers(0, 6)), max_size=40)


@given(LINKS)
def test_that_each_pair_of_links_in_a_gap_that_cross_is_counted_once(links: list[tuple[int, int, int]]) -> None:
    gap, upper, lower = (
        (np.array(column, dtype=np.int64) for column in zip(*links, strict=True))
        if links
        else [np.empty(0, dtype=np.int64)] * 3
    )

    counts = count_crossings(gap, upper / 7, lower / 7)

    expected = sum(a[0] == b[0] and (a[1] - b[1]) * (a[2] - b[2]) < 0 for a, b in itertools.combinations(links, 2))
    assert int(counts.sum()) == expected


def test_that_a_crossing_is_counted_at_the_link_that_ends_further_left() -> None:
    counts = count_crossings(np.array([4, 4, 4]), np.array([0.0, 1.0, 2.0]), np.array([9.0, 5.0, 7.0]))

    assert counts.tolist() == [0, 1, 1]
