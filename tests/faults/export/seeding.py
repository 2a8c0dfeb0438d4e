"""A good operator with a model and translations of its own, broken by one edit, exported, mended, exported again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.workspaces import CommandResult, Edit, TestWorkspace

OPERATOR = "clipped"
"""The folder of the operator, which is relu6_scale."""

MODEL = '''"""A small model around the operator."""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        shifted = x + 0.5
        return torch.ops.myops.relu6_scale(shifted, 0.75, 4.0)


def make():
    return Model()


def example_inputs():
    return (torch.linspace(-4.0, 4.0, 24).reshape(2, 3, 4),)
'''

TRANSLATIONS = '''"""Translations for both exporters, written by hand."""

import onnxscript
import torch
from onnxscript import FLOAT
from torch.onnx import register_custom_op_symbolic, symbolic_helper

myops = onnxscript.values.Opset("myops", 1)


@onnxscript.script(myops)
def translate(x: FLOAT[...], scale: float, max_val: float = 6.0) -> FLOAT[...]:
    return myops.Relu6Scale(x, scale=scale, max_val=max_val)


@symbolic_helper.parse_args("v", "f", "f")
def symbolic(graph, x, scale, max_val):
    node = graph.op("myops::Relu6Scale", x, scale_f=scale, max_val_f=max_val)
    return node.setType(x.type())


def register():
    register_custom_op_symbolic("myops::relu6_scale", symbolic, 9)
    return {torch.ops.myops.relu6_scale.default: translate}
'''

CONTRACT_END = """
[export]
opset = 18
registration = "export.py"

[export.dynamic]
x = { 0 = "batch" }
"""


@dataclass(frozen=True)
class ExportResult:
    """What ``opstudio export --json`` said."""

    command: CommandResult

    @property
    def findings(self) -> list[Mapping[str, Any]]:
        return list(self.command.document["findings"])

    @property
    def ids(self) -> list[str]:
        return [finding["id"] for finding in self.findings]

    def finding(self, finding_id: str) -> Mapping[str, Any]:
        found = [finding for finding in self.findings if finding["id"] == finding_id]
        assert len(found) == 1, f"{finding_id} is told {len(found)} times: {self.findings}"
        return found[0]


def said(finding: Mapping[str, Any]) -> str:
    """Return the words of a finding."""
    return " | ".join((finding["title"], finding["cause"], finding["fix"]))


def places(finding: Mapping[str, Any]) -> list[tuple[str, int | None]]:
    """Return where a finding points."""
    return [(place["file"], place["line"]) for place in finding["places"]]


class ExportWorkspace(TestWorkspace):
    """A workspace whose operators are broken and mended in place."""

    __test__ = False

    def add_clipped(self) -> None:
        """Make the operator that the faults are seeded in."""
        folder = self.add(
            "relu6_scale", OPERATOR, ("contract.toml", "[kernel]\n", '[kernel]\nmodel = "model.py:make"\n')
        )
        (folder / "model.py").write_text(MODEL, encoding="utf-8")
        (folder / "export.py").write_text(TRANSLATIONS, encoding="utf-8")
        with (folder / "contract.toml").open("a", encoding="utf-8") as contract:
            contract.write(CONTRACT_END)

    @contextmanager
    def edited(self, name: str, *edits: Edit) -> Iterator[Path]:
        """Apply edits to an operator and take them back at the end."""
        folder = self.root / name
        before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        try:
            for edit in edits:
                self.edit(name, *edit)
            yield folder
        finally:
            for path, data in before.items():
                path.write_bytes(data)

    def export(self, model: str, *arguments: str) -> ExportResult:
        """Export through the command line."""
        output = self.root / "written" / "model.onnx"
        output.parent.mkdir(exist_ok=True)
        output.unlink(missing_ok=True)
        result = self.run("export", model, "-o", str(output), "--json", *arguments)
        assert result.output, result.errors
        assert "record" in json.loads(result.output), result.output
        return ExportResult(result)
