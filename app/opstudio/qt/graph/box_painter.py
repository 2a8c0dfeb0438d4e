"""Boxes of which something can be read: whole ones when near, their titles from further away."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QStaticText

from opstudio.model.diagram.box_texts import PADDING_X, PADDING_Y, elide, fit_header, header, small_lines
from opstudio.model.diagram.records import Box, BoxKind
from opstudio.model.diagram.text_metrics import LetterWidths, TextMetrics
from opstudio.qt.graph.detail_words import detail_words
from opstudio.qt.graph.letters import canvas_font, measure_letters
from opstudio.qt.graph.look import Look, header_colours
from opstudio.qt.graph.picture import Picture
from opstudio.qt.theme.fonts import SMALL_PIXELS, UI_PIXELS
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

_RADIUS = 4.0
_STACK = 4.0
"""How far the second sheet of a group stands out."""
_BADGE = 16
_HATCHED = 5.0
_HEADER_BELOW = 1.0
"""Between the text of a title and the end of its ground."""
_MOST_TEXTS = 6000
_TITLE_SIZES = (22.0, 19.0, 16.0, UI_PIXELS)
"""Sizes of titles that fill a whole box, largest first."""
_OF_TITLES, _OF_NAMES, _OF_DETAILS, _OF_VALUES = 0.0, 1.0, 2.0, 3.0
"""Instead of a size: the texts of a whole box. Names differ at their ends, details at their starts."""
_MIDDLE_PADDING = 5.0
_TITLE_HEIGHT = 21.0


class BoxPainter:
    """Paints boxes in the pixels of zoom 1; keeps outlines and laid out texts."""

    def __init__(self, theme: Theme, icons: Icons) -> None:
        self._theme, self._icons = theme, icons
        self._title, self._small = canvas_font(UI_PIXELS, semibold=True), canvas_font(SMALL_PIXELS)
        self.metrics = TextMetrics(
            title=measure_letters(self._title), small=measure_letters(self._small), title_height=_TITLE_HEIGHT
        )
        self._title_down = (_TITLE_HEIGHT - 2 * _HEADER_BELOW - QFontMetricsF(self._title).height()) / 2 - 1.0
        self._small_down = (self.metrics.small_height - QFontMetricsF(self._small).height()) / 2
        self._fonts = {size: canvas_font(size, semibold=True) for size in _TITLE_SIZES}
        self._texts: dict[tuple[str, float, float], QStaticText] = {}
        self._outlines: dict[tuple[float, float, float, bool], QPainterPath] = {}

    def paint_near(self, painter: QPainter, picture: Picture, look: Look, boxes: Iterable[int]) -> None:
        """Paint boxes with all that they say."""
        tokens, headers = self._theme.tokens, header_colours(look.colouring, self._theme.tokens)
        line = _pen(tokens.text_3)
        quiet, pale, text = QColor(tokens.surface), QColor(tokens.raised), QColor(tokens.text)
        small = QColor(tokens.text_2)
        tones = look.colouring.of_box
        for number in boxes:
            box, area = picture.box(number), picture.box_area(number)
            left, top, width, height = area.left, area.top, area.width, area.height
            painter.translate(left, top)
            painter.setPen(line)
            if box.kind is BoxKind.NODE or box.kind is BoxKind.GROUP:
                if box.kind is BoxKind.GROUP:
                    self._paint_sheet(painter, width, height, pale)
                painter.setBrush(quiet)
                painter.drawPath(self._outline(width, height))
                self._paint_header(painter, box, width, height, headers[tones[number]])
            else:
                self._paint_value(painter, box, width, height)
            self._paint_texts(painter, box, (width, height), text, small)
            painter.translate(-left, -top)

    def paint_middle(self, painter: QPainter, picture: Picture, look: Look, boxes: Iterable[int]) -> None:
        """Paint boxes that are their titles, as large as they fit."""
        tokens, headers = self._theme.tokens, header_colours(look.colouring, self._theme.tokens)
        line, text = _pen(tokens.text_3), QColor(tokens.text)
        value = QColor(tokens.raised)
        tones = look.colouring.of_box
        for number in boxes:
            box, rect = picture.box(number), _rect(picture, number)
            painter.setPen(line)
            painter.setBrush(headers[tones[number]] if box.nodes else value)
            painter.drawRect(rect)
            painter.setPen(text)
            self._paint_large_title(painter, box, rect)

    def paint_hatching(self, painter: QPainter, picture: Picture, look: Look, boxes: Iterable[int]) -> None:
        """Paint the hatched borders of what nobody implements, which can be read without their colour."""
        bad, ground = QColor(self._theme.tokens.bad), QColor(self._theme.tokens.tint("bad"))
        margin = _hatched(painter)
        painter.setPen(Qt.PenStyle.NoPen)
        for number in boxes:
            if look.unresolved[number]:
                rect = _whole(picture, number).adjusted(-margin, -margin, margin, margin)
                for brush in (QBrush(ground), QBrush(bad, Qt.BrushStyle.BDiagPattern)):
                    painter.setBrush(brush)
                    painter.drawRoundedRect(rect, _RADIUS + margin, _RADIUS + margin)

    def paint_states(self, painter: QPainter, picture: Picture, look: Look, boxes: Iterable[int]) -> None:
        """Paint what stands around boxes: nobody implements them, they were found, are selected or pointed at."""
        tokens, zoom = self._theme.tokens, painter.transform().m11()
        hatched = _hatched(painter)
        for number in boxes:
            rect = _whole(picture, number)
            around = hatched if look.unresolved[number] else 0.0
            if look.unresolved[number]:
                self._paint_ring(painter, rect, _pen(tokens.bad), 0.0)
            if look.found[number]:
                width = 3.0 if number == look.current else 2.0
                outside = 6.0 if number == look.selected else 3.0
                self._paint_ring(painter, rect, _pen(tokens.warn, width), around + outside / zoom)
            if number == look.hovered:
                self._paint_ring(painter, rect, _pen(tokens.text), 0.0)
            if number == look.selected:
                self._paint_ring(painter, rect, _pen(tokens.accent, 2.0), around + 2.0 / zoom)
            if look.unresolved[number] and zoom * rect.height() >= _BADGE:
                self._paint_badge(painter, QPointF(rect.right() + around, rect.top() - around))

    def _paint_sheet(self, painter: QPainter, width: float, height: float, ground: QColor) -> None:
        painter.setBrush(ground)
        painter.translate(_STACK, _STACK)
        painter.drawPath(self._outline(width, height))
        painter.translate(-_STACK, -_STACK)

    def _paint_header(self, painter: QPainter, box: Box, width: float, height: float, ground: QColor) -> None:
        lines = bool(small_lines(box))
        deep = PADDING_Y + self.metrics.title_height - _HEADER_BELOW if lines else height
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawPath(self._outline(width - 1.0, deep - 0.5, 0.5, is_open=lines))

    def _paint_value(self, painter: QPainter, box: Box, width: float, height: float) -> None:
        tokens = self._theme.tokens
        painter.setPen(_pen(tokens.text_3, dashed=box.kind is BoxKind.OUTER))
        painter.setBrush(QColor(tokens.raised))
        radius = min(height / 2, 14.0)
        painter.drawRoundedRect(QRectF(0.0, 0.0, width, height), radius, radius)

    def _paint_texts(self, painter: QPainter, box: Box, size: tuple[float, float], text: QColor, small: QColor) -> None:
        width, height = size
        # A title that is alone stands in the middle.
        room, down = width - 2 * PADDING_X, PADDING_Y if small_lines(box) else (height - _TITLE_HEIGHT) / 2 + 1.0
        is_value = not box.nodes
        painter.setPen(text)
        painter.setFont(self._title)
        self._draw(
            painter,
            self._laid_out_title(box, room, _OF_VALUES if is_value else _OF_TITLES),
            room,
            down + self._title_down,
            is_centred=is_value,
        )
        down += self.metrics.title_height
        painter.setPen(small)
        painter.setFont(self._small)
        for line in small_lines(box):
            is_name = line == box.name
            laid_out = self._laid_out(
                line if is_name else detail_words(line), room, _OF_NAMES if is_name else _OF_DETAILS
            )
            self._draw(painter, laid_out, room, down + self._small_down, is_centred=is_value)
            down += self.metrics.small_height

    def _draw(self, painter: QPainter, laid_out: QStaticText, room: float, down: float, *, is_centred: bool) -> None:
        left = PADDING_X + ((room - laid_out.size().width()) / 2 if is_centred else 0.0)
        painter.drawStaticText(QPointF(left, down), laid_out)

    def _laid_out_title(self, box: Box, room: float, size: float) -> QStaticText:
        """Return a title ready to be drawn; of a node the domain is cut first, without its type it says nothing."""
        text = header(box)
        if not box.domain:
            return self._laid_out(text, room, size)
        found = self._texts.get((text, room, size))
        return found or self._keep((text, room, size), "".join(fit_header(box, self._face(size)[0], room)))

    def _laid_out(self, text: str, room: float, size: float) -> QStaticText:
        """Return a text ready to be drawn and cut to its room; ``size`` is a large title's, or one of ``_OF_…``."""
        found = self._texts.get((text, room, size))
        if found is not None:
            return found
        shown = elide(text, self._face(size)[0], room, keeps_end=size in (_OF_NAMES, _OF_VALUES))
        return self._keep((text, room, size), shown)

    def _keep(self, key: tuple[str, float, float], shown: str) -> QStaticText:
        if len(self._texts) > _MOST_TEXTS:
            self._texts.clear()
        kept = QStaticText(shown)
        kept.setTextFormat(Qt.TextFormat.PlainText)
        kept.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
        kept.prepare(font=self._face(key[2])[1])
        self._texts[key] = kept
        return kept

    def _face(self, size: float) -> tuple[LetterWidths, QFont]:
        if size in (_OF_TITLES, _OF_VALUES):
            return self.metrics.title, self._title
        if size in (_OF_NAMES, _OF_DETAILS):
            return self.metrics.small, self._small
        factor, title = size / UI_PIXELS, self.metrics.title
        widths = LetterWidths(
            widths={letter: width * factor for letter, width in title.widths.items()}, other=title.other * factor
        )
        return widths, self._fonts[size]

    def _paint_large_title(self, painter: QPainter, box: Box, rect: QRectF) -> None:
        title = header(box)
        room = rect.width() - 2 * _MIDDLE_PADDING
        wide = self.metrics.title.width(title) / UI_PIXELS
        size = next((size for size in _TITLE_SIZES if wide * size <= room and size * 1.25 <= rect.height()), UI_PIXELS)
        painter.setFont(self._fonts[size])
        laid_out = self._laid_out_title(box, room, size)
        extent = laid_out.size()
        middle = rect.center()
        painter.drawStaticText(QPointF(middle.x() - extent.width() / 2, middle.y() - extent.height() / 2), laid_out)

    def _paint_badge(self, painter: QPainter, corner: QPointF) -> None:
        at = corner - QPointF(_BADGE * 0.75, _BADGE * 0.25)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.tokens.surface))
        painter.drawEllipse(QRectF(at.x() + 1, at.y() + 1, _BADGE - 2, _BADGE - 2))
        self._icons.paint(painter, "bad", "bad", at, size=_BADGE)

    def _paint_ring(self, painter: QPainter, rect: QRectF, pen: QPen, margin: float) -> None:
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        around = rect.adjusted(-margin, -margin, margin, margin)
        painter.drawRoundedRect(around, _RADIUS + margin, _RADIUS + margin)

    def _outline(self, width: float, height: float, inset: float = 0.0, *, is_open: bool = False) -> QPainterPath:
        """Return the outline of a box, of which there are few sizes; an open one has square lower corners."""
        key = (width, height, inset, is_open)
        path = self._outlines.get(key)
        if path is None:
            path = QPainterPath()
            path.addRoundedRect(QRectF(inset, inset, width, height), _RADIUS, _RADIUS)
            if is_open:
                lower = QPainterPath()
                lower.addRect(QRectF(inset, inset + height / 2, width, height / 2))
                path = path.united(lower)
            self._outlines[key] = path
        return path


def _rect(picture: Picture, number: int) -> QRectF:
    area = picture.box_area(number)
    return QRectF(area.left, area.top, area.width, area.height)


def _whole(picture: Picture, number: int) -> QRectF:
    """Return the room of a box with all that is painted of it: a group has a second sheet."""
    sheet = _STACK if picture.box(number).kind is BoxKind.GROUP else 0.0
    return _rect(picture, number).adjusted(0.0, 0.0, sheet, sheet)


def _hatched(painter: QPainter) -> float:
    """Return how wide hatched borders are: some pixels of the screen at least."""
    return max(_HATCHED, 3.0 / painter.transform().m11())


def _pen(colour: str, width: float = 1.0, *, dashed: bool = False) -> QPen:
    """Return a pen that is as wide on the screen at every zoom."""
    pen = QPen(QColor(colour), width)
    pen.setCosmetic(True)
    if dashed:
        pen.setStyle(Qt.PenStyle.DashLine)
    return pen
