"""``opstudio graph --svg``: a picture of the model beside the verdict, never in place of the model."""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from onnx import TensorProto, helper, save_model

from tests.support.workspaces import CommandResult, run_command

TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model of a block of two hundred nodes, and one node that nobody implements."""
    folder = tmp_path_factory.mktemp("home 中")
    nodes = [
        helper.make_node("Relu", [f"v{index}"], [f"v{index + 1}"], name=f"/block/Relu_{index}") for index in range(200)
    ]
    nodes.append(helper.make_node("Twice", ["v200"], ["y"], name="<last>", domain="lab"))
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("v0", "y")]
    graph = helper.make_graph(nodes, "large", values[:1], values[1:])
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("lab", 1)]
    save_model(helper.make_model(graph, opset_imports=imports, ir_version=9), str(folder / "large.onnx"))
    return folder


def graph(home: Path, *arguments: object) -> CommandResult:
    environment = {**os.environ, "XDG_CACHE_HOME": str(home / "cache")}
    return run_command("graph", *map(str, arguments), cwd=home, environment=environment)


def texts(path: Path) -> list[str]:
    return ["".join(item.itertext()) for item in ET.parse(path).getroot().iter(TEXT)]  # noqa: S314 - our own file


def test_that_a_picture_is_written_and_the_verdict_stays(home: Path) -> None:
    result = graph(home, "large.onnx", "--svg", "folder/picture.svg")

    assert (result.status, result.errors) == (1, "")
    assert result.output.splitlines()[-1].split() == ["drawn", "folder/picture.svg"]
    found = texts(home / "folder" / "picture.svg")
    assert {"block", "lab:Twice", "<last>", "unresolved"} <= set(found)
    assert "Relu" not in found


def test_that_a_whole_picture_has_every_node(home: Path) -> None:
    result = graph(home, "large.onnx", "--svg", "whole.svg", "--whole", "--json")

    assert (result.status, result.errors, result.document["loads"]["verdict"]) == (1, "", "refused")
    assert texts(home / "whole.svg").count("Relu") == 200


@pytest.mark.parametrize("link", [False, True], ids=["itself", "a link to it"])
def test_that_a_picture_never_takes_the_place_of_the_model(home: Path, link: bool) -> None:  # noqa: FBT001
    before = (home / "large.onnx").read_bytes()
    target = home / "large.onnx"
    if link:
        target = home / "link.onnx"
        target.symlink_to("large.onnx")

    result = graph(home, "large.onnx", "--svg", target)

    assert result.status == 2
    assert "is a file of the model" in result.errors
    assert (home / "large.onnx").read_bytes() == before


def test_that_a_picture_that_cannot_be_written_is_told(home: Path) -> None:
    result = graph(home, "large.onnx", "--svg", home)

    assert result.status == 2
    assert "Cannot write" in result.errors


def test_that_a_damaged_model_leaves_an_older_picture_alone(home: Path) -> None:
    (home / "damaged.onnx").write_bytes((home / "large.onnx").read_bytes()[:-50])
    (home / "older.svg").write_text("older", encoding="utf-8")

    result = graph(home, "damaged.onnx", "--svg", "older.svg")

    assert result.status == 2
    assert (home / "older.svg").read_text(encoding="utf-8") == "older"
