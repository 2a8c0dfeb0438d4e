"""Boxes that are too small to be read: coloured rectangles, and dots of an image where there are very many."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from opstudio.base.colours import Tokens
from opstudio.layout.arrays import Floats, Integers
from opstudio.qt.graph.areas import Area
from opstudio.qt.graph.look import Look, far_colours
from opstudio.qt.graph.picture import Picture

MOST_RECTANGLES = 3000
"""From more boxes than these an image is filled instead: a call with a rectangle each would be slower."""
_SEEN = 3.0
"""What must not be overlooked is so large on the screen, in pixels, however small its box is."""


def paint_far(painter: QPainter, picture: Picture, look: Look, boxes: Integers, tokens: Tokens) -> None:
    """Paint boxes as rectangles, in the pixels of zoom 1."""
    least = _pixels(painter, 1.0)
    colours = far_colours(look.colouring, tokens)
    painter.setPen(Qt.PenStyle.NoPen)
    tones = look.colouring.of_box[boxes]
    for tone in np.unique(tones).tolist():
        painter.setBrush(colours[tone])
        painter.drawRects(_rectangles(picture, boxes[tones == tone], least))


def paint_dots(painter: QPainter, picture: Picture, look: Look, boxes: Integers, tokens: Tokens, seen: Area) -> None:
    """Paint very many boxes by filling an image of the part of the picture that is seen."""
    ratio = painter.device().devicePixelRatioF()
    across, down = painter.transform().m11() * ratio, painter.transform().m22() * ratio
    width, height = max(round(seen.width * across), 1), max(round(seen.height * down), 1)
    colours = np.array([colour.rgba() for colour in far_colours(look.colouring, tokens)], dtype=np.uint32)
    areas = picture.boxes
    left = np.floor((areas.left[boxes] - seen.left) * across).astype(np.int64)
    top = np.floor((areas.top[boxes] - seen.top) * down).astype(np.int64)
    right = np.maximum(np.ceil((areas.right[boxes] - seen.left) * across).astype(np.int64), left + 1)
    bottom = np.maximum(np.ceil((areas.bottom[boxes] - seen.top) * down).astype(np.int64), top + 1)
    left, right = np.clip(left, 0, width), np.clip(right, 0, width)
    top, bottom = np.clip(top, 0, height), np.clip(bottom, 0, height)
    pixels = np.zeros(width * height, dtype=np.uint32)
    colour = colours[look.colouring.of_box[boxes]]
    for row in range(int((bottom - top).max(initial=0))):
        deep = np.flatnonzero((bottom - top > row) & (right > left))
        runs = (right - left)[deep]
        starts = (top[deep] + row) * width + left[deep]
        ends = np.cumsum(runs)
        within = np.arange(int(ends[-1]) if ends.size else 0) - np.repeat(ends - runs, runs)
        pixels[np.repeat(starts, runs) + within] = np.repeat(colour[deep], runs)
    image = QImage(pixels.tobytes(), width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    painter.drawImage(QRectF(seen.left, seen.top, width / across, height / down), image)


def paint_far_states(painter: QPainter, picture: Picture, look: Look, boxes: Integers, tokens: Tokens) -> None:
    """Paint what nobody implements, what was found, and what is selected over all the rest."""
    least, away = _pixels(painter, _SEEN), 2.0 / painter.transform().m11()
    painter.setPen(Qt.PenStyle.NoPen)
    for chosen, token in ((look.unresolved, tokens.bad), (look.found, tokens.text)):
        painter.setBrush(QColor(token))
        painter.drawRects(_rectangles(picture, boxes[chosen[boxes]], least))
    for number, token in ((look.current, tokens.warn), (look.hovered, tokens.text), (look.selected, tokens.accent)):
        if number is not None and number < picture.boxes.count:
            pen = QPen(QColor(token), 2.0)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            (rect,) = _rectangles(picture, np.array([number]), least)
            painter.drawRect(rect.adjusted(-away, -away, away, away))


def _pixels(painter: QPainter, count: float) -> tuple[float, float]:
    """Return how much of the picture some pixels of the screen are, across and down."""
    transform = painter.transform()
    return count / transform.m11(), count / transform.m22()


def _rectangles(picture: Picture, boxes: Integers, least: tuple[float, float]) -> list[QRectF]:
    """Return the rectangles of boxes, none smaller than ``least`` across and down."""
    areas = picture.boxes
    left, top = areas.left[boxes], areas.top[boxes]
    width, height = areas.right[boxes] - left, areas.bottom[boxes] - top
    left, width = _widened(left, width, least[0])
    top, height = _widened(top, height, least[1])
    return [QRectF(*rect) for rect in np.stack((left, top, width, height), axis=1).tolist()]


def _widened(start: Floats, extent: Floats, least: float) -> tuple[Floats, Floats]:
    wide = np.maximum(extent, least)
    return start - (wide - extent) / 2, wide
