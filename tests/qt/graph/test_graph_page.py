"""The page in the middle: its four states, the search, pictures as files, and very many nodes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import onnx  # noqa: TID253 - the second opinion
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from opstudio.qt.graph.colouring import ColourBy
from opstudio.qt.graph.graph_session import GraphState
from opstudio.qt.graph_page import GraphPage
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import PanelState
from opstudio.qt.theme.theme import ThemeChoice
from tests.qt.graph.pictures import PATIENCE_MS, wait_for_picture
from tests.qt.window_access import words
from tests.support.large_models import DOMAIN, write_large_model
from tests.unit.model.graph.samples import rich_model, sample, written

NODES = 120


@pytest.fixture
def page(window: MainWindow) -> GraphPage:
    window.perspectives.show("graph")
    page = window.center.page("graph")
    assert isinstance(page, GraphPage)
    return page


@pytest.fixture
def model_path(tmp_path: Path) -> Path:
    return write_large_model(tmp_path / "net.onnx", "cnn", NODES, custom_every=3)


def search(page: GraphPage, text: str, qtbot: QtBot) -> str:
    """Type into the field; return what is said."""
    field = page.bar.search.field
    field.clear()
    page.search.search("")
    qtbot.keyClicks(field, text)
    qtbot.waitUntil(lambda: bool(page.bar.search.said), timeout=PATIENCE_MS)
    return page.bar.search.said


def test_that_an_empty_page_offers_the_one_action_that_fills_it(window: MainWindow, page: GraphPage) -> None:
    assert page.panel_state is PanelState.EMPTY
    assert "drop one here" in words(page)
    assert window.actions_.open_model.text() == "Open model…"
    assert not page.actions_.fit.isEnabled()


def test_that_a_damaged_file_is_told_in_place(window: MainWindow, page: GraphPage, qtbot: QtBot) -> None:
    window.graph.open(sample("open/corrupt_30_bytes.onnx"))
    qtbot.waitUntil(lambda: window.graph.state is GraphState.FAILING, timeout=PATIENCE_MS)
    assert page.panel_state is PanelState.FAILING
    finding = window.graph.findings[0]
    for part in (finding.title, finding.cause, finding.fix, finding.id):
        assert part in words(page)


def test_that_reading_is_told_and_the_picture_before_stays(
    window: MainWindow, page: GraphPage, model_path: Path, qtbot: QtBot
) -> None:
    window.graph.open(model_path)
    wait_for_picture(window.graph, qtbot)
    assert page.panel_state is PanelState.READY
    before = page.view.canvas.picture
    window.graph.open(model_path)
    assert page.panel_state is PanelState.BUSY
    assert page.busy_text == "", "the first moments pass without a word"
    page._show_busy()
    assert page.busy_text == "Reading net.onnx"
    assert page.view.canvas.picture is before
    wait_for_picture(window.graph, qtbot)
    assert (page.busy_text, page.panel_state) == ("", PanelState.READY)


def test_that_a_search_counts_what_onnx_lists_and_goes_on_from_one_to_the_next(
    window: MainWindow, page: GraphPage, model_path: Path, qtbot: QtBot
) -> None:
    window.graph.open(model_path)
    wait_for_picture(window.graph, qtbot)
    expected = [node.name for node in onnx.load(model_path).graph.node if node.op_type == "Concat"]
    assert search(page, "type:concat", qtbot) == f"{len(expected)} found"
    field = page.bar.search.field
    visited = []
    for number in range(1, len(expected) + 1):
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert page.bar.search.said == f"{number} of {len(expected)}"
        node = window.graph.node(window.graph.selected_node)
        assert node is not None
        visited.append(node.name)
    assert visited == expected
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    if len(expected) > 1:
        assert page.bar.search.said == f"{len(expected) - 1} of {len(expected)}"
    look = page.view.canvas.look
    assert look is not None
    assert int(look.found.sum()) == len(expected)
    field.clear()
    qtbot.waitUntil(lambda: not look.found.any(), timeout=PATIENCE_MS)
    assert page.bar.search.said == ""


def test_that_matches_in_other_graphs_are_counted_apart(
    window: MainWindow, page: GraphPage, tmp_path: Path, qtbot: QtBot
) -> None:
    window.graph.open(written(tmp_path, rich_model()))
    wait_for_picture(window.graph, qtbot)
    assert search(page, "type:If", qtbot) == "1 found, 1 in other graphs"


def test_that_a_broken_pattern_is_told(window: MainWindow, page: GraphPage, model_path: Path, qtbot: QtBot) -> None:
    window.graph.open(model_path)
    wait_for_picture(window.graph, qtbot)
    assert "found" not in search(page, "name:/(/", qtbot)


def test_that_the_finder_keys_search_the_graph_while_it_is_shown(
    window: MainWindow, page: GraphPage, model_path: Path, qtbot: QtBot
) -> None:
    window.graph.open(model_path)
    wait_for_picture(window.graph, qtbot)
    window.actions_.find.trigger()
    assert window.focusWidget() is page.bar.search.field
    search(page, "relu", qtbot)
    search(page, "type:Conv", qtbot)
    window.actions_.find_next.trigger()
    assert page.bar.search.said.startswith("1 of ")
    qtbot.keyClick(page.bar.search.field, Qt.Key.Key_Escape)
    assert window.focusWidget() is page.view.canvas


def test_that_the_way_back_is_named_and_leads_there(
    window: MainWindow, page: GraphPage, tmp_path: Path, qtbot: QtBot
) -> None:
    window.graph.open(written(tmp_path, rich_model()))
    wait_for_picture(window.graph, qtbot)
    assert page.bar.crumbs.texts == ("model.onnx",)
    window.graph.enter(("If outer", "then_branch", "If inner", "else_branch"))
    assert page.bar.crumbs.texts == ("model.onnx", "If outer · then_branch", "If inner · else_branch")
    wait_for_picture(window.graph, qtbot)
    page.actions_.leave.trigger()
    assert window.graph.scope == ("If outer", "then_branch")
    page.bar.crumbs.chosen.emit(())
    assert window.graph.scope == ()
    assert not page.actions_.leave.isEnabled()


def test_that_unresolved_nodes_are_counted_and_walked_through(
    window: MainWindow, page: GraphPage, model_path: Path, qtbot: QtBot
) -> None:
    window.graph.open(model_path)
    wait_for_picture(window.graph, qtbot, resolved=True)
    custom = [node.name for node in onnx.load(model_path).graph.node if node.domain == DOMAIN]
    assert page.bar.resolution.text() == f"{len(custom)} unresolved"
    page.view.canvas.setFocus()
    visited = set()
    for _ in custom:
        page.actions_.next_unresolved.trigger()
        node = window.graph.node(window.graph.selected_node)
        assert node is not None
        visited.add(node.name)
    assert visited == set(custom)


def test_that_colours_are_named_in_words(window: MainWindow, page: GraphPage, model_path: Path, qtbot: QtBot) -> None:
    window.graph.open(model_path)
    wait_for_picture(window.graph, qtbot)
    page.view.set_colour_by(ColourBy.DOMAIN)
    page.bar.colours.fill()
    menu = page.bar.colours.menu()
    assert isinstance(menu, QMenu)
    nodes = onnx.load(model_path).graph.node
    custom = sum(node.domain == DOMAIN for node in nodes)
    lines = [action.text() for action in menu.actions()]
    assert f"ai.onnx\t{len(nodes) - custom}" in lines
    assert f"{DOMAIN}\t{custom}" in lines
    (line,) = [action for action in menu.actions() if action.text().startswith(DOMAIN)]
    line.trigger()
    look = page.view.canvas.look
    assert look is not None
    assert int(look.found.sum()) == custom


def test_that_the_menu_of_a_node_leads_to_its_neighbours_and_groups(
    window: MainWindow, page: GraphPage, model_path: Path, qtbot: QtBot
) -> None:
    window.graph.open(model_path)
    wait_for_picture(window.graph, qtbot)
    canvas, picture = page.view.canvas, page.view.canvas.picture
    assert picture is not None
    (node, *_) = [node for node in onnx.load(model_path).graph.node if node.op_type == "Concat"]
    number = next(at for at, record in enumerate(onnx.load(model_path).graph.node) if record.name == node.name)
    box = int(picture.placed.diagram.box_of_node[number])
    menu = page._menu.open(canvas, canvas.mapToGlobal(canvas.rect().center()), picture, box, None)
    actions = {action.text(): action for action in menu.actions()}
    actions["Copy the name"].trigger()
    assert QGuiApplication.clipboard().text() == node.name
    (producers,) = [action.menu() for text, action in actions.items() if text.startswith("Producers")]
    assert isinstance(producers, QMenu)
    assert len(producers.actions()) == len(node.input)
    producers.actions()[0].trigger()
    reached = window.graph.node(window.graph.selected_node)
    assert reached is not None
    assert set(reached.outputs) & set(node.input)
    (close,) = [action for text, action in actions.items() if text.startswith("Close the group ")]
    close.trigger()
    wait_for_picture(window.graph, qtbot)
    assert window.graph.placed is not None
    assert picture.box(box).around in window.graph.placed.diagram.collapsed
    menu.close()


def test_that_a_picture_is_saved_as_drawing_and_as_image(
    window: MainWindow, page: GraphPage, model_path: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window.graph.open(model_path)
    wait_for_picture(window.graph, qtbot)
    page.save_picture(tmp_path / "net.svg")
    texts = "".join(ET.parse(tmp_path / "net.svg").getroot().itertext())  # noqa: S314 - a file of ours
    assert texts.count("Concat") >= 1
    page.save_picture(tmp_path / "net.png")
    image = QImage(str(tmp_path / "net.png"))
    picture = page.view.canvas.picture
    assert picture is not None
    width, height = picture.size
    assert image.width() / image.height() == pytest.approx((width + 48) / (height + 48), rel=0.01)
    page.copy_picture()
    assert QGuiApplication.clipboard().image().size() == image.size()
    page.save_picture(tmp_path / "no such folder" / "net.svg" / "x.svg")
    page.save_picture(model_path / "below_a_file.svg")
    assert window.notice.isVisible()


def test_that_the_theme_changes_what_is_painted(
    window: MainWindow, page: GraphPage, model_path: Path, qtbot: QtBot
) -> None:
    window.graph.open(model_path)
    wait_for_picture(window.graph, qtbot)
    dark = page.view.canvas.grab().toImage()
    window._theme.choose(ThemeChoice.LIGHT)
    light = page.view.canvas.grab().toImage()
    assert dark.pixelColor(2, 2).lightness() < 60
    assert light.pixelColor(2, 2).lightness() > 200


def test_that_fifty_thousand_nodes_are_painted_at_every_zoom(
    window: MainWindow, page: GraphPage, tmp_path: Path, qtbot: QtBot
) -> None:
    path = write_large_model(tmp_path / "large.onnx", "transformer", 50_000)
    window.graph.open(path)
    wait_for_picture(window.graph, qtbot)
    page.actions_.open_all.trigger()
    wait_for_picture(window.graph, qtbot)
    picture, canvas = page.view.canvas.picture, page.view.canvas
    assert picture is not None
    assert picture.boxes.count > 50_000
    for zoom in (1.0, 0.4, 0.1, 0.02, canvas.camera.fitting):
        canvas.set_zoom(zoom)
        canvas.center_on(picture.size[0] / 2, picture.size[1] / 2)
        image = canvas.grab().toImage()
        colours = {image.pixel(x, y) for x in range(0, image.width(), 2) for y in range(0, image.height(), 7)}
        assert len(colours) > 2, zoom


def test_that_a_long_name_of_a_file_loses_its_middle_and_not_its_end(
    window: MainWindow, page: GraphPage, tmp_path: Path, qtbot: QtBot
) -> None:
    name = f"detector-{'of-many-things-' * 12}int8.onnx"
    window.graph.open(written(tmp_path, rich_model(), name))
    wait_for_picture(window.graph, qtbot)
    title = page.bar._title
    qtbot.waitUntil(lambda: "…" in title.text(), timeout=PATIENCE_MS)
    assert title.text().endswith(".onnx")
    assert title.text().startswith("det")
    assert title.fontMetrics().horizontalAdvance(title.text()) <= title.width()
    assert title.toolTip().endswith(name)
