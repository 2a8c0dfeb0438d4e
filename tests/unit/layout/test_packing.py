"""Components beside each other."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from opstudio.layout.packing import pack

SIZES = st.lists(st.tuples(st.sampled_from([1.0, 30.0, 200.0]), st.sampled_from([1.0, 50.0, 300.0])), max_size=20)


@given(SIZES)
def test_that_packed_boxes_keep_their_distance(sizes: list[tuple[float, float]]) -> None:
    boxes = np.array(sizes).reshape(-1, 2)

    corners = pack(boxes[:, 0], boxes[:, 1], 10.0)

    for (a, one), (b, other) in itertools.combinations(zip(corners.tolist(), sizes, strict=True), 2):
        across = max(b[0] - a[0] - one[0], a[0] - b[0] - other[0])
        down = max(b[1] - a[1] - one[1], a[1] - b[1] - other[1])
        assert max(across, down) >= 10.0 - 1e-9


def test_that_many_equal_boxes_fill_about_a_square() -> None:
    corners = pack(np.full(100, 90.0), np.full(100, 90.0), 10.0)

    assert 900.0 <= corners[:, 0].max() <= 1000.0
    assert 900.0 <= corners[:, 1].max() <= 1000.0


def test_that_low_boxes_stand_below_each_other_beside_a_high_one() -> None:
    corners = pack(np.array([100.0, 50.0, 50.0, 50.0]), np.array([400.0, 90.0, 90.0, 90.0]), 10.0)

    assert corners.tolist() == [[0.0, 0.0], [110.0, 0.0], [110.0, 100.0], [110.0, 200.0]]
