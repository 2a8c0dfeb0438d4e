"""The faint frames around the boxes of open groups, with the names of these."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from opstudio.base.colours import mix
from opstudio.model.diagram.box_texts import elide
from opstudio.model.diagram.frames import TITLE_ROOM
from opstudio.qt.graph.areas import Area
from opstudio.qt.graph.letters import canvas_font, measure_letters
from opstudio.qt.graph.picture import Picture
from opstudio.qt.theme.fonts import SMALL_PIXELS
from opstudio.qt.theme.theme import Theme

_RADIUS = 6.0
_INSIDE = 6.0
"""Between the left side of a frame and its title."""
_TITLE_HEIGHT = TITLE_ROOM + 4.0
_SHADE = 60
"""How much of the ground of boxes lies in a frame, of 255; frames within frames become lighter."""


class FramePainter:
    """Paints frames in the pixels of zoom 1."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._font = canvas_font(SMALL_PIXELS)
        self._letters = measure_letters(self._font)

    def paint(self, painter: QPainter, picture: Picture, area: Area) -> None:
        """Paint the frames that are seen, outer ones first."""
        tokens = self._theme.tokens
        pen = QPen(QColor(tokens.line), 1.0)
        pen.setCosmetic(True)
        shade = QColor(tokens.raised)
        shade.setAlpha(_SHADE)
        painter.setPen(pen)
        painter.setBrush(shade)
        for number in picture.frames.meeting(area).tolist():
            painter.drawRoundedRect(_rect(picture, number), _RADIUS, _RADIUS)

    def paint_titles(self, painter: QPainter, picture: Picture, area: Area) -> None:
        """Write the names of the frames, over lines that pass there."""
        tokens = self._theme.tokens
        painter.setFont(self._font)
        painter.setPen(QColor(tokens.text_2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        ground = QColor(mix(tokens.raised, tokens.ground, _SHADE / 255))
        taken: list[QRectF] = []
        for number in picture.frames.meeting(area).tolist():
            self._paint_title(painter, picture.placed.frames[number].title, _rect(picture, number), taken, ground)

    def _paint_title(self, painter: QPainter, title: str, rect: QRectF, taken: list[QRectF], ground: QColor) -> None:
        """Write a title at the left, or at the right where that of an outer frame is; else nowhere."""
        text = elide(title, self._letters, rect.width() - 2 * _INSIDE)
        wide = self._letters.width(text) + 2.0
        top = rect.top() + 1.0
        for left in (rect.left() + _INSIDE, rect.right() - _INSIDE - wide):
            place = QRectF(left, top, wide, _TITLE_HEIGHT)
            if not any(place.intersects(other) for other in taken):
                taken.append(place)
                painter.fillRect(place.adjusted(-1.0, 1.0, 1.0, -2.0), ground)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
                return


def _rect(picture: Picture, number: int) -> QRectF:
    frame = picture.placed.frames[number]
    return QRectF(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top)
