"""Pictures from far away: filled images look as rectangles do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage, QPainter, QTransform

from opstudio.base.colours import DARK
from opstudio.qt.graph.areas import Area
from opstudio.qt.graph.far_painter import paint_dots, paint_far
from opstudio.qt.graph.look import Look
from tests.qt.graph.pictures import picture_of
from tests.support.large_models import write_large_model

WIDTH, HEIGHT = 150, 400


def test_that_dots_stand_where_rectangles_do_also_in_a_shortened_picture(tmp_path: Path) -> None:
    picture = picture_of(write_large_model(tmp_path / "cnn.onnx", "cnn", 300))
    across, down = picture.size
    look, boxes = Look.plain(picture), np.arange(picture.boxes.count)
    whole = Area(left=0.0, top=0.0, right=across, bottom=down)

    def painted(*, as_dots: bool) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        image = QImage(WIDTH, HEIGHT, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(0)
        with QPainter(image) as painter:
            painter.setTransform(QTransform.fromScale(WIDTH / across, HEIGHT / down))
            if as_dots:
                paint_dots(painter, picture, look, boxes, DARK, whole)
            else:
                paint_far(painter, picture, look, boxes, DARK)
        return np.frombuffer(image.constBits(), dtype=np.uint32).reshape(HEIGHT, WIDTH) != 0

    dots, rectangles = painted(as_dots=True), painted(as_dots=False)

    assert rectangles.mean() > 0.1
    # Borders are rounded otherwise, by a pixel at most: what is a pixel inside of one is in the other.
    inner = rectangles[1:-1, 1:-1] & rectangles[:-2, 1:-1] & rectangles[2:, 1:-1]
    assert dots[1:-1, 1:-1][inner & rectangles[1:-1, :-2] & rectangles[1:-1, 2:]].all()
    around = dots[1:-1, 1:-1] | dots[:-2, 1:-1] | dots[2:, 1:-1] | dots[1:-1, :-2] | dots[1:-1, 2:]
    assert around[rectangles[1:-1, 1:-1]].all()
