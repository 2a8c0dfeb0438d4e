"""Pictures of architectures that people know can be read at a glance, as both exporters write them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import networkx as nx
import numpy as np
import pytest

from opstudio.layout.groups import groups_around
from opstudio.model.diagram.box_texts import header
from opstudio.model.diagram.building import build_diagram
from opstudio.model.diagram.choosing import MOST_BOXES
from opstudio.model.diagram.modules import find_modules
from opstudio.model.diagram.placing import place_diagram
from opstudio.model.diagram.records import BoxKind, PlacedDiagram
from opstudio.model.diagram.svg import render_svg
from opstudio.model.diagram.text_metrics import ESTIMATED
from opstudio.model.diagram.wiring import wire
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.value_index import index_model
from tests.support.workspaces import ROOT
from tests.unit.layout.drawings import lines_through_boxes, overlapping_boxes

NAMES = ("residual", "detector", "encoder", "decoder", "unet")
EXPORTERS = ("torchscript", "dynamo")
exporters = pytest.mark.parametrize("exporter", EXPORTERS)
SECONDS = 300


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export all of them once; it takes a quarter of a minute."""
    made = tmp_path_factory.mktemp("architectures")
    command = [sys.executable, "-m", "tests.support.architectures", str(made)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return made


@cache
def picture(path: Path, *, is_whole: bool) -> PlacedDiagram:
    model = read_model(path)
    return place_diagram(build_diagram(model, index_model(model).main, () if is_whole else None), ESTIMATED)


def main_line(placed: PlacedDiagram) -> list[int]:
    """Return the boxes that every path from the first input to the output passes, by networkx."""
    edges = placed.diagram.edges
    graph = nx.DiGraph(zip(edges.source.tolist(), edges.target.tolist(), strict=True))
    first = next(number for number, box in enumerate(placed.diagram.boxes) if box.kind is BoxKind.INPUT)
    passed = nx.immediate_dominators(graph, first)
    line = [next(number for number, box in enumerate(placed.diagram.boxes) if box.kind is BoxKind.OUTPUT)]
    while line[-1] != first:
        line.append(passed[line[-1]])
    return line[::-1]


def skips(placed: PlacedDiagram, span: int) -> Iterator[tuple[int, int, float]]:
    """Yield edges over at least so many layers: the layers of their ends and where they run."""
    edges, layer = placed.diagram.edges, placed.layout.layer
    for edge in range(edges.count):
        upper, lower = int(layer[edges.source[edge]]), int(layer[edges.target[edge]])
        if lower - upper >= span:
            points = placed.layout.route(edge)
            steps = np.abs(np.diff(points, axis=0))
            yield upper, lower, float(points[:-1][steps[:, 0] == 0][np.argmax(steps[steps[:, 0] == 0, 1]), 0])


def group_paths(path: Path) -> tuple[set[str], Mapping[str, str], Mapping[str, int]]:
    model = read_model(path)
    main = index_model(model).main
    modules = find_modules(model, main, wire(main))
    return {group for item in set(modules.paths) for group in groups_around(item)}, modules.classes, modules.repeats


@exporters
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("is_whole", [False, True], ids=["as shown", "whole"])
def test_that_boxes_and_lines_keep_apart(folder: Path, name: str, exporter: str, is_whole: bool) -> None:  # noqa: FBT001
    placed = picture(folder / f"{name}-{exporter}.onnx", is_whole=is_whole)

    assert overlapping_boxes(placed.graph, placed.layout) == []
    assert lines_through_boxes(placed.graph, placed.layout) == []
    assert is_whole or 5 <= len(placed.diagram.boxes) <= MOST_BOXES


@exporters
@pytest.mark.parametrize(("name", "least"), [("residual", 24), ("unet", 10), ("encoder", 30), ("decoder", 10)])
def test_that_the_main_line_is_straight(folder: Path, name: str, exporter: str, least: int) -> None:
    placed = picture(folder / f"{name}-{exporter}.onnx", is_whole=True)

    line = main_line(placed)

    assert len(line) >= least
    assert len(set(placed.layout.x[line].round(3).tolist())) == 1


@exporters
def test_that_shortcuts_of_a_residual_network_run_beside_its_blocks(folder: Path, exporter: str) -> None:
    placed = picture(folder / f"residual-{exporter}.onnx", is_whole=True)
    line = placed.layout.x[main_line(placed)[0]]
    narrowest = float(placed.graph.width.min())

    found = list(skips(placed, 2))

    # Five blocks hand their input on; three have a convolution in the shortcut.
    assert len(found) == 8
    assert all(lower - upper <= 4 for upper, lower, _ in found)
    assert all(abs(x - line) > narrowest / 2 for _, _, x in found)


@exporters
def test_that_a_u_net_is_a_chain_with_nested_skips_beside_it(folder: Path, exporter: str) -> None:
    placed = picture(folder / f"unet-{exporter}.onnx", is_whole=False)
    nodes = [number for number, box in enumerate(placed.diagram.boxes) if box.kind is BoxKind.NODE]

    # All nodes stand below one another.
    assert set(placed.layout.x[nodes].round(3)) == {round(float(placed.layout.x[nodes[0]]), 3)}
    found = sorted(skips(placed, 3))
    uppers, lowers, places = (list(column) for column in zip(*found, strict=True))
    assert len(found) == 3
    assert uppers == sorted(uppers)
    assert lowers == sorted(lowers, reverse=True)
    # The outermost one is furthest from the chain, and all are at one side.
    distance = placed.layout.x[nodes[0]] - np.array(places)
    assert np.abs(distance).tolist() == sorted(np.abs(distance).tolist(), reverse=True)
    assert len(set(np.sign(distance))) == 1
    joined = [placed.diagram.boxes[target].title for target in placed.diagram.edges.target.tolist()]
    assert joined.count("Concat") == 6


def test_that_both_exporters_give_the_same_groups(folder: Path) -> None:
    for name in NAMES:
        by_names, _, rows = group_paths(folder / f"{name}-torchscript.onnx")
        by_notes, _, other_rows = group_paths(folder / f"{name}-dynamo.onnx")
        assert by_names, name
        assert rows == other_rows, name
        assert by_names == by_notes, name


@pytest.mark.parametrize("name", NAMES)
def test_that_groups_are_the_modules_of_the_program(folder: Path, name: str) -> None:
    classes: dict[str, str] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    known = {(path.rpartition(".")[2], kind) for path, kind in classes.items()}
    groups, told, rows = group_paths(folder / f"{name}-dynamo.onnx")

    for group in groups - set(rows):
        # The name of a list's item has that of the list before it.
        last = group.rpartition("/")[2].rpartition(".")[2]
        assert (last, told[group]) in known, group


@exporters
def test_that_equal_layers_are_a_row_and_parts_of_a_u_net_are_not(folder: Path, exporter: str) -> None:
    assert group_paths(folder / f"encoder-{exporter}.onnx")[2] == {"layers.0 … 5": 6}
    assert group_paths(folder / f"decoder-{exporter}.onnx")[2] == {"layers.0 … 2": 3}
    assert group_paths(folder / f"unet-{exporter}.onnx")[2] == {}


@exporters
def test_that_a_large_transformer_shows_its_layers_not_its_nodes(folder: Path, exporter: str) -> None:
    placed = picture(folder / f"encoder-{exporter}.onnx", is_whole=False)

    groups = [(box.title, box.repeats) for box in placed.diagram.boxes if box.kind is BoxKind.GROUP]

    assert groups == [(f"layers.{number}", 1) for number in range(6)]
    assert len(picture(folder / f"encoder-{exporter}.onnx", is_whole=True).diagram.boxes) > MOST_BOXES


@exporters
def test_that_keys_and_values_of_a_memory_stand_near_the_attention_that_reads_them(folder: Path, exporter: str) -> None:
    placed = picture(folder / f"decoder-{exporter}.onnx", is_whole=True)
    memory = next(number for number, box in enumerate(placed.diagram.boxes) if box.detail.startswith("1×9×16"))
    edges, layer = placed.diagram.edges, placed.layout.layer
    readers = edges.target[edges.source == memory]

    assert readers.size == 6
    # Three layers, each with a key and a value that are computed beside it.
    assert max(layer[readers].tolist()) > 60
    spans = layer[edges.target] - layer[edges.source]
    from_memory = np.isin(edges.source, _chains(placed))
    assert spans[from_memory].max() <= 8


def _chains(placed: PlacedDiagram) -> list[int]:
    names = [box.name for box in placed.diagram.boxes]
    return [
        number for number, name in enumerate(names) if name.endswith(("cross_attention/key", "cross_attention/value"))
    ]


@exporters
def test_that_custom_operators_show_their_domain(folder: Path, exporter: str) -> None:
    placed = picture(folder / f"detector-{exporter}.onnx", is_whole=False)

    found = [box for box in placed.diagram.boxes if box.domain]

    assert [(box.domain, box.title, box.detail) for box in found] == [
        ("vision_lab", "DecodeBoxes", "threshold 0.25")
    ] * 2


@exporters
@pytest.mark.parametrize("name", NAMES)
def test_that_pictures_are_valid_files(folder: Path, name: str, exporter: str) -> None:
    placed = picture(folder / f"{name}-{exporter}.onnx", is_whole=False)

    tree = ET.fromstring(render_svg(placed, {}, title=name))  # noqa: S314 - our own file

    shown = {"".join(item.itertext()) for item in tree.iter("{http://www.w3.org/2000/svg}text")}
    groups = {header(box) for box in placed.diagram.boxes if box.kind is BoxKind.GROUP}
    assert groups <= shown
    assert groups or name not in ("encoder", "decoder")
