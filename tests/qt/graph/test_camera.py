from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QSizeF

from opstudio.qt.graph.areas import Area
from opstudio.qt.graph.camera import LARGEST, Camera


@pytest.fixture
def camera() -> Camera:
    camera = Camera()
    camera.view = QSizeF(800, 600)
    camera.set_picture(4000, 20_000)
    return camera


def close(one: QPointF, other: QPointF) -> bool:
    return (one - other).manhattanLength() < 1e-6


@pytest.mark.parametrize("factor", [1.3, 0.4, 100.0])
def test_that_what_is_under_the_pointer_stays_there(camera: Camera, factor: float) -> None:
    camera.center_on(1500, 9000)
    pointer = QPointF(123, 456)
    before = camera.to_picture(pointer)
    camera.zoom_at(pointer, factor)
    assert close(camera.to_picture(pointer), before)
    assert camera.zoom <= LARGEST


def test_that_the_transformation_is_that_of_points(camera: Camera) -> None:
    camera.set_zoom(0.7)
    point = QPointF(321, 12_345)
    assert close(camera.transform().map(point), camera.to_screen(point.x(), point.y()))
    assert close(camera.to_picture(camera.to_screen(321, 12_345)), point)


def test_that_all_is_seen_when_fitted_and_at_the_least_zoom(camera: Camera) -> None:
    camera.fit()
    assert camera.sees_all
    camera.set_zoom(0.0)
    assert camera.sees_all
    camera.set_zoom(1.0)
    assert not camera.sees_all


def test_that_a_small_picture_is_not_enlarged(camera: Camera) -> None:
    camera.set_picture(100, 50)
    camera.fit()
    assert camera.zoom == 1.0


def test_that_a_long_picture_begins_at_its_start_and_can_be_read(camera: Camera) -> None:
    camera.set_picture(600, 50_000)
    camera.show_start()
    assert 0.6 <= camera.zoom <= 1.0
    assert -60 < camera.seen.top < 0
    assert camera.seen.left < 0
    assert camera.seen.right > 600


def test_that_what_is_seen_already_is_revealed_without_a_move(camera: Camera) -> None:
    camera.center_on(2000, 5000)
    before = (camera.x, camera.y, camera.zoom)
    camera.reveal(Area(left=1990, top=4990, right=2010, bottom=5010))
    assert (camera.x, camera.y, camera.zoom) == before


@pytest.mark.parametrize("place", [(2450, 5000), (2000, 5320), (100, 19_000)])
def test_that_what_is_revealed_is_seen(camera: Camera, place: tuple[float, float]) -> None:
    camera.center_on(2000, 5000)
    area = Area(left=place[0], top=place[1], right=place[0] + 120, bottom=place[1] + 40)
    camera.reveal(area)
    assert camera.seen.holds(area)


def test_that_what_is_revealed_can_be_read(camera: Camera) -> None:
    camera.fit()
    camera.reveal(Area(left=100, top=100, right=220, bottom=140))
    assert camera.zoom >= 0.6


def test_that_the_picture_cannot_be_lost(camera: Camera) -> None:
    camera.pan(1e9, -1e9)
    assert (camera.x, camera.y) == (0.0, 20_000.0)
