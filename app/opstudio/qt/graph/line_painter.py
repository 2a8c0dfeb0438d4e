"""The lines between boxes, their arrows, and the stubs of those that are not drawn as lines."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from opstudio.layout.arrays import Flags, Floats, Integers
from opstudio.layout.graph import Stubs
from opstudio.model.diagram.box_texts import elide
from opstudio.qt.graph.areas import Area
from opstudio.qt.graph.letters import canvas_font, measure_letters
from opstudio.qt.graph.line_paths import curved_path, straight_path, triangle_path
from opstudio.qt.graph.look import Look
from opstudio.qt.graph.picture import Picture
from opstudio.qt.theme.fonts import SMALL_PIXELS
from opstudio.qt.theme.theme import Theme

MOST_LINES = 9000
"""Of more pieces that are seen, the longest are painted; the others are shorter than a few pixels then."""
_SHORTEST = 2.0
"""Pieces shorter than this on the screen, in pixels, are left out from far away."""
_ARROW_WIDE, _ARROW_LONG = 3.5, 7.0
_KNOB = 2.5
_LABEL_WIDE, _LABEL_GAP = 150.0, 6.0


class LinePainter:
    """Paints lines in the pixels of zoom 1."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._font = canvas_font(SMALL_PIXELS)
        self._letters = measure_letters(self._font)

    def paint_far(self, painter: QPainter, picture: Picture, pieces: Integers) -> None:
        """Paint the pieces of lines that can be seen from far away, straight."""
        zoom = painter.transform().m11()
        lengths = picture.segments.length
        kept = pieces[lengths[pieces] >= _SHORTEST / zoom]
        if kept.size > MOST_LINES:
            kept = kept[np.argpartition(lengths[kept], -MOST_LINES)[-MOST_LINES:]]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(_pen(self._theme.tokens.text_3, 1.0))
        painter.drawPath(straight_path(picture.segments.start[kept], picture.segments.end[kept]))

    def paint_near(self, painter: QPainter, picture: Picture, pieces: Integers, *, with_arrows: bool) -> None:
        """Paint lines as curves."""
        start, end = picture.segments.start[pieces], picture.segments.end[pieces]
        is_straight = start[:, 0] == end[:, 0]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(_pen(self._theme.tokens.text_3, 1.0))
        # Lines of one value lie on one another; smoothed, they would add up to a thicker one.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.drawPath(straight_path(start[is_straight], end[is_straight]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=True)
        painter.drawPath(curved_path(start[~is_straight], end[~is_straight]))
        if with_arrows:
            self._paint_arrows(painter, picture, pieces, self._theme.tokens.text_2)

    def paint_lit(self, painter: QPainter, picture: Picture, look: Look, pieces: Integers) -> None:
        """Paint the lines of the selection and of what the pointer is on."""
        for edges, colour in (
            (look.hovered_edges, self._theme.tokens.text),
            (look.selected_edges, self._theme.tokens.accent),
        ):
            lit = pieces[_among(picture.segments.edge[pieces], edges)] if edges.size else edges
            if lit.size:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(_pen(colour, 2.0))
                painter.drawPath(curved_path(picture.segments.start[lit], picture.segments.end[lit]))
                self._paint_arrows(painter, picture, lit, colour)

    def paint_stubs(self, painter: QPainter, picture: Picture, look: Look, area: Area) -> None:
        """Paint the ends of values that are not drawn as lines, with their names where there is room."""
        layout, tokens = picture.placed.layout, self._theme.tokens
        numbers = picture.stubs_in(area.grown(_LABEL_WIDE))
        if not numbers.size:
            return
        stubs = layout.stubs
        lit = _among(stubs.edge[numbers], np.union1d(look.hovered_edges, look.selected_edges))
        painter.setFont(self._font)
        taken: dict[tuple[float, bool], float] = {}
        for at in _apart(stubs.tip[numbers], lit).tolist():
            number = int(numbers[at])
            colour = QColor(tokens.accent if lit[at] else tokens.text_2)
            anchor, tip = QPointF(*stubs.anchor[number].tolist()), QPointF(*stubs.tip[number].tolist())
            painter.setPen(_pen(colour.name(), 1.0))
            painter.drawLine(anchor, tip)
            painter.setBrush(colour)
            painter.drawEllipse(tip, _KNOB, _KNOB)
            value = picture.placed.diagram.values[int(stubs.edge[number])]
            if not (Stubs.at_source(number) and self._is_named(picture, int(stubs.edge[number]))):
                self._paint_label(painter, value, number, tip, taken)

    def _is_named(self, picture: Picture, edge: int) -> bool:
        """Whether an edge leaves a box that is called like the value, as an input is."""
        return bool(picture.box(int(picture.placed.graph.edges.source[edge])).value)

    def _paint_label(
        self, painter: QPainter, value: str, number: int, tip: QPointF, taken: dict[tuple[float, bool], float]
    ) -> None:
        """Write a value's name beside a stub, unless another name is there already."""
        leaves = Stubs.at_source(number)
        line = (tip.y(), leaves)
        text = elide(value, self._letters, _LABEL_WIDE, keeps_end=True)
        left = tip.x() + _LABEL_GAP
        if taken.get(line, -np.inf) > left - _LABEL_GAP:
            return
        wide = self._letters.width(text)
        taken[line] = left + wide
        painter.drawText(QRectF(left, tip.y() - 8.0, wide + 8.0, 16.0), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_arrows(self, painter: QPainter, picture: Picture, pieces: Integers, colour: str) -> None:
        segments = picture.segments
        edges = segments.edge[pieces]
        last = pieces[segments.first[edges + 1] - 1 == pieces]
        tip = segments.end[last]
        down = np.where(tip[:, 1] >= segments.start[last][:, 1], 1.0, -1.0)
        back = tip[:, 1] - _ARROW_LONG * down
        left = np.stack((tip[:, 0] - _ARROW_WIDE, back), axis=1)
        right = np.stack((tip[:, 0] + _ARROW_WIDE, back), axis=1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawPath(triangle_path(tip, left, right))


def _apart(tips: Floats, lit: Flags) -> Integers:
    """Return the stubs to paint, from left to right: of those at one pixel one, which is lit if any of them is."""
    by_place = np.lexsort((~lit, tips[:, 1], np.round(tips[:, 0])))
    places = np.stack((np.round(tips[by_place, 0]), tips[by_place, 1]), axis=1)
    is_first = np.ones(by_place.size, dtype=np.bool_)
    is_first[1:] = (places[1:] != places[:-1]).any(axis=1)
    chosen: Integers = by_place[is_first]
    return chosen


def _among(numbers: Integers, chosen: Integers) -> Flags:
    found: Flags = np.isin(numbers, chosen)
    return found


def _pen(colour: str, width: float) -> QPen:
    pen = QPen(QColor(colour), width)
    pen.setCosmetic(True)
    return pen
