from __future__ import annotations

import numpy as np
import pytest

from opstudio.qt.graph.areas import Area, Areas


def met(areas: Areas, area: Area) -> list[int]:
    """Compare every rectangle with the area, one after the other."""
    return [
        number
        for number in range(areas.count)
        if not (
            areas.right[number] < area.left
            or areas.left[number] > area.right
            or areas.bottom[number] < area.top
            or areas.top[number] > area.bottom
        )
    ]


@pytest.mark.parametrize("high", [10.0, 5000.0])
def test_that_exactly_the_rectangles_that_meet_an_area_are_found(high: float) -> None:
    random = np.random.default_rng(7)
    left, top = random.uniform(0, 1000, (2, 400))
    width, height = random.uniform(0, 80, 400), random.uniform(0, high, 400)
    areas = Areas(left, top, left + width, top + height)
    for _ in range(60):
        x, y = random.uniform(-200, 1200, 2)
        area = Area(left=x, top=y, right=x + random.uniform(0, 300), bottom=y + random.uniform(0, 300))
        assert areas.meeting(area).tolist() == met(areas, area)


def test_that_borders_belong_to_rectangles() -> None:
    areas = Areas(*(np.array([value]) for value in (10.0, 20.0, 30.0, 40.0)))
    assert areas.at(30.0, 40.0).tolist() == [0]
    assert areas.at(30.0, 40.1).tolist() == []


def test_that_nothing_is_found_among_nothing() -> None:
    nothing = np.empty(0)
    assert Areas(nothing, nothing, nothing, nothing).at(0.0, 0.0).tolist() == []
