"""SVG files: valid, bounded, and nothing of a model becomes markup."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import helper  # noqa: TID253 - models are what this is about

from opstudio.base.colours import DARK, LIGHT, THEMES, Tokens
from opstudio.layout.graph import Edges
from opstudio.model.diagram.placing import place_diagram
from opstudio.model.diagram.records import Box, BoxKind, Diagram, Marks, NodeMark, NodeState, PlacedDiagram
from opstudio.model.diagram.svg import MARGIN, render_svg
from opstudio.model.diagram.text_metrics import ESTIMATED
from tests.unit.model.diagram.graphs import a_chain, a_model, a_value, placed

SPACE = "{http://www.w3.org/2000/svg}"
UNRESOLVED: Marks = {0: NodeMark(state=NodeState.UNRESOLVED)}


def tree_of(picture: PlacedDiagram, marks: Marks | None = None, tokens: Tokens = LIGHT, title: str = "") -> ET.Element:
    text = render_svg(picture, marks or {}, tokens=tokens, title=title)
    return ET.fromstring(text)  # noqa: S314 - our own file


def texts(tree: ET.Element, kind: str) -> list[str]:
    return ["".join(item.itertext()) for item in tree.iter(f"{SPACE}text") if item.get("class") == kind]


def shapes(tree: ET.Element, kind: str) -> list[ET.Element]:
    return [item for item in tree.iter() if item.get("class") == kind]


def custom(folder: Path) -> PlacedDiagram:
    node = helper.make_node("Gate", ["x"], ["y"], name="gate", domain="lab", gain=0.5)
    return placed(folder, a_model([node], [a_value("x", 2)], [a_value("y", 2)]))


def test_that_a_picture_has_the_size_of_the_layout_and_a_margin(tmp_path: Path) -> None:
    picture = placed(tmp_path, a_chain(["a", "b"]))

    tree = tree_of(picture, title="model.onnx")

    assert tree.tag == f"{SPACE}svg"
    assert float(tree.get("width", "")) == pytest.approx(picture.layout.size[0] + 2 * MARGIN, abs=0.01)
    assert float(tree.get("height", "")) == pytest.approx(picture.layout.size[1] + 2 * MARGIN, abs=0.01)
    assert tree.findtext(f"{SPACE}title") == "model.onnx"


def test_that_every_box_stands_where_it_was_placed(tmp_path: Path) -> None:
    picture = placed(tmp_path, a_chain(["a", "b"]))

    found = [item.get("transform", "") for item in tree_of(picture).iter(f"{SPACE}g")][1:]

    corners = [tuple(map(float, re.findall(r"[-\d.]+", text))) for text in found]
    expected = np.stack((picture.layout.x - picture.graph.width / 2, picture.layout.y - picture.graph.height / 2), 1)
    assert np.allclose(corners, expected, atol=0.01)


def test_that_texts_are_texts(tmp_path: Path) -> None:
    tree = tree_of(custom(tmp_path))

    assert texts(tree, "title") == ["x", "lab:Gate", "y"]
    assert texts(tree, "small") == ["gate"]
    assert texts(tree, "detail") == ["2 float32", "gain 0.5", "2 float32"]


def test_that_the_domain_of_a_custom_node_stands_before_it_in_its_own_colour(tmp_path: Path) -> None:
    tree = tree_of(custom(tmp_path))

    assert [item.text for item in tree.iter(f"{SPACE}tspan") if item.get("class") == "custom"] == ["lab:"]
    assert len(shapes(tree, "custom-box")) == 1


def test_that_an_unresolved_node_is_hatched_and_says_so(tmp_path: Path) -> None:
    picture = custom(tmp_path)

    tree = tree_of(picture, UNRESOLVED)

    assert len(shapes(tree, "unresolved")) == 1
    assert texts(tree, "chip-text") == ["unresolved"]
    style = tree.findtext(f"{SPACE}style") or ""
    assert "url(#hatching)" in style
    assert tree.find(f"{SPACE}defs/{SPACE}pattern[@id='hatching']") is not None
    assert shapes(tree_of(picture, {0: NodeMark(state=NodeState.RESOLVED)}), "unresolved") == []


def test_that_a_group_says_how_many_of_its_nodes_are_unresolved(tmp_path: Path) -> None:
    picture = placed(tmp_path, a_chain(["/a/x", "/a/y", "/a/z"]), ["a"])
    marks = {node: NodeMark(state=NodeState.UNRESOLVED) for node in (0, 2)}

    assert texts(tree_of(picture, marks), "chip-text") == ["2 unresolved"]


def test_that_tooltips_tell_what_was_cut_and_who_implements(tmp_path: Path) -> None:
    node = helper.make_node("Gate", ["x"], ["y"], name="gate" * 30, domain="lab")
    picture = placed(tmp_path, a_model([node], [a_value("x", 2)], [a_value("y", 2)]))

    tree = tree_of(picture, {0: NodeMark(state=NodeState.RESOLVED, party="liblab.so")})

    titles = [item.text or "" for item in tree.iter(f"{SPACE}title")]
    assert f"lab:Gate\n{'gate' * 30}\nliblab.so" in titles
    assert texts(tree, "small")[0].startswith("…")


def test_that_lines_are_one_pixel_wide_and_tell_their_value(tmp_path: Path) -> None:
    tree = tree_of(placed(tmp_path, a_chain(["a", "b"])))

    assert [item.findtext(f"{SPACE}title") for item in shapes(tree, "line")] == ["v0", "v1", "v2"]
    assert "stroke-width: 1" in (tree.findtext(f"{SPACE}style") or "").partition(".line")[2].partition("}")[0]
    assert len(shapes(tree, "arrow")) == 3


def test_that_an_edge_that_is_no_line_has_a_label_at_both_ends() -> None:
    boxes = tuple(Box(kind=BoxKind.NODE, title=f"n{number}", nodes=(number,)) for number in range(42))
    # A value with forty readers, each of which reads the one before as well.
    ends = [(0, 0, number, 1) for number in range(1, 42)] + [(number, 0, number + 1, 0) for number in range(41)]
    columns = np.array(ends).T
    edges = Edges(source=columns[0], source_port=columns[1], target=columns[2], target_port=columns[3])
    values = tuple(["mask"] * 41 + [f"v{number}" for number in range(41)])
    diagram = Diagram(
        scope=(), boxes=boxes, edges=edges, values=values, box_of_node=np.arange(42), collapsed=frozenset()
    )
    picture = place_diagram(diagram, ESTIMATED)
    stubbed = set(picture.layout.stubs.edge.tolist())
    assert len(stubbed) > 30

    labels = texts(tree_of(picture), "label")

    # One where the value leaves, one at each reader.
    assert set(labels) == {"mask"}
    assert len(labels) == 1 + len(stubbed)


@pytest.mark.parametrize("tokens", THEMES, ids=lambda tokens: tokens.name)
def test_that_all_colours_are_those_of_the_theme(tmp_path: Path, tokens: Tokens) -> None:
    text = render_svg(custom(tmp_path), UNRESOLVED, tokens=tokens)
    other = DARK if tokens is LIGHT else LIGHT

    assert f'fill="{tokens.ground}"' in text
    used = set(re.findall(r"#[0-9A-Fa-f]{6}", text))
    assert {tokens.bad, tokens.custom, tokens.text} <= used
    assert not used & ({other.ground, other.surface, other.text} - {tokens.ground, tokens.surface, tokens.text})


NAMES = st.text(st.characters(), max_size=30) | st.sampled_from(
    ['"/><script>alert(1)</script>', "]]>", "&#0;", "\x00\x1b\uffff", "\ud800", "a\nb\tc", "<!--", "'\"&<>"]
)


@given(NAMES, NAMES, NAMES, NAMES)
def test_that_no_name_becomes_markup(title: str, name: str, domain: str, value: str) -> None:
    boxes = (
        Box(kind=BoxKind.INPUT, title=value, value=value),
        Box(kind=BoxKind.NODE, title=title, name=name, detail=name, domain=domain, nodes=(0,)),
    )
    edges = Edges(source=np.array([0]), target=np.array([1]))
    diagram = Diagram(
        scope=(), boxes=boxes, edges=edges, values=(value,), box_of_node=np.array([1]), collapsed=frozenset()
    )
    picture = place_diagram(diagram, ESTIMATED)

    tree = tree_of(picture, {0: NodeMark(state=NodeState.UNRESOLVED, party=title)}, title=title)

    tags = {item.tag.removeprefix(SPACE) for item in tree.iter()}
    known = {"svg", "title", "style", "defs", "pattern", "rect", "g", "path", "circle", "text", "tspan"}
    assert tags <= known
    # What is shown is no longer than its box is wide.
    assert all(ESTIMATED.title.width(text) <= 220 for text in texts(tree, "title"))


def test_that_long_names_make_no_large_file(tmp_path: Path) -> None:
    nodes = [helper.make_node("Relu", ["x"], ["y" * 60_000], name="n" * 60_000)]
    picture = placed(tmp_path, a_model(nodes, [a_value("x", 2)], [a_value("y" * 60_000, 2)]))

    assert len(render_svg(picture, {})) < 10_000


def test_that_an_empty_picture_is_a_file(tmp_path: Path) -> None:
    tree = tree_of(placed(tmp_path, a_model([], [], [])))

    assert (tree.get("width"), tree.get("height")) == ("48", "48")
