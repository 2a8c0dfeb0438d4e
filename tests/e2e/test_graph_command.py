"""``opstudio graph`` as a job of continuous integration runs it: exit codes, one document, clear refusals."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from onnx import TensorProto, helper, save_model

from tests.support.operator_libraries import WrittenOperator, build_library
from tests.support.workspaces import CommandResult, run_command


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home 中")


@pytest.fixture(scope="module")
def model(home: Path) -> Path:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("x", "y")]
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], name="first"),
        helper.make_node("Twice", ["a"], ["y"], name="second", domain="lab"),
    ]
    graph = helper.make_graph(nodes, "small", values[:1], values[1:])
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("lab", 1)]
    save_model(helper.make_model(graph, opset_imports=imports, ir_version=9), str(home / "small.onnx"))
    return home / "small.onnx"


def graph(home: Path, *arguments: object) -> CommandResult:
    environment = {**os.environ, "XDG_CACHE_HOME": str(home / "cache")}
    return run_command("graph", *map(str, arguments), cwd=home, environment=environment)


def test_that_an_unresolved_node_makes_the_exit_code_1(home: Path, model: Path) -> None:
    result = graph(home, model.name, "--json")
    document = result.document
    assert (result.status, result.errors, document["schema"]) == (1, "", "opstudio/graph/1")
    assert document["loads"]["verdict"] == "refused"
    assert document["counts"]["domains"] == {"ai.onnx": 1, "lab": 1}
    (unresolved,) = document["unresolved"]
    assert (unresolved["node"], unresolved["domain"], unresolved["type"]) == ("second", "lab", "Twice")
    assert (unresolved["step"], unresolved["finding"]) == ("domain", "ORT001")
    assert [finding["id"] for finding in document["findings"]] == ["ORT001"]


def test_that_a_library_resolves_what_it_resolves(home: Path, model: Path) -> None:
    library = build_library(home / "lab.so", [WrittenOperator(domain="lab", type="Twice")])
    result = graph(home, model.name, "--library", library.name)
    assert (result.status, result.errors) == (0, "")
    assert [line.split() for line in result.output.splitlines()[-4:]] == [
        ["implemented", "by", "nodes"],
        ["CPUExecutionProvider", "1"],
        ["lab.so", "1"],
        ["accepted", "ONNX", "Runtime", "1.32.0", "takes", "the", "model"],
    ]


def test_that_a_library_that_crashes_is_told_and_the_command_lives(home: Path, model: Path) -> None:
    library = build_library(
        home / "crash.so", [WrittenOperator(domain="lab", type="Twice")], before="  *(volatile int*)nullptr = 1;"
    )
    result = graph(home, model.name, "--library", library, "--json")
    assert (result.status, result.errors) == (1, "")
    document = result.document
    # The library first: one that failed looks as if it were not there.
    assert [finding["id"] for finding in document["findings"]] == ["ORT017", "ORT001"]
    assert "SIGSEGV" in document["findings"][0]["cause"]
    assert document["libraries"] == [{"path": str(library), "usable": False, "operators": []}]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("absent.onnx",), "absent.onnx"),
        (("small.onnx", "--library", "absent.so"), "absent.so is no shared library"),
        (("small.onnx", "--library", "text.so"), "text.so is no shared library"),
        (("small.onnx", "--provider", "CPUU"), "There is no execution provider CPUU here"),
        (("text.so",), "text.so"),
    ],
)
def test_that_what_cannot_be_used_is_refused_in_words(
    home: Path, model: Path, arguments: tuple[str, ...], words: str
) -> None:
    del model
    (home / "text.so").write_text("<!DOCTYPE html><title>404</title>")
    result = graph(home, *arguments)
    assert (result.status, result.output) == (2, "")
    assert words in result.errors
    assert "Traceback" not in result.errors
