"""``opstudio fix`` and ``graph --against`` as people and scripts run them: ids, exit codes, documents, refusals."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from onnx import TensorProto, helper, load_model, save_model

from tests.support.operator_libraries import WrittenOperator, build_library
from tests.support.workspaces import CommandResult, run_command


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home 中")
    build_library(folder / "lab.so", [WrittenOperator(domain="lab", type="Twice")])
    save_model(a_model(), str(folder / "wrong.onnx"))
    (folder / "page.onnx").write_text("<!DOCTYPE html><title>404</title>")
    (folder / "cut.onnx").write_bytes(a_model().SerializeToString()[:60])
    return folder


def a_model() -> Any:
    """Return a model with three faults: a name in small letters, a domain without import, a version from the future."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("x", "y")]
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], name="first"),
        helper.make_node("twice", ["a"], ["y"], name="second [x]", domain="lab"),
    ]
    graph = helper.make_graph(nodes, "small", values[:1], values[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=99)


def run(home: Path, *arguments: object) -> CommandResult:
    environment = {**os.environ, "XDG_CACHE_HOME": str(home / "cache")}
    return run_command(*map(str, arguments), cwd=home, environment=environment)


def test_that_offers_are_listed_with_what_they_solve_and_change(home: Path) -> None:
    content = (home / "wrong.onnx").read_bytes()
    result = run(home, "fix", "wrong.onnx", "--library", "lab.so", "--json")
    document = result.document
    assert (result.status, result.errors, document["schema"]) == (0, "", "opstudio/fix/1")
    assert set(document) == {"schema", "file", "loads", "offers", "unsolved", "findings"}
    assert document["loads"]["verdict"] == "refused"
    assert [finding["id"] for finding in document["findings"]] == ["MOD007", "ORT001"]
    assert document["unsolved"] == []
    offers = {offer["id"]: offer for offer in document["offers"]}
    rename = offers["rename-operator:lab:twice=lab:Twice"]
    assert set(rename) == {"id", "title", "solves", "notes", "edits", "difference", "left_out"}
    (solved,) = rename["solves"]
    assert (solved["id"], solved["places"][0]["node"]) == ("ORT001", "second [x]")
    assert rename["edits"] == ["node second [x]: lab:twice becomes lab:Twice", "imports: lab 1 is added"]
    assert rename["difference"] == [
        "@@ node second [x] @@",
        "-lab:twice(a) -> y",
        "+lab:Twice(a) -> y",
        "@@ imports @@",
        "+import lab 1",
    ]
    assert [solved["id"] for solved in offers["lower-ir:14"]["solves"]] == ["MOD007"]
    assert (home / "wrong.onnx").read_bytes() == content

    # For people: the same, and brackets of names are text.
    printed = run(home, "fix", "wrong.onnx", "--library", "lab.so")
    assert (printed.status, printed.errors) == (0, "")
    assert "-lab:twice(a) -> y" in printed.output
    assert "@@ node second [x] @@" in printed.output


def test_that_an_error_without_a_fix_makes_the_exit_code_1(home: Path) -> None:
    result = run(home, "fix", "wrong.onnx", "--json")
    assert (result.status, result.document["unsolved"]) == (0, [])  # without the library it is the import alone

    model = a_model()
    model.graph.node[1].domain = ""
    save_model(model, str(home / "nobody.onnx"))
    result = run(home, "fix", "nobody.onnx", "--json")
    assert (result.status, result.document["unsolved"]) == (1, ["MOD004"])


def test_that_fixes_are_written_to_a_new_file_that_graph_accepts(home: Path) -> None:
    content = (home / "wrong.onnx").read_bytes()
    ids = ["lower-ir:8", "rename-operator:lab:twice=lab:Twice"]
    library = ("--library", "lab.so")
    result = run(home, "fix", "wrong.onnx", "--apply", *ids, "-o", "right.onnx", *library, "--json")
    document = result.document
    assert (result.status, result.errors) == (0, "")
    assert set(document) == {
        *("schema", "file", "output", "copied", "applied", "trial", "worse", "loads", "findings"),
    }
    assert [step["id"] for step in document["applied"]] == ids
    assert document["worse"] == []
    assert document["loads"] == {"verdict": "accepted", "reason": ""}
    assert document["trial"]["changed"] == {"checker": "", "session": ""}
    assert document["trial"]["not_compared"] == "the original model does not load"
    places = [place["file"] for finding in document["findings"] for place in finding["places"]]
    assert set(places) <= {"right.onnx"}

    expected = a_model()
    expected.ir_version = 8
    expected.graph.node[1].op_type = "Twice"
    expected.opset_import.append(helper.make_opsetid("lab", 1))
    assert load_model(str(home / "right.onnx")) == expected
    assert (home / "wrong.onnx").read_bytes() == content
    assert run(home, "graph", "right.onnx", *library).status == 0


def test_that_what_is_worse_makes_the_exit_code_1(home: Path) -> None:
    arguments = ("--apply", "rename-operator:ai.onnx:Relu=lab:Relu", "-o", "worse.onnx")
    result = run(home, "fix", "wrong.onnx", *arguments)
    assert result.status == 1
    assert "worse  rename-operator:ai.onnx:Relu=lab:Relu: first: " in result.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("absent.onnx",), "absent.onnx"),
        (("page.onnx",), "web page"),
        (("cut.onnx", "--apply", "lower-ir:8", "-o", "out.onnx"), "cut.onnx"),
        (("wrong.onnx", "--apply", "lower-ir:8"), "--apply and -o OUT.onnx belong together"),
        (("wrong.onnx", "-o", "out.onnx"), "--apply and -o OUT.onnx belong together"),
        (("wrong.onnx", "--apply", "lower-ri:8", "-o", "out.onnx"), "did you mean lower-ir?"),
        (("wrong.onnx", "--apply", "lower-ir:8", "-o", "wrong.onnx", "--force"), "it is the model itself"),
        (("wrong.onnx", "--apply", "lower-ir:8", "-o", "lab.so"), "there is a file already"),
        (("wrong.onnx", "--apply", "lower-ir:8", "-o", "absent/out.onnx"), "there is no folder absent"),
        (("wrong.onnx", "--provider", "CPUU"), "There is no execution provider CPUU here"),
    ],
)
def test_that_what_cannot_be_done_is_refused_in_words(home: Path, arguments: tuple[str, ...], words: str) -> None:
    content = {path.name: path.read_bytes() for path in home.iterdir() if path.is_file()}
    result = run(home, "fix", *arguments)
    assert (result.status, result.output) == (2, "")
    assert words in result.errors
    assert "Traceback" not in result.errors
    assert {path.name: path.read_bytes() for path in home.iterdir() if path.is_file()} == content


def test_that_graph_tells_what_differs_from_another_model(home: Path) -> None:
    other = a_model()
    other.graph.node[1].op_type = "Twice"
    other.ir_version = 8
    save_model(other, str(home / "other.onnx"))
    result = run(home, "graph", "wrong.onnx", "--against", "other.onnx", "--json")
    document = result.document
    assert (result.status, result.errors, document["schema"]) == (1, "", "opstudio/graph/1")
    assert (document["file"], document["against"], document["findings"]) == ("wrong.onnx", "other.onnx", [])
    difference = document["difference"]
    assert (difference["same"], difference["left_out"], difference["weights_compared"]) == (False, {}, False)
    assert difference["head"] == [{"name": "IR version", "before": "99", "after": "8"}]
    (changed,) = difference["changed_nodes"]
    assert (changed["name"], changed["changes"]) == (
        "second [x]",
        [{"name": "type", "before": "twice", "after": "Twice"}],
    )
    printed = run(home, "graph", "wrong.onnx", "--against", "other.onnx")
    assert "IR version: 99 → 8" in printed.output
    assert "type: twice → Twice" in printed.output

    same = run(home, "graph", "wrong.onnx", "--against", "wrong.onnx")
    assert (same.status, same.output.splitlines()[-1].split()[0]) == (0, "same")
    absent = run(home, "graph", "wrong.onnx", "--against", "page.onnx")
    assert (absent.status, absent.output) == (2, "")
    assert "web page" in absent.errors
