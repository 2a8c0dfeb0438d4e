"""``opstudio export`` of what cannot be exported: one clear error, exit code 2, and nothing is written."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.workspaces import CommandResult, TestWorkspace

MODEL = """import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)


def make():
    return Model()


def example_inputs():
    return (torch.ones(2, 3),)
"""
FORWARD = "return torch.relu(x)"
INPUTS = "return (torch.ones(2, 3),)"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> TestWorkspace:
    made = TestWorkspace(tmp_path_factory.mktemp("refusals") / "workspace")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    made.add("relu6_scale", "relu6_scale")
    made.add("relu6_scale", "unfinished", ("relu6_scale.cpp", "OPSTUDIO_KERNEL(forward, backward)", "unfinished"))
    made.edit("unfinished", "contract.toml", 'name = "relu6_scale"', 'name = "unfinished"')
    made.add("relu6_scale", "unreadable", ("contract.toml", 'name = "relu6_scale"', 'name = "unreadable"\ncolour = 1'))
    return made


def write_model(workspace: TestWorkspace, *edits: tuple[str, str]) -> str:
    text = MODEL
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = workspace.root / "model.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def refuse(workspace: TestWorkspace, folder: Path, *arguments: str) -> CommandResult:
    """Run the command with an output in an empty folder and assert that it gave up without a trace."""
    output = () if "-o" in arguments else ("-o", str(folder / "m.onnx"))
    result = workspace.run("export", *arguments, *output, "--json")
    assert result.status == 2, result
    assert list(folder.iterdir()) == []
    return result


def only_finding(result: CommandResult) -> Mapping[str, Any]:
    (finding,) = result.document["findings"]
    assert finding["stage"] == "export", finding
    return dict(finding)


@pytest.mark.parametrize(
    ("edits", "factory", "title", "cause", "line"),
    [
        ([(MODEL.split("def example_inputs")[1], "():\n    pass\n")], "make", "does not return tensors", "None", None),
        ([("def example_inputs", "def inputs")], "make", "model.py has no example_inputs", "come from", None),
        ([(INPUTS, "return (1.0, torch.ones(2))")], "make", "does not return tensors", "a float, a Tensor", None),
        ([(INPUTS, "return ()")], "make", "does not return tensors", "it returned nothing", None),
        ([(INPUTS, 'return {"X": torch.ones(2)}')], "make", "names an input", "did you mean x?", None),
        ([(INPUTS, "return 1 / 0")], "make", "example_inputs of model.py fails", "ZeroDivisionError", INPUTS),
        ([("return Model()", "raise OSError(7, 'no')")], "make", "make of model.py fails", "no", "raise OSError"),
        ([("return Model()", "return Model")], "make", "does not return a module", "it returned the class Model", None),
        ([("return Model()", "return {}")], "make", "does not return a module", "it returned a dict", None),
        ([("def make", "model = Model()\n\n\ndef make")], "model", "model of model.py is no function", "a Model", None),
        ([], "mak", "model.py has no mak", "did you mean make?", None),
        ([("import torch\n", "import torch\nimport not_there\n")], "make", "imported", "not_there", "import not"),
        ([("def make():", "def make(:")], "make", "cannot be imported", "SyntaxError", "def make(:"),
        ([(FORWARD, "return x @ x")], "make", "does not run in PyTorch", "RuntimeError", "return x @ x"),
        ([("(self, x)", "(self, x, y)")], "make", "does not run in PyTorch", "missing 1 required", None),
        (
            [(FORWARD, "return torch.ops.myops.relu6_scal(x, 1.0)")],
            "make",
            "The model calls myops::relu6_scal, which is not there",
            "did you mean myops::relu6_scale?",
            "return torch.ops",
        ),
        (
            [(FORWARD, "return torch.ops.myops.unfinished(x, 1.0)")],
            "make",
            "The model calls myops::unfinished, which is not there",
            "unfinished does not build",
            "return torch.ops",
        ),
        (
            [(FORWARD, "return torch.ops.myops.unreadable(x, 1.0)")],
            "make",
            "The model calls myops::unreadable, which is not there",
            "its contract is wrong",
            "return torch.ops",
        ),
    ],
)
def test_that_a_model_that_cannot_be_made_is_told_by_its_file(  # noqa: PLR0913 - a table of cases
    workspace: TestWorkspace,
    tmp_path: Path,
    edits: list[tuple[str, str]],
    factory: str,
    title: str,
    cause: str,
    line: str | None,
) -> None:
    path = write_model(workspace, *edits)

    finding = only_finding(refuse(workspace, tmp_path, f"{path}:{factory}"))

    assert title in finding["title"]
    assert cause in finding["cause"]
    lines = Path(path).read_text().splitlines()
    expected = None if line is None else next(n for n, text in enumerate(lines, start=1) if line in text)
    if title != "does not run in PyTorch" or line is not None:
        assert [(place["file"], place["line"]) for place in finding["places"]] == [(path, expected)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.py:make"], "missing.py is not there"),
        (["model.py"], "model.py names no factory"),
        (["model.py:"], "model.py: names no factory"),
        (["model.py:make", "-o", "nowhere/m.onnx"], "there is no folder nowhere"),
        (["model.py:make", "-o", "m.pt"], "it is not the name of an .onnx file"),
    ],
)
def test_that_a_wrong_command_line_is_told(
    workspace: TestWorkspace, tmp_path: Path, arguments: list[str], words: str
) -> None:
    finding = only_finding(refuse(workspace, tmp_path, *arguments))

    assert words in f"{finding['title']}: {finding['cause']}"


def test_that_an_unknown_operator_is_told_with_the_nearest_one(workspace: TestWorkspace, tmp_path: Path) -> None:
    (finding,) = refuse(workspace, tmp_path, "relu_scale").document["findings"]

    assert "There is no operator relu_scale" in finding["title"]
    assert "did you mean relu6_scale?" in finding["cause"]


def test_that_an_operator_that_does_not_build_is_told_by_its_line(workspace: TestWorkspace, tmp_path: Path) -> None:
    line = workspace.line("unfinished", "relu6_scale.cpp", "unfinished")

    findings = refuse(workspace, tmp_path, "unfinished").document["findings"]

    assert ("unfinished/relu6_scale.cpp", line) in [
        (place["file"], place["line"]) for finding in findings for place in finding["places"]
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--exporter", "tensorrt"], "invalid choice: 'tensorrt' (choose from 'torchscript', 'dynamo')"),
        (["--route", "fast"], "invalid choice: 'fast' (choose from 'standard', 'custom')"),
        (["--opset", "new"], "invalid int value: 'new'"),
        (["--dynamic", "x"], "'x' is not INPUT:AXIS=NAME, for example x:0=batch"),
        (["--dynamic", "x:-1=batch"], "is not INPUT:AXIS=NAME"),
    ],
)
def test_that_an_unknown_choice_is_told_with_the_known_ones(
    workspace: TestWorkspace, tmp_path: Path, arguments: list[str], words: str
) -> None:
    result = workspace.run("export", "relu6_scale", "-o", str(tmp_path / "m.onnx"), *arguments)

    assert (result.status, result.output, list(tmp_path.iterdir())) == (2, "", [])
    assert words in result.errors


def test_that_a_crash_of_a_kernel_is_told_by_its_line(workspace: TestWorkspace, tmp_path: Path) -> None:
    crash = "  *reinterpret_cast<volatile int*>(8) = 1;  // fault\n"
    start = "void forward(const opstudio::Call& call) {\n"
    workspace.add("relu6_scale", "crashing", ("relu6_scale.cpp", start, start + crash))
    workspace.edit("crashing", "contract.toml", 'name = "relu6_scale"', 'name = "crashing"')
    path = write_model(
        workspace, (FORWARD, "return torch.ops.myops.crashing(torch.ops.myops.relu6_scale(x, 1.0), 1.0)")
    )

    finding = only_finding(refuse(workspace, tmp_path, f"{path}:make"))

    line = workspace.line("crashing", "relu6_scale.cpp", "// fault")
    assert ("crashing/relu6_scale.cpp", line) in [(place["file"], place["line"]) for place in finding["places"]]
    shutil.rmtree(workspace.root / "crashing")
