"""Paints a part of a picture with as much as can be read at the zoom: for the canvas, for files, for the overview."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from opstudio.model.diagram.text_metrics import TextMetrics
from opstudio.qt.graph.areas import Area
from opstudio.qt.graph.box_painter import BoxPainter
from opstudio.qt.graph.far_painter import MOST_RECTANGLES, paint_dots, paint_far, paint_far_states
from opstudio.qt.graph.frame_painter import FramePainter
from opstudio.qt.graph.line_painter import LinePainter
from opstudio.qt.graph.look import Look
from opstudio.qt.graph.picture import Picture
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

NEAR = 0.55
"""The zoom from which on all texts are painted."""
MIDDLE = 0.28
"""The zoom from which on boxes are their titles."""
_SURROUND = 24.0
"""What stands around boxes, in pixels: rings, hatched borders, the second sheets of groups."""


class PicturePainter:
    """Holds the painters of boxes and lines together."""

    def __init__(self, theme: Theme, icons: Icons) -> None:
        self._theme = theme
        self._boxes, self._lines, self._frames = BoxPainter(theme, icons), LinePainter(theme), FramePainter(theme)

    @property
    def metrics(self) -> TextMetrics:
        """The widths of the letters that boxes are painted with."""
        return self._boxes.metrics

    def paint(self, painter: QPainter, picture: Picture, look: Look, seen: Area) -> None:
        """Paint what is seen. The painter's transformation leads from the pixels of zoom 1; its zoom decides."""
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        zoom = painter.transform().m11()
        area = seen.grown(_SURROUND / min(zoom, 1.0))
        if zoom < MIDDLE:
            self._paint_far(painter, picture, look, area)
        else:
            self._paint_near(painter, picture, look, area)

    def paint_small(self, painter: QPainter, picture: Picture, look: Look, area: Area) -> None:
        """Paint boxes as coloured rectangles only, whatever the zoom; it may differ across and down."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        boxes = picture.boxes_in(area)
        if boxes.size > MOST_RECTANGLES:
            paint_dots(painter, picture, look, boxes, self._theme.tokens, area)
        else:
            paint_far(painter, picture, look, boxes, self._theme.tokens)

    def paint_ground(self, painter: QPainter, rect: QRectF) -> None:
        """Paint the ground that the picture stands on."""
        painter.fillRect(rect, QColor(self._theme.tokens.ground))

    def _paint_near(self, painter: QPainter, picture: Picture, look: Look, area: Area) -> None:
        zoom = painter.transform().m11()
        pieces = picture.segments_in(area)
        boxes = picture.boxes_in(area).tolist()
        is_near = zoom >= NEAR
        self._frames.paint(painter, picture, area)
        self._boxes.paint_hatching(painter, picture, look, boxes)
        self._lines.paint_near(painter, picture, pieces, with_arrows=is_near)
        self._lines.paint_lit(painter, picture, look, pieces)
        if is_near:
            self._frames.paint_titles(painter, picture, area)
            self._lines.paint_stubs(painter, picture, look, area)
            self._boxes.paint_near(painter, picture, look, boxes)
        else:
            self._boxes.paint_middle(painter, picture, look, boxes)
        self._boxes.paint_states(painter, picture, look, boxes)

    def _paint_far(self, painter: QPainter, picture: Picture, look: Look, area: Area) -> None:
        tokens = self._theme.tokens
        pieces, boxes = picture.segments_in(area), picture.boxes_in(area)
        self._lines.paint_far(painter, picture, pieces)
        self._lines.paint_lit(painter, picture, look, pieces)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        if boxes.size > MOST_RECTANGLES:
            paint_dots(painter, picture, look, boxes, tokens, area)
        else:
            paint_far(painter, picture, look, boxes, tokens)
        paint_far_states(painter, picture, look, boxes, tokens)
