"""SVG files of pictures, as Qt draws them."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx import helper  # noqa: TID253 - models are what this is about
from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from opstudio.base.colours import THEMES, Tokens
from opstudio.model.diagram.records import Marks, NodeMark, NodeState, PlacedDiagram
from opstudio.model.diagram.svg import MARGIN, render_svg
from tests.unit.model.diagram.graphs import a_model, a_value, placed


@pytest.fixture
def picture(tmp_path: Path) -> PlacedDiagram:
    nodes = [
        helper.make_node("Relu", ["x"], ["m"], name="first"),
        helper.make_node("Gate", ["m"], ["y"], name="second", domain="lab"),
    ]
    return placed(tmp_path, a_model(nodes, [a_value("x", 2)], [a_value("y", 2)]))


def drawn(picture: PlacedDiagram, marks: Marks, tokens: Tokens) -> QImage:
    renderer = QSvgRenderer(QByteArray(render_svg(picture, marks, tokens=tokens).encode()))
    assert renderer.isValid()
    image = QImage(renderer.defaultSize(), QImage.Format.Format_RGB32)
    image.fill(QColor("#FF00FF"))
    with QPainter(image) as painter:
        renderer.render(painter, QRectF(0, 0, image.width(), image.height()))
    return image


def colours_in(image: QImage, picture: PlacedDiagram, box: int) -> set[str]:
    """Return the colours of the pixels inside of a box."""
    left = round(picture.layout.x[box] - picture.graph.width[box] / 2 + MARGIN) + 2
    top = round(picture.layout.y[box] - picture.graph.height[box] / 2 + MARGIN) + 2
    width, height = round(picture.graph.width[box]) - 4, round(picture.graph.height[box]) - 4
    return {image.pixelColor(x, y).name().upper() for x in range(left, left + width) for y in range(top, top + height)}


@pytest.mark.parametrize("tokens", THEMES, ids=lambda tokens: tokens.name)
def test_that_qt_draws_what_the_file_says(qapp: QApplication, picture: PlacedDiagram, tokens: Tokens) -> None:
    del qapp
    image = drawn(picture, {1: NodeMark(state=NodeState.UNRESOLVED)}, tokens)
    plain = drawn(picture, {}, tokens)

    # The ground reaches into every corner.
    last = image.width() - 1, image.height() - 1
    assert {image.pixelColor(*place).name().upper() for place in ((0, 0), last)} == {tokens.ground.upper()}
    first, second = 1, 2
    assert tokens.surface.upper() in colours_in(image, picture, first)
    assert tokens.tint("bad").upper() in colours_in(image, picture, second)
    assert tokens.tint("custom").upper() in colours_in(plain, picture, second)
    assert tokens.tint("bad").upper() not in colours_in(plain, picture, second)
    # Letters are drawn: there is more in a box than its ground.
    assert len(colours_in(image, picture, first)) > 5
