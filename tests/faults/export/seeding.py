"""A good operator with a model and translations of its own, broken by one edit, exported, mended, exported again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.workspaces import ALONE, CommandResult, Edit, TestWorkspace

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


TORCHSCRIPT = ("--exporter", "torchscript")
DYNAMO = ("--exporter", "dynamo")


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One edit of the good operator, what ``opstudio export`` must answer, and the fix that it offers.

    ``place`` is a file of the operator and a text on the very line that must be named (``None``: the file as a whole).
    ``words`` occur in the finding. ``mend`` are edits of the broken files, ``mend_arguments`` take the place of the
    arguments; a fault without ``mend`` is taken back. ``writes`` says whether a file is written all the same.
    """

    id: str
    edits: tuple[Edit, ...]
    arguments: tuple[str, ...]
    place: tuple[str, str | None]
    words: tuple[str, ...] = ()
    mend: tuple[Edit, ...] | None = None
    mend_arguments: tuple[str, ...] | None = None
    writes: bool = True
    severity: str = "error"


@dataclass(frozen=True)
class ExportResult:
    """What ``opstudio export --json`` said."""

    command: CommandResult
    is_written: bool

    @property
    def findings(self) -> list[Mapping[str, Any]]:
        return list(self.command.document["findings"])

    @property
    def ids(self) -> list[str]:
        return [finding["id"] for finding in self.findings]


class ExportWorkspace(TestWorkspace):
    """A workspace whose operators are broken and mended in place."""

    __test__ = False

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._good: set[tuple[object, ...]] = set()

    def add_clipped(self) -> None:
        """Make the operator that the faults are seeded in."""
        folder = self.add(
            "relu6_scale", OPERATOR, *ALONE, ("contract.toml", "[kernel]\n", '[kernel]\nmodel = "model.py:make"\n')
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

    def assert_told_and_mended(self, fault: Fault, twin: ExportWorkspace) -> None:
        """Break the operator, see the fault told with its place; apply the fix, see nothing told any more.

        The mended operator is exported in another workspace meanwhile, since both take seconds.
        """
        repaired = fault.mend is not None or fault.mend_arguments is not None
        edits = (*fault.edits, *(fault.mend or ())) if repaired else ()
        with ThreadPoolExecutor() as threads, twin.edited(OPERATOR, *edits), self.edited(OPERATOR, *fault.edits):
            mended = threads.submit(twin.assert_good, fault.mend_arguments or fault.arguments)
            self._assert_told(fault)
            mended.result()

    def _assert_told(self, fault: Fault) -> None:
        file, text = fault.place
        line = None if text is None else self.line(OPERATOR, file, text)
        result = self.export(OPERATOR, *fault.arguments)
        assert result.ids == [fault.id], result.findings
        (finding,) = result.findings
        words = " | ".join((finding["title"], finding["cause"], finding["fix"]))
        assert [part for part in fault.words if part not in words] == [], words
        assert (finding["stage"], finding["severity"]) == ("export", fault.severity)
        places = [(place["file"], place["line"]) for place in finding["places"]]
        assert (f"{OPERATOR}/{file}", line) in places, places
        bad = fault.severity == "error"
        assert (result.command.status, result.is_written) == (int(bad), fault.writes), result.command.errors

    def assert_good(self, arguments: tuple[str, ...]) -> None:
        """Export the operator as it stands; what was seen to be good before is not exported once more."""
        state = (arguments, *((path.name, path.read_text()) for path in sorted((self.root / OPERATOR).glob("*.*"))))
        if state not in self._good:
            result = self.export(OPERATOR, *arguments)
            assert (result.command.status, result.ids, result.is_written) == (0, [], True), result.findings
            self._good.add(state)

    def export(self, model: str, *arguments: str) -> ExportResult:
        """Export through the command line."""
        output = self.root / "written" / "model.onnx"
        output.parent.mkdir(exist_ok=True)
        output.unlink(missing_ok=True)
        result = self.run("export", model, "-o", str(output), "--json", *arguments)
        assert result.output, result.errors
        assert "record" in json.loads(result.output), result.output
        return ExportResult(result, output.is_file())
