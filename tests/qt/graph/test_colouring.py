from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import onnx  # noqa: TID253 - the second opinion
import pytest

from opstudio.base.colours import THEMES, Tokens, contrast
from opstudio.layout.groups import groups_around
from opstudio.model.diagram.building import build_diagram
from opstudio.model.diagram.records import BoxKind, NodeMark, NodeState
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.value_index import index_model
from opstudio.qt.graph.colouring import ColourBy, Colouring, Tone, colour, is_custom, unresolved_boxes
from opstudio.qt.graph.look import header_colours
from opstudio.qt.graph.operator_families import Family, family_of
from tests.support.large_models import DOMAIN, write_large_model

CPU, NOBODY = NodeMark(state=NodeState.RESOLVED, party="CPU"), NodeMark(state=NodeState.UNRESOLVED)
NODES = 100


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_large_model(tmp_path / "cnn.onnx", "cnn", NODES, custom_every=2)


@pytest.mark.parametrize("tokens", THEMES, ids=lambda tokens: tokens.name)
def test_that_titles_can_be_read_on_every_tone(tokens: Tokens) -> None:
    names = [*(f"series{number}" for number in range(8)), "custom", "text_3", "text_2", "bad", "info"]
    tones = tuple(Tone(title=name, token=name) for name in names)
    grounds = header_colours(Colouring(tones=tones, of_box=np.zeros(1, dtype=np.int64)), tokens)
    for name, ground in zip(names, grounds, strict=True):
        assert contrast(tokens.text, ground.name()) >= 4.5, name


def test_that_nodes_are_counted_by_domain_as_onnx_lists_them(path: Path) -> None:
    model = read_model(path)
    diagram = build_diagram(model, index_model(model).main, frozenset())
    tones = colour(diagram, model.graph.nodes, {}, ColourBy.DOMAIN).tones
    counted = Counter(node.domain or "ai.onnx" for node in onnx.load(path).graph.node)
    assert {tone.title: tone.nodes for tone in tones if tone.nodes} == counted
    (custom,) = [tone for tone in tones if tone.title == DOMAIN]
    assert custom.token == "custom"  # noqa: S105 - a colour


def test_that_every_box_has_the_tone_of_its_nodes(path: Path) -> None:
    model = read_model(path)
    diagram = build_diagram(model, index_model(model).main, frozenset())
    found = colour(diagram, model.graph.nodes, {}, ColourBy.FAMILY)
    for box, tone in zip(diagram.boxes, found.of_box.tolist(), strict=True):
        title = found.tones[tone].title
        if box.domain == DOMAIN:
            assert title == "custom domains"
        elif box.kind is BoxKind.NODE:
            assert title == family_of(box.title).value
        else:
            assert title == "inputs and outputs"


def test_that_a_group_tells_of_unresolved_nodes_in_it(path: Path) -> None:
    model = read_model(path)
    scope = index_model(model).main
    marks = dict.fromkeys(range(len(model.graph.nodes)), CPU) | {3: NOBODY}
    opened = build_diagram(model, scope, frozenset())
    assert np.flatnonzero(unresolved_boxes(opened, marks)).tolist() == [int(opened.box_of_node[3])]
    around = groups_around(opened.boxes[int(opened.box_of_node[3])].around)[0]
    closed = build_diagram(model, scope, {around})
    (group,) = np.flatnonzero(unresolved_boxes(closed, marks)).tolist()
    assert closed.boxes[group].group == around
    tones = colour(closed, model.graph.nodes, marks, ColourBy.PARTY)
    assert tones.tones[tones.of_box[group]].title == "groups of several kinds"
    assert {tone.title: tone.nodes for tone in tones.tones if tone.nodes} == {"nobody": 1, "CPU": len(marks) - 1}


@pytest.mark.parametrize(
    ("domain", "expected"),
    [("", False), ("ai.onnx.ml", False), ("com.microsoft", False), ("com.microsofts", True), ("myops", True)],
)
def test_that_custom_domains_are_those_of_neither_onnx_nor_the_runtime(domain: str, *, expected: bool) -> None:
    assert is_custom(domain) is expected


def test_that_nearly_all_operators_of_onnx_have_a_family() -> None:
    schemas = {schema.name for schema in onnx.defs.get_all_schemas() if schema.domain == ""}
    homeless = {name for name in schemas if family_of(name) is Family.OTHER}
    assert len(homeless) < len(schemas) / 8, homeless
