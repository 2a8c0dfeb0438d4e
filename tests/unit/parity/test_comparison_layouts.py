"""Arrays of any layout and size compare alike."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from opstudio.contract.operator import EXACT, Tolerance
from opstudio.parity.comparison import compare

CHUNK = 1 << 16


def views(data: np.ndarray[Any, np.dtype[Any]]) -> dict[str, np.ndarray[Any, np.dtype[Any]]]:
    """Return arrays that hold the same values in other layouts."""
    spread = np.zeros((data.shape[0] * 2, data.shape[1] * 3), data.dtype)
    spread[::2, ::3] = data
    return {
        "contiguous": data,
        "columns first": np.asfortranarray(data),
        "sliced": spread[::2, ::3],
        "reversed": data[::-1, ::-1].copy()[::-1, ::-1],
    }


@pytest.mark.parametrize("layout", ["contiguous", "columns first", "sliced", "reversed"])
def test_that_the_layout_of_an_array_does_not_matter(layout: str) -> None:
    reference = np.random.default_rng(1).normal(size=(40, 50)).astype(np.float32)
    wrong = reference.copy()
    wrong[17, 23] += 1.0
    expected = compare(wrong, reference, Tolerance(relative=1e-6, absolute=1e-6))

    assert compare(views(reference)[layout], reference, EXACT).agrees
    assert expected == compare(views(wrong)[layout], views(reference)[layout], Tolerance(relative=1e-6, absolute=1e-6))
    assert expected.worst[0].index == (17, 23)


def test_that_a_broadcast_array_is_compared_as_it_looks() -> None:
    result = compare(np.broadcast_to(np.arange(3.0), (2, 3)), np.array([[0, 1, 2], [0, 1, 5.0]]), EXACT)

    assert [(item.index, item.value, item.reference) for item in result.worst] == [((1, 2), 2.0, 5.0)]


@pytest.mark.parametrize("size", [CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 17])
def test_that_an_array_of_several_chunks_is_compared_to_its_end(size: int) -> None:
    reference = np.random.default_rng(2).normal(size=size).astype(np.float32)
    value = reference.copy()
    value[-1] = reference[-1] + np.float32(3.0)
    value[size // 2] = math.nan

    result = compare(value, reference, Tolerance(relative=0.0, absolute=0.1))

    assert [(size // 2,), (size - 1,)] == [element.index for element in result.worst]
    assert (size, 2, math.inf) == (result.count, result.mismatches, result.largest_absolute)
