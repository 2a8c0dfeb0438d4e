"""``opstudio graph`` as a job of continuous integration runs it: exit codes, one document, clear refusals."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import onnxruntime
import pytest
from onnx import TensorProto, helper, load_model, save_model

from tests.support.contracts import contract_text, write_contract
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


def test_that_what_is_not_looked_at_in_the_runtime_s_own_format_is_said(home: Path) -> None:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("x", "y")]
    small = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "small", values[:1], values[1:])
    imports = [helper.make_opsetid("", 18)]
    content = helper.make_model(small, opset_imports=imports, ir_version=9).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(home / "small.ort")
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])

    told = graph(home, "small.ort")
    offered = run_command(
        "fix", "small.ort", cwd=home, environment={**os.environ, "XDG_CACHE_HOME": str(home / "cache")}
    )

    assert told.status == offered.status == 0
    assert "shapes and attributes are not checked in ONNX Runtime's own format" in " ".join(told.output.split())
    assert graph(home, "small.ort", "--json").document["note"].startswith("shapes and attributes")
    assert "cannot be changed" in offered.output
    assert "Fix the ONNX model that it was made from" in offered.output


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


def test_that_a_library_that_exits_is_told_as_that(home: Path, model: Path) -> None:
    library = build_library(home / "exit.so", [WrittenOperator(domain="lab", type="Twice")], before="  exit(0);")
    finding = graph(home, model.name, "--library", library, "--json").document["findings"][0]
    # The exit handlers of a runtime that was loaded before a fork wait for threads that are not there.
    assert (finding["id"], finding["cause"].rpartition(": ")[2]) == ("ORT017", "exited")


def test_that_an_operator_of_the_workspace_is_told_with_how_to_build_it(home: Path, model: Path) -> None:
    workspace = home / "workspace"
    (workspace / "twice").mkdir(parents=True)
    (workspace / "opstudio.toml").write_text("")
    text = contract_text(operator='[operator]\nname = "twice"\ndomain = "lab"\nonnx_type = "Twice"\n')
    write_contract(workspace / "twice", text)
    result = run_command(
        *("graph", str(model), "-C", str(workspace), "--json"),
        cwd=home,
        environment={**os.environ, "XDG_CACHE_HOME": str(home / "cache")},
    )
    assert (result.status, result.errors) == (1, "")
    told = {finding["id"]: finding for finding in result.document["findings"]}
    assert "opstudio build --release twice" in told["ORT001"]["fix"]
    # What else the contract says holds as well: this one takes a matrix.
    assert result.document["counts"]["unresolved"] == 1


def test_that_shapes_that_do_not_fit_are_refused_before_a_session_is(home: Path) -> None:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in ("x", "y")]
    graph_proto = helper.make_graph(
        [helper.make_node("MatMul", ["x", "x"], ["y"], name="square")], "s", values[:1], values[1:]
    )
    made = helper.make_model(graph_proto, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    (home / "shapes.onnx").write_bytes(made.SerializeToString())
    result = graph(home, "shapes.onnx", "--json")
    (finding,) = result.document["findings"]
    assert (result.status, finding["id"], finding["places"][0]["node"]) == (1, "MOD009", "square")
    (unresolved,) = result.document["unresolved"]
    assert (unresolved["step"], unresolved["finding"]) == ("shapes", "MOD009")


def test_that_words_of_the_runtime_are_explained(home: Path) -> None:
    words = "Got invalid dimensions for input: x for the following indices\n index: 0 Got: 4 Expected: 2\n Please fix"
    result = run_command("explain", words, cwd=home)
    assert (result.status, result.errors) == (0, "")
    assert "axis 0 is 2 in the file, 4 was given" in result.output
    assert run_command("explain", "no such words", cwd=home).status == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("absent.onnx",), "absent.onnx"),
        (("small.onnx", "--library", "absent.so"), "There is no library absent.so"),
        (("small.onnx", "--library", "text.so"), "text.so is no shared library"),
        (("small.onnx", "--provider", "CPUU"), "There is no execution provider CPUU here"),
        (("text.so",), "text.so"),
        (("small.onnx", "--weights"), "--weights belongs to --against OTHER"),
        (("small.onnx", "--whole"), "--whole belongs to --svg FILE"),
        (("small.onnx", "--against", "small.onnx", "--svg", "s.svg"), "--against draws no picture"),
        (("small.onnx", "--against", "small.onnx", "--library", "l.so"), "--against asks no runtime and no library"),
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


@pytest.mark.parametrize(
    ("arguments", "status"), [(("graph",), 1), (("graph", "--against", "small.onnx"), 1), (("fix",), 0)]
)
def test_that_names_in_a_model_never_steer_the_terminal(
    home: Path, model: Path, arguments: tuple[str, ...], status: int
) -> None:
    made = load_model(str(model))
    for position, node in enumerate(made.graph.node):
        node.name = f"\x1b[31mred\x9b2J\r\naccepted {position}"
    made.graph.node[1].domain = "lab\x1b]0;title\x07"
    made.graph.input[0].name = made.graph.node[0].input[0] = "in\x1b[2J"
    made.producer_name = "\x1b[8m"
    save_model(made, str(home / "steering.onnx"))
    environment = {**os.environ, "XDG_CACHE_HOME": str(home / "cache")}
    result = run_command(arguments[0], "steering.onnx", *arguments[1:], cwd=home, environment=environment)
    assert (result.status, result.errors) == (status, "")
    assert [sign for sign in result.output if unicodedata.category(sign) == "Cc" and sign != "\n"] == []
    assert r"\x1b[31mred\x9b2J\r\naccepted 1" in result.output
    assert not [line for line in result.output.splitlines() if line.startswith("accepted")]
