"""``opstudio export --explain``: one document for both exporters, files in a folder, stubs that mend when pasted."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import onnx
import pytest

from tests.support.workspaces import TestWorkspace

NET = """import torch


@torch.library.custom_op("lab::swish", mutates_args=())
def swish(x: torch.Tensor, beta: float = 1.0) -> torch.Tensor:
    return x * torch.sigmoid(beta * x)


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.lab.swish(torch.relu(x), 0.5)  # the call


def make():
    return Net()


def example_inputs():
    return (torch.ones(3, 4),)
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> TestWorkspace:
    made = TestWorkspace(tmp_path_factory.mktemp("explanation") / "my 工作区")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    made.add("relu6_scale", "relu6_scale")
    (made.root / "net.py").write_text(NET, encoding="utf-8")
    (made.root / "out").mkdir()
    return made


def explained(document: dict[str, Any], exporter: str) -> dict[str, Any]:
    assert document["schema"] == "opstudio/export/1"
    return dict(next(item for item in document["explanation"]["attempts"] if item["exporter"] == exporter))


def test_that_a_model_that_fails_is_mended_by_what_is_written(workspace: TestWorkspace) -> None:
    path = workspace.root / "net.py"
    arguments = (f"{path}:make", "--explain", "--dynamic", "x:0=batch", "-o", str(workspace.root / "out"), "--json")

    first = workspace.run("export", *arguments)

    assert (first.status, list((workspace.root / "out").iterdir())) == (1, []), first.errors
    document = first.document
    assert [item["id"] for item in document["explanation"]["findings"]] == ["EXP001", "EXP023"]
    assert [item["kind"] for item in document["explanation"]["stubs"]] == ["fake", "symbolic", "translation"]
    line = next(number for number, text in enumerate(NET.splitlines(), start=1) if text.endswith("# the call"))
    assert [explained(document, item)["record"]["at"]["line"] for item in ("torchscript", "dynamo")] == [line] * 2
    pasted = "\n\n".join(["", *(stub["text"] for stub in document["explanation"]["stubs"])])
    path.write_text(NET + pasted, encoding="utf-8")

    second = workspace.run("export", *arguments)

    assert (second.status, second.document["good"]) == (0, True), second.output
    for exporter in ("torchscript", "dynamo"):
        attempt = explained(second.document, exporter)
        model = onnx.load(workspace.root / "out" / f"{exporter}.onnx")
        assert (
            {node.op_type for node in model.graph.node}
            == {"Relu", "Swish"}
            == {name.rpartition(":")[2] for name in attempt["node_types"]}
        )
        assert (attempt["succeeded"], attempt["nodes"]) == (True, len(model.graph.node))
        assert attempt["bytes"] == (workspace.root / "out" / f"{exporter}.onnx").stat().st_size
    # The translations that were pasted serve a plain export as well.
    plain = workspace.root / "out" / "plain.onnx"
    third = workspace.run("export", f"{path}:make", "--dynamic", "x:0=batch", "-o", str(plain), "--json")
    assert (third.status, third.document["findings"]) == (0, []), third.output
    assert [node.op_type for node in onnx.load(plain).graph.node] == ["Relu", "Swish"]


def test_that_an_operator_of_the_workspace_is_explained_to_people(workspace: TestWorkspace) -> None:
    result = workspace.run("export", "relu6_scale", "--explain", "--runtime", "1.17")

    assert result.status == 1, result.errors
    assert "myops::relu6_scale: 2 calls at" in result.output
    assert "kept, 2 × myops:Relu6Scale" in result.output
    assert "EXP012 ONNX Runtime 1.17 does not read IR version 10" in result.output
    assert "paste" not in result.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--runtime", "0.9"), "Nothing is known of ONNX Runtime 0.9"),
        (("-o", "nowhere"), "There is no folder"),
        (("--opset", "40"), "There is no export to opset 40"),
    ],
)
def test_that_what_cannot_be_explained_is_refused(
    workspace: TestWorkspace, arguments: tuple[str, ...], words: str
) -> None:
    result = workspace.run("export", f"{workspace.root / 'net.py'}:make", "--explain", "--json", *arguments)

    assert result.status == 2, result.output
    (finding,) = result.document["findings"]
    assert words in finding["title"]
