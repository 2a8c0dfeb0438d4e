"""Sizes of boxes, and pictures that change little."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import onnx  # noqa: TID253 - models are what this is about
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import helper  # noqa: TID253

from opstudio.model.diagram.box_texts import (
    GRID,
    NARROWEST,
    PADDING_X,
    WIDEST,
    box_size,
    elide,
    fit_header,
    header,
    small_lines,
)
from opstudio.model.diagram.building import build_diagram
from opstudio.model.diagram.placing import place_diagram
from opstudio.model.diagram.records import Box, BoxKind, PlacedDiagram
from opstudio.model.diagram.text_metrics import ESTIMATED, LetterWidths, TextMetrics
from tests.unit.layout.drawings import lines_through_boxes, overlapping_boxes
from tests.unit.model.diagram.graphs import a_chain, a_model, a_value, opened, placed

TEXTS = st.text("il WmÄ…/.", max_size=40)
TEN = LetterWidths(widths={"i": 4.0}, other=10.0)


@given(TEXTS, TEXTS, TEXTS)
def test_that_a_box_has_room_for_its_texts_up_to_a_width(title: str, name: str, detail: str) -> None:
    box = Box(kind=BoxKind.NODE, title=title, name=name, detail=detail)

    width, height = box_size(box, ESTIMATED)

    assert NARROWEST <= width <= WIDEST
    assert (width % GRID, height % GRID) == (0, 0)
    needed = max(ESTIMATED.title.width(title), ESTIMATED.small.width(name), ESTIMATED.small.width(detail))
    assert width >= min(needed + 2 * PADDING_X, WIDEST)
    assert height >= ESTIMATED.title_height + ESTIMATED.small_height * (bool(name) + bool(detail))


def test_that_the_metrics_of_a_window_decide() -> None:
    wide = TextMetrics(title=TEN, small=TEN, title_height=30.0, small_height=20.0)
    box = Box(kind=BoxKind.NODE, title="WWWWWWWWWW", name="i")

    assert box_size(box, wide) == (120.0, 60.0)


@pytest.mark.parametrize(
    ("room", "keeps_end", "expected"),
    [(60, False, "abcdef"), (50, False, "abcd…"), (50, True, "…cdef"), (10, False, "…"), (0, True, "…")],
)
def test_that_a_text_is_cut_to_its_room(room: float, keeps_end: bool, expected: str) -> None:  # noqa: FBT001
    assert elide("abcdef", TEN, room, keeps_end=keeps_end) == expected


@given(TEXTS, st.floats(20, 200), st.booleans())
def test_that_a_cut_text_fits(text: str, room: float, keeps_end: bool) -> None:  # noqa: FBT001
    assert ESTIMATED.title.width(elide(text, ESTIMATED.title, room, keeps_end=keeps_end)) <= room + 1e-9


@pytest.mark.parametrize(
    ("room", "expected"),
    [
        (400, ("laboratory.of.x:", "DecodeBoxes")),
        (210, ("…ory.of.x:", "DecodeBoxes")),
        (150, ("…ry.of.x:", "Decod…")),
    ],
)
def test_that_a_domain_is_cut_before_the_type(room: float, expected: tuple[str, str]) -> None:
    box = Box(kind=BoxKind.NODE, title="DecodeBoxes", domain="laboratory.of.x")

    assert fit_header(box, TEN, room) == expected


def test_that_a_box_tells_its_domain_and_how_often_it_repeats() -> None:
    assert header(Box(kind=BoxKind.NODE, title="Conv", domain="lab")) == "lab:Conv"
    assert header(Box(kind=BoxKind.GROUP, title="l.0 … l.3", repeats=4)) == "l.0 … l.3  ×4"
    assert small_lines(Box(kind=BoxKind.NODE, title="Conv", detail="3×3")) == ("3×3",)


def branched(folder: Path) -> PlacedDiagram:
    nodes = [
        helper.make_node("Split", ["x"], [f"s{index}" for index in range(5)], name="/Split"),
        *(
            helper.make_node("Relu", [f"s{index}" if step == 0 else f"r{index}{step - 1}"], [f"r{index}{step}"],
                             name=f"/branch{index}/Relu_{step}")
            for index in range(5)
            for step in range(3)
        ),
        helper.make_node("Concat", [f"r{index}2" for index in range(5)], ["y"], name="/Concat", axis=0),
    ]  # fmt: skip
    return placed(folder, a_model(nodes, [a_value("x", 5)], [a_value("y", 5)]), [f"branch{k}" for k in range(5)])


def branches_from_left(picture: PlacedDiagram) -> list[str]:
    """Return the branches in their order, by the upper ones of their boxes."""
    boxes = zip(picture.layout.x.tolist(), picture.diagram.boxes, strict=True)
    names = [box.group or box.around for _, box in sorted(boxes, key=lambda item: item[0])]
    return list(dict.fromkeys(name for name in names if name))


def test_that_boxes_do_not_overlap_and_lines_run_between_them(tmp_path: Path) -> None:
    picture = branched(tmp_path)

    assert overlapping_boxes(picture.graph, picture.layout) == []
    assert lines_through_boxes(picture.graph, picture.layout) == []


def test_that_opening_and_closing_a_group_keeps_the_order(tmp_path: Path) -> None:
    before = branched(tmp_path)
    # Turned around, so that it is not the order that a fresh picture has.
    mirrored = PlacedDiagram(
        diagram=before.diagram,
        graph=before.graph,
        layout=dataclasses.replace(before.layout, x=before.layout.size[0] - before.layout.x),
    )
    record, index = opened(tmp_path, onnx.load(tmp_path / "model.onnx"))

    after = place_diagram(
        build_diagram(record, index.main, before.diagram.collapsed - {"branch3"}), ESTIMATED, mirrored
    )
    again = place_diagram(build_diagram(record, index.main, before.diagram.collapsed), ESTIMATED, after)

    assert len(after.diagram.boxes) == len(before.diagram.boxes) + 2
    order = branches_from_left(before)
    assert branches_from_left(after) == order[::-1]
    assert branches_from_left(again) == order[::-1]


def test_that_the_picture_of_another_graph_is_placed_afresh(tmp_path: Path) -> None:
    other = placed(tmp_path, a_chain(["a", "b", "c"]))
    fresh = branched(tmp_path)

    assert place_diagram(fresh.diagram, ESTIMATED, other).layout.x.tolist() == fresh.layout.x.tolist()
