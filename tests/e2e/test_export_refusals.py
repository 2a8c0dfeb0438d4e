"""``opstudio export`` of what cannot be exported: one clear error, exit code 2, and nothing is written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Refusal:
    """A model that cannot be exported: edits of the good one, and what must be said. ``line`` is a text on its line."""

    edits: tuple[tuple[str, str], ...]
    title: str
    cause: str
    line: str | None = None
    factory: str = "make"

    @property
    def text(self) -> str:
        text = MODEL
        for old, new in self.edits:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        return text


def calls(name: str) -> tuple[tuple[str, str], ...]:
    return ((FORWARD, f"return torch.ops.myops.{name}(x, 1.0)"),)


REFUSALS = {
    "no inputs": Refusal(
        (("def example_inputs", "def inputs"),), "{} has no example_inputs", "come from that function"
    ),
    "None for inputs": Refusal(((INPUTS, "pass"),), "example_inputs of {} does not return tensors", "it returned None"),
    "numbers for inputs": Refusal(
        ((INPUTS, "return (1.0, torch.ones(2))"),), "does not return tensors", "it returned a float, a Tensor"
    ),
    "nothing for inputs": Refusal(((INPUTS, "return ()"),), "does not return tensors", "it returned nothing"),
    "an input of another name": Refusal(
        ((INPUTS, 'return {"X": torch.ones(2)}'),), "names an input that forward does not have", "did you mean x?"
    ),
    "inputs that raise": Refusal(
        ((INPUTS, "return 1 / 0"),), "example_inputs of {} fails", "ZeroDivisionError: division by zero", "1 / 0"
    ),
    "a factory that raises": Refusal(
        (("return Model()", "raise RuntimeError('no weights')"),),
        "make of {} fails",
        "no weights",
        "raise RuntimeError",
    ),
    "a factory of classes": Refusal(
        (("return Model()", "return Model"),), "{}:make does not return a module", "it returned the class Model"
    ),
    "a factory of dicts": Refusal(
        (("return Model()", "return {}"),), "{}:make does not return a module", "it returned a dict"
    ),
    "a module for a factory": Refusal(
        (("def make", "model = Model()\n\n\ndef make"),), "model of {} is no function", "a Model", factory="model"
    ),
    "an unknown factory": Refusal((), "{} has no mak", "did you mean make?", factory="mak"),
    "an import that fails": Refusal(
        (("import torch\n", "import torch\nimport not_there\n"),), "{} cannot be imported", "not_there", "import not"
    ),
    "a mistake of syntax": Refusal(
        (("def make():", "def make(:"),), "{} cannot be imported", "SyntaxError", "def make(:"
    ),
    "a model that raises": Refusal(
        ((FORWARD, "return x @ x"),), "The model does not run in PyTorch", "shapes cannot be multiplied", "x @ x"
    ),
    "an unknown operator": Refusal(
        calls("relu6_scal"),
        "The model calls myops::relu6_scal, which is not there",
        "did you mean myops::relu6_scale?",
        "return torch.ops",
    ),
    "an operator that does not build": Refusal(
        calls("unfinished"),
        "The model calls myops::unfinished, which is not there",
        "unfinished does not build: ",
        "return torch.ops",
    ),
    "an operator whose contract is wrong": Refusal(
        calls("unreadable"),
        "The model calls myops::unreadable, which is not there",
        "its contract is wrong: ",
        "return torch.ops",
    ),
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> TestWorkspace:
    made = TestWorkspace(tmp_path_factory.mktemp("refusals") / "workspace")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    made.add("relu6_scale", "relu6_scale")
    made.add("relu6_scale", "unreadable", ("contract.toml", 'name = "relu6_scale"', 'name = "unreadable"\ncolour = 1'))
    return made


@pytest.fixture(scope="module")
def unfinished(workspace: TestWorkspace) -> Iterator[TestWorkspace]:
    """Add an operator that does not build."""
    folder = workspace.add(
        "relu6_scale",
        "unfinished",
        ("relu6_scale.cpp", "OPSTUDIO_KERNEL(forward, backward)", "unfinished"),
        ("contract.toml", 'name = "relu6_scale"', 'name = "unfinished"'),
    )
    yield workspace
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def refused(unfinished: TestWorkspace, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path, Any]]:
    """Try to export every model, two at a time: the model, the folder of the output and what was said."""
    models = {name: unfinished.root / f"model_{index}.py" for index, name in enumerate(REFUSALS)}
    folders = {name: tmp_path_factory.mktemp("out") for name in REFUSALS}

    def export(name: str) -> CommandResult:
        models[name].write_text(REFUSALS[name].text, encoding="utf-8")
        model = f"{models[name]}:{REFUSALS[name].factory}"
        return unfinished.run("export", model, "-o", str(folders[name] / "m.onnx"), "--json")

    with ThreadPoolExecutor(2) as threads:
        results = dict(zip(REFUSALS, threads.map(export, REFUSALS), strict=True))
    return {name: (models[name], folders[name], results[name]) for name in REFUSALS}


@pytest.mark.parametrize("name", REFUSALS)
def test_that_a_model_that_cannot_be_made_is_told_by_its_line(refused: Any, name: str) -> None:
    refusal = REFUSALS[name]
    model, folder, result = refused[name]

    assert (result.status, list(folder.iterdir())) == (2, []), result
    finding = only_finding(result)
    assert refusal.title.format(model.name) in finding["title"]
    assert refusal.cause in finding["cause"]
    lines = enumerate(model.read_text().splitlines(), start=1)
    expected = None if refusal.line is None else next(number for number, text in lines if refusal.line in text)
    assert [(place["file"], place["line"]) for place in finding["places"]] == [(str(model), expected)]


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


def test_that_an_operator_that_does_not_build_is_told_by_its_line(unfinished: TestWorkspace, tmp_path: Path) -> None:
    line = unfinished.line("unfinished", "relu6_scale.cpp", "unfinished")

    findings = refuse(unfinished, tmp_path, "unfinished").document["findings"]

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
    folder = workspace.add("relu6_scale", "crashing", ("relu6_scale.cpp", start, start + crash))
    workspace.edit("crashing", "contract.toml", 'name = "relu6_scale"', 'name = "crashing"')
    line = workspace.line("crashing", "relu6_scale.cpp", "// fault")
    path = workspace.root / "crashes.py"
    path.write_text(MODEL.replace(FORWARD, "return torch.ops.myops.crashing(torch.ops.myops.relu6_scale(x, 1.0), 1.0)"))

    finding = only_finding(refuse(workspace, tmp_path, f"{path}:make"))

    assert ("crashing/relu6_scale.cpp", line) in [(place["file"], place["line"]) for place in finding["places"]]
    shutil.rmtree(folder)
