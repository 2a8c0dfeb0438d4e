"""The picture of a graph as a file or on the clipboard."""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter

from opstudio.base.errors import SetupError
from opstudio.base.files import write_atomic
from opstudio.model.diagram.records import Marks
from opstudio.model.diagram.svg import render_svg
from opstudio.qt.graph.areas import Area
from opstudio.qt.graph.look import Look
from opstudio.qt.graph.picture import Picture
from opstudio.qt.graph.picture_painter import PicturePainter
from opstudio.qt.theme.theme import Theme

MOST_PIXELS = 120_000_000
_LONGEST = 30_000
"""Of a side, in pixels: Qt's painter draws nothing beyond 32,767."""
_MARGIN = 24.0
_SCALE = 2.0
"""Pixels of an image for one of zoom 1, where that is not too many."""


def save_svg(path: Path, picture: Picture, marks: Marks, theme: Theme, painter: PicturePainter) -> None:
    """Write a picture as SVG in the colours of the window.

    Raises:
        SetupError: the file cannot be written.
    """
    text = render_svg(picture.placed, marks, title=path.stem, tokens=theme.tokens, metrics=painter.metrics)
    write_atomic(path, text.encode())


def save_png(path: Path, picture: Picture, look: Look, painter: PicturePainter) -> None:
    """Write a picture as PNG, all of it, as large as can be read where that is possible.

    Raises:
        SetupError: the file cannot be written, or the image takes more memory than there is.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not QImageWriter(buffer, QByteArray(b"png")).write(draw_image(picture, look, painter)):
        raise SetupError.of(
            f"{path.name} was not written",
            cause="the image could not be made",
            fix="Save the picture as SVG, or close some groups first",
            stage="graph",
        )
    write_atomic(path, bytes(buffer.data().data()))


def draw_image(picture: Picture, look: Look, painter: PicturePainter) -> QImage:
    """Return the whole picture without what is selected, found, or pointed at."""
    width, height = (size + 2 * _MARGIN for size in picture.size)
    scale = min(_SCALE, _LONGEST / max(width, height), math.sqrt(MOST_PIXELS / (width * height)))
    image = QImage(
        max(round(width * scale), 1), max(round(height * scale), 1), QImage.Format.Format_ARGB32_Premultiplied
    )
    if image.isNull():
        return image
    image.fill(Qt.GlobalColor.transparent)
    bare = Look.plain(picture)
    bare.colouring, bare.unresolved = look.colouring, look.unresolved
    with QPainter(image) as brush:
        painter.paint_ground(brush, QRectF(image.rect()))
        brush.scale(scale, scale)
        brush.translate(_MARGIN, _MARGIN)
        seen = Area(left=-_MARGIN, top=-_MARGIN, right=width, bottom=height)
        painter.paint(brush, picture, bare, seen)
    return image
