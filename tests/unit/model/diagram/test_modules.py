"""Groups of nodes: modules by names and by metadata, rows of equal ones, blocks that repeat."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from onnx import helper  # noqa: TID253 - models are what this is about

from opstudio.model.diagram.module_notes import paths_of_names, paths_of_notes
from opstudio.model.diagram.modules import Modules, find_modules
from opstudio.model.diagram.wiring import wire
from opstudio.model.graph.reader import read_model
from tests.unit.model.diagram.graphs import a_chain, a_model, a_value, opened
from tests.unit.model.graph.samples import written

SCOPES = "pkg.torch.onnx.name_scopes"
CLASSES = "pkg.torch.onnx.class_hierarchy"


def modules_of(folder: Path, model: Any) -> Modules:
    record, index = opened(folder, model)
    return find_modules(record, index.main, wire(index.main))


def noted(model: Any, scopes: Sequence[list[str] | None], classes: Sequence[list[str]] = ()) -> Any:
    """Write metadata on the nodes of a model as PyTorch's exporter does."""
    for index, (node, names) in enumerate(zip(model.graph.node, scopes, strict=True)):
        node.metadata_props.add(key="pkg.torch.onnx.stack_trace", value="in forward\n" * 50)
        if index < len(classes):
            node.metadata_props.add(key=CLASSES, value=repr(classes[index]))
        if names is not None:
            node.metadata_props.add(key=SCOPES, value=repr(names))
    return model


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("/layer1/layer1.0/conv1/Conv", "layer1/layer1.0/conv1"),
        ("model/dense/MatMul", "model/dense"),
        ("/Flatten", ""),
        ("Conv_12", ""),
        ("", ""),
        ("//a// /Relu", "a"),
    ],
)
def test_that_names_are_paths_of_modules(tmp_path: Path, name: str, path: str) -> None:
    record, _ = opened(tmp_path, a_chain([name]))

    assert paths_of_names(record.graph.nodes) == [path]


def test_that_metadata_is_a_path_in_the_style_of_names(tmp_path: Path) -> None:
    scopes = [
        ["", "layer1", "layer1.0", "layer1.0.conv1", "conv2d"],
        ["", "encoder", "encoder.layers.0", "encoder.layers.0.norm", "layer_norm"],
        ["", "add"],
        None,
        ["", "head", "shared.proj", "linear"],
    ]
    kinds = [["m.Net", "torch.nn.Sequential", "m.Block", "torch.nn.modules.conv.Conv2d", "aten.conv2d.default"]]
    record, _ = opened(tmp_path, noted(a_chain(["n"] * 5), scopes, kinds))

    paths, classes = paths_of_notes(record, record.graph.nodes)

    assert paths == ["layer1/layer1.0/conv1", "encoder/layers.0/norm", "", "", "head/shared.proj"]
    assert classes == {"layer1": "Sequential", "layer1/layer1.0": "Block", "layer1/layer1.0/conv1": "Conv2d"}


@pytest.mark.parametrize("length", [1, 100, 110, 111, 112, 300, 400])
def test_that_lists_of_every_length_are_read(tmp_path: Path, length: int) -> None:
    # From 128 bytes on, the length of a field takes two bytes.
    scopes = [["", "m" * length, "node"], ["", "other", "node"]]
    record, _ = opened(tmp_path, noted(a_chain(["a", "b"]), scopes))

    assert paths_of_notes(record, record.graph.nodes)[0] == ["m" * length, "other"]


@pytest.mark.parametrize("scope", ["m" * 401, "m" * 20_000, "/".join("m" * 25), "/m" * 30_000])
def test_that_what_is_too_deep_or_too_long_for_a_module_is_none(tmp_path: Path, scope: str) -> None:
    noted_there = noted(a_chain(["a", "b"]), [["", *scope.strip("/").split("/"), "node"], ["", "other", "node"]])
    named, _ = opened(tmp_path, a_chain([f"{scope}/Relu", "/other/Relu"]))
    assert paths_of_names(named.graph.nodes) == ["", "other"]

    record, _ = opened(tmp_path, noted_there)
    assert paths_of_notes(record, record.graph.nodes)[0] == ["", "other"]


def test_that_what_only_looks_like_metadata_is_none(tmp_path: Path) -> None:
    model = a_chain([SCOPES, f"{SCOPES}\x12", f"{SCOPES}\x12\x7f['', 'm', 'n']", f"{SCOPES}\x12\x7f\x7f"])

    record, _ = opened(tmp_path, model)

    assert paths_of_notes(record, record.graph.nodes) == ([], {})


def test_that_a_model_without_metadata_has_none(tmp_path: Path) -> None:
    record, _ = opened(tmp_path, a_chain(["a", "b"]))

    assert paths_of_notes(record, record.graph.nodes) == ([], {})


def test_that_a_file_that_was_replaced_has_no_metadata_any_more(tmp_path: Path) -> None:
    model = noted(a_chain(["a", "b"]), [["", "m", "x"], ["", "m", "y"]])
    record = read_model(written(tmp_path, model))
    assert paths_of_notes(record, record.graph.nodes)[0] == ["m", "m"]
    written(tmp_path, model, "model.onnx.new").replace(record.path)

    assert paths_of_notes(record, record.graph.nodes) == ([], {})


def test_that_a_group_has_an_edge_inside(tmp_path: Path) -> None:
    names = ["/a/b/Relu", "/a/b/Relu_1", "/a/act/Relu", "/a/c/Relu", "/a/act/Relu_1", "/d/e/Relu"]

    modules = modules_of(tmp_path, a_chain(names))

    # The module act is called twice, here and there.
    assert modules.paths == ["a/b", "a/b", "a", "a", "a", ""]
    assert modules.modules == ["a/b", "a/b", "a/act", "a/c", "a/act", "d/e"]


def layers(*numbers: int) -> list[str]:
    return [f"/net/layer.{number}/{name}" for number in numbers for name in ("Relu", "Sigmoid")]


def test_that_equal_modules_in_a_row_have_a_group_around_them(tmp_path: Path) -> None:
    model = a_chain([*layers(0, 1, 2), "/net/Relu", "/net/Relu_1"], types=("Relu", "Sigmoid"))

    modules = modules_of(tmp_path, model)

    row = "net/layer.0 … 2"
    assert modules.repeats == {row: 3}
    assert modules.paths == [f"{row}/layer.{number}" for number in (0, 0, 1, 1, 2, 2)] + ["net", "net"]


def test_that_two_equal_modules_are_no_row(tmp_path: Path) -> None:
    assert modules_of(tmp_path, a_chain(layers(0, 1), types=("Relu", "Sigmoid"))).repeats == {}


def test_that_modules_that_differ_are_no_row(tmp_path: Path) -> None:
    names = [*layers(0, 1), "/net/layer.2/Relu", "/net/layer.2/Tanh"]
    assert (
        modules_of(tmp_path, a_chain(names, types=("Relu", "Sigmoid", "Relu", "Sigmoid", "Relu", "Tanh"))).repeats == {}
    )


def test_that_modules_with_others_between_them_are_no_row(tmp_path: Path) -> None:
    names = [name for number in range(3) for name in (*layers(number), "/net/Pool")]

    assert modules_of(tmp_path, a_chain(names, types=("Relu", "Sigmoid", "Tanh"))).repeats == {}


def test_that_modules_whose_values_go_elsewhere_are_no_row(tmp_path: Path) -> None:
    model = a_chain([*layers(0, 1, 2), "/Add", "/Relu"], types=("Relu", "Sigmoid"))
    # The skip connection of a U-Net: it would start inside of the row's box.
    model.graph.node[-1].input.append("v2")

    assert modules_of(tmp_path, model).repeats == {}


def test_that_a_row_may_share_an_input_and_give_outputs(tmp_path: Path) -> None:
    nodes = [
        node
        for number in range(3)
        for node in (
            helper.make_node("Add", [f"v{number}", "mask"], [f"a{number}"], name=f"/layer.{number}/Add"),
            helper.make_node("Relu", [f"a{number}"], [f"v{number + 1}"], name=f"/layer.{number}/Relu"),
        )
    ]
    model = a_model(nodes, [a_value("v0", 2), a_value("mask", 2)], [a_value("v3", 2), a_value("v1", 2)])

    assert modules_of(tmp_path, model).repeats == {"layer.0 … 2": 3}


def test_that_blocks_that_repeat_are_groups_where_names_tell_nothing(tmp_path: Path) -> None:
    modules = modules_of(tmp_path, a_chain(["" for _ in range(12)], types=("Relu", "Sigmoid", "Tanh")))

    assert modules.repeats == {"repeated 1": 4}
    assert modules.paths == [f"repeated 1/block 1.{1 + index // 3}" for index in range(12)]


def test_that_metadata_is_what_the_file_says(tmp_path: Path) -> None:
    scopes = [["", 'it"s', "it's.0", "n"], ["", "a/b", "n"]]
    model = noted(a_chain(["a", "b"]), scopes)
    record, _ = opened(tmp_path, model)
    # The lists are written as Python writes them, with either kind of quotes.
    assert [ast.literal_eval(node.metadata_props[1].value) for node in model.graph.node] == scopes

    assert paths_of_notes(record, record.graph.nodes)[0] == ["it\"s/it's.0", "a|b"]
