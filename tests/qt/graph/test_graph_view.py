"""The canvas under mouse, wheel and keys, with a real model."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper  # noqa: TID253 - models are what this is about
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from opstudio.model.diagram.records import Box, BoxKind
from opstudio.qt.graph.box_painter import BoxPainter
from opstudio.qt.graph.graph_session import GraphSession
from opstudio.qt.graph.graph_view import GraphView
from opstudio.qt.graph.line_painter import _apart
from opstudio.qt.graph.picture import Picture
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from tests.qt.graph.pictures import wait_for_picture
from tests.support.large_models import write_large_model
from tests.unit.model.graph.samples import rich_model, written


@pytest.fixture(scope="module")
def model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_large_model(tmp_path_factory.mktemp("models") / "cnn.onnx", "cnn", 100, custom_every=3)


@pytest.fixture
def view(theme: Theme, icons: Icons, model_path: Path, qtbot: QtBot) -> Iterator[GraphView]:
    session = GraphSession(lambda: sys.executable)
    view = GraphView(session, theme, icons)
    view.resize(900, 700)
    view.show()
    session.open(model_path)
    wait_for_picture(session, qtbot)
    yield view
    session.close()
    session.deleteLater()
    view.close()
    view.deleteLater()


def session_of(view: GraphView) -> GraphSession:
    return view._session


def picture_in(view: GraphView) -> Picture:
    picture = view.canvas.picture
    assert picture is not None
    return picture


def point_of(view: GraphView, box: int) -> QPoint:
    area = picture_in(view).box_area(box)
    return view.canvas.camera.to_screen((area.left + area.right) / 2, (area.top + area.bottom) / 2).toPoint()


def a_node(view: GraphView, title: str) -> int:
    """Return the first box with a title that is seen."""
    boxes = picture_in(view).boxes_in(view.canvas.camera.seen.grown(-60.0)).tolist()
    return next(box for box in boxes if picture_in(view).box(box).title == title)


def turn_wheel(view: GraphView, at: QPoint, angle: int, keys: Qt.KeyboardModifier) -> None:
    canvas = view.canvas
    event = QWheelEvent(
        QPointF(at),
        QPointF(canvas.mapToGlobal(at)),
        QPoint(),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas, event)


def test_that_the_start_of_the_model_is_seen_first(view: GraphView) -> None:
    start = picture_in(view).box_of_value("input")
    assert start is not None
    assert view.canvas.camera.seen.holds(picture_in(view).box_area(start))


def test_that_the_wheel_zooms_at_the_pointer(view: GraphView) -> None:
    box = a_node(view, "Conv")
    at, before = point_of(view, box), view.canvas.camera.zoom
    turn_wheel(view, at, 240, Qt.KeyboardModifier.NoModifier)
    assert view.canvas.camera.zoom > before
    assert (point_of(view, box) - at).manhattanLength() <= 2
    turn_wheel(view, at, -240, Qt.KeyboardModifier.ControlModifier)
    assert view.canvas.camera.zoom == pytest.approx(before)


def test_that_dragging_moves_the_picture_and_selects_nothing(view: GraphView, qtbot: QtBot) -> None:
    box = a_node(view, "Conv")
    start = point_of(view, box)
    qtbot.mousePress(view.canvas, Qt.MouseButton.LeftButton, pos=start)
    for step in (10, 40, 80):
        qtbot.mouseMove(view.canvas, start + QPoint(step, -step // 2))
    qtbot.mouseRelease(view.canvas, Qt.MouseButton.LeftButton, pos=start + QPoint(80, -40))
    assert (point_of(view, box) - (start + QPoint(80, -40))).manhattanLength() <= 2
    assert session_of(view).selected_node is None


def test_that_a_click_selects_a_node_and_the_ground_nothing(view: GraphView, qtbot: QtBot) -> None:
    box = a_node(view, "Conv")
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=point_of(view, box))
    assert session_of(view).selected_node == picture_in(view).box(box).nodes[0]
    look = view.canvas.look
    assert look is not None
    assert look.selected == box
    assert set(look.selected_edges.tolist()) == set(picture_in(view).edges_of_box(box).tolist())
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert (session_of(view).selected_node, look.selected) == (None, None)


def test_that_a_click_on_a_line_selects_its_value(view: GraphView, qtbot: QtBot) -> None:
    picture = picture_in(view)
    box = a_node(view, "Conv")
    (edge,) = np.flatnonzero(picture.placed.graph.edges.target == box).tolist()
    route = picture.placed.layout.route(edge)
    x, y = ((route[-1] + route[-2]) / 2).tolist()
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=view.canvas.camera.to_screen(x, y).toPoint())
    assert session_of(view).selected_value == picture.placed.diagram.values[edge]


def test_that_an_input_is_selected_as_a_value(view: GraphView, qtbot: QtBot) -> None:
    start = picture_in(view).box_of_value("input")
    assert start is not None
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=point_of(view, start))
    assert session_of(view).selected_value == "input"


def test_that_the_thing_under_the_pointer_is_told_and_its_lines_lit(view: GraphView, qtbot: QtBot) -> None:
    box = a_node(view, "BatchNormalization")
    qtbot.mouseMove(view.canvas, point_of(view, box))
    look = view.canvas.look
    assert look is not None
    assert look.hovered == box
    assert look.hovered_edges.size == 2
    assert view.card.isVisible()
    node = session_of(view).node(picture_in(view).box(box).nodes[0])
    assert node is not None
    assert "BatchNormalization" in view.card.text
    assert node.name in view.card.text
    view.canvas.pointed_changed.emit(None, int(look.hovered_edges[0]))
    value = picture_in(view).placed.diagram.values[int(look.hovered_edges[0])]
    assert value in view.card.text
    view.canvas.pointed_changed.emit(None, None)
    assert not view.card.isVisible()


def test_that_keys_walk_along_the_values_and_the_view_follows(view: GraphView, qtbot: QtBot) -> None:
    session = session_of(view)
    view.canvas.setFocus()
    session.select_node(0, reveal=True)
    for _ in range(12):
        qtbot.keyClick(view.canvas, Qt.Key.Key_Down)
    look = view.canvas.look
    assert look is not None
    assert look.selected is not None
    assert look.selected != picture_in(view).boxes_of_nodes(np.array([0]))[0]
    assert view.canvas.camera.seen.holds(picture_in(view).box_area(look.selected))
    for _ in range(12):
        qtbot.keyClick(view.canvas, Qt.Key.Key_Up)
    assert session.selected_node == 0
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert session.selected_node is None
    before = view.canvas.camera.y
    qtbot.keyClick(view.canvas, Qt.Key.Key_Down)
    assert view.canvas.camera.y > before


def test_that_groups_open_in_place_and_close(view: GraphView, qtbot: QtBot) -> None:
    session = session_of(view)
    box = picture_in(view).box(a_node(view, "Conv"))
    assert box.around
    session.toggle_group(box.around)
    wait_for_picture(session, qtbot)
    picture = picture_in(view)
    (group,) = [at for at, other in enumerate(picture.placed.diagram.boxes) if other.group == box.around]
    area = picture.box_area(group)
    view.canvas.center_on((area.left + area.right) / 2, area.bottom)
    at = view.canvas.camera.to_screen((area.left + area.right) / 2, area.top)
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=point_of(view, group))
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=point_of(view, group))
    wait_for_picture(session, qtbot)
    opened = picture_in(view)
    assert all(other.kind is not BoxKind.GROUP or other.group != box.around for other in opened.placed.diagram.boxes)
    first = opened.box_area(int(opened.boxes_of_nodes(np.array(picture.box(group).nodes[:1]))[0]))
    now = view.canvas.camera.to_screen((first.left + first.right) / 2, first.top)
    assert (now - at).manhattanLength() < 60


def test_that_graphs_are_entered_with_the_keyboard_and_left_to_the_same_view(
    view: GraphView, tmp_path: Path, qtbot: QtBot
) -> None:
    session = session_of(view)
    session.open(written(tmp_path, rich_model()))
    wait_for_picture(session, qtbot)
    number = next(at for at, node in enumerate(rich_model().graph.node) if node.op_type == "If")
    session.select_node(number, reveal=True)
    view.canvas.set_zoom(1.7)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Return)
    assert session.scope != ()
    wait_for_picture(session, qtbot)
    assert picture_in(view).placed.diagram.scope == session.scope
    qtbot.keyClick(view.canvas, Qt.Key.Key_Backspace)
    wait_for_picture(session, qtbot)
    assert session.scope == ()
    assert view.canvas.camera.zoom == pytest.approx(1.7)
    look = view.canvas.look
    assert look is not None
    assert look.selected is not None
    assert picture_in(view).box(look.selected).title == "If"


def test_that_the_overview_leads_anywhere_and_goes_away_when_all_is_seen(view: GraphView, qtbot: QtBot) -> None:
    view.canvas.set_zoom(1.0)
    assert view.overview.isVisible()
    overview = view.overview
    qtbot.mouseClick(overview, Qt.MouseButton.LeftButton, pos=QPoint(overview.width() // 2, overview.height() - 8))
    assert view.canvas.camera.y > picture_in(view).size[1] * 0.8
    view.canvas.fit()
    assert not view.overview.isVisible()


@pytest.mark.parametrize("zoom", [2.0, 0.8, 0.4, 0.1, 0.01])
def test_that_boxes_are_seen_at_every_zoom(view: GraphView, zoom: float) -> None:
    view.canvas.set_zoom(zoom)
    box = int(picture_in(view).boxes_of_nodes(np.array([0]))[0])
    view.canvas.center_on(float(picture_in(view).placed.layout.x[box]), float(picture_in(view).placed.layout.y[box]))
    image = view.canvas.grab().toImage()
    ground = image.pixelColor(1, 1)
    assert image.pixelColor(point_of(view, box)) != ground


def test_that_a_long_domain_leaves_a_node_its_type(theme: Theme, icons: Icons) -> None:
    painter = BoxPainter(theme, icons)
    box = Box(kind=BoxKind.NODE, title="CustomGemm", domain="a.very.long.domain.of.somebody.else", nodes=(0,))
    shown = painter._laid_out_title(box, 200.0, 0.0).text()
    assert shown.endswith(":CustomGemm")
    assert shown.startswith("…")
    assert painter._laid_out_title(box, 200.0, 0.0) is painter._laid_out_title(box, 200.0, 0.0)


def test_that_stubs_at_one_pixel_are_painted_once_and_lit_ones_win() -> None:
    tips = np.array([[10.0, 5.0], [10.2, 5.0], [10.4, 5.0], [30.0, 5.0], [10.0, 90.0]])
    lit = np.array([False, False, True, False, False])
    assert _apart(tips, lit).tolist() == [2, 4, 3]


def test_that_the_start_of_a_picture_shows_some_of_it(theme: Theme, icons: Icons, qtbot: QtBot, tmp_path: Path) -> None:
    # A tall part and a wide one beside it: at the upper end of the middle there is nothing.
    chain = [helper.make_node("Relu", [f"v{k}"], [f"v{k + 1}"]) for k in range(60)]
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1])  # noqa: E731
    loose = [value(f"unused {number}") for number in range(900)]
    graph = helper.make_graph(chain, "g", [value("v0"), *loose], [value("v60")])
    session = GraphSession(lambda: sys.executable)
    view = GraphView(session, theme, icons)
    view.resize(500, 400)
    view.show()
    session.open(written(tmp_path, helper.make_model(graph)))
    wait_for_picture(session, qtbot)
    assert picture_in(view).boxes_in(view.canvas.camera.seen).size > 0
    session.close()
    session.deleteLater()
    view.close()
    view.deleteLater()
