"""A file of models with an operator of its own, broken by one edit, explained, mended by what the studio writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from opstudio.base.finding import Finding
from opstudio.jobs.lanes import Job
from opstudio.model.export_debugging.records import ExportExplanation, StubKind
from opstudio.model.export_request import DynamicAxis, Exporter
from opstudio.workflows.export_explanation import ExplainOrder, explain_factory, target_runtime
from opstudio.workflows.studio import Studio

NET = '''"""A small model around an operator of its own."""

import torch
from onnxscript import FLOAT, script, values
from torch.nn import functional
from torch.onnx import register_custom_op_symbolic, symbolic_helper

lab = values.Opset("lab", 1)


@torch.library.custom_op("lab::swish", mutates_args=())
def swish(x: torch.Tensor, beta: float = 1.0) -> torch.Tensor:
    return x * torch.sigmoid(beta * x)


@swish.register_fake
def swish_fake(x, beta=1.0):
    return torch.empty_like(x)


@symbolic_helper.parse_args("v", "f")
def swish_symbolic(g, x, beta):
    return g.op("lab::Swish", x, beta_f=beta).setType(x.type())


@script(lab)
def swish_translation(x: FLOAT[...], beta: float = 1.0) -> FLOAT[...]:
    return lab.Swish(x, beta=beta)


def register():
    register_custom_op_symbolic("lab::swish", swish_symbolic, 9)
    return {torch.ops.lab.swish.default: swish_translation}


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = self.linear(x)
        return torch.ops.lab.swish(y, 0.5)


def make():
    return Net()


def example_inputs():
    return (torch.linspace(-2.0, 2.0, 12).reshape(3, 4),)
'''

Edit = tuple[str, str]
"""A piece of the text that occurs once, and what takes its place."""

NO_SYMBOLIC: Edit = ('    register_custom_op_symbolic("lab::swish", swish_symbolic, 9)\n', "")
NO_TRANSLATION: Edit = ("return {torch.ops.lab.swish.default: swish_translation}", "return {}")
NO_FAKE: Edit = (
    "@swish.register_fake\ndef swish_fake(x, beta=1.0):\n    return torch.empty_like(x)\n",
    "",
)
LAST = "return torch.ops.lab.swish(y, 0.5)"


@dataclass(frozen=True, kw_only=True)
class Said:
    """What one exporter's export must be told to suffer from: a rule, words of the finding, a text on the line."""

    id: str
    words: tuple[str, ...]
    line: str | None
    severity: str = "error"


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One edit of the good file, and what must be said of it.

    ``fails`` are the exporters that write no file. ``paste`` are the kinds of stubs that mend it, ``mend`` the edits
    that do; where stubs are offered beside those, ``offered`` are their kinds. ``again`` are axes for the mended
    export, where those were wrong.
    """

    edits: tuple[Edit, ...]
    said: tuple[Said, ...]
    fails: tuple[Exporter, ...] = ()
    paste: tuple[StubKind, ...] = ()
    mend: tuple[Edit, ...] = ()
    offered: tuple[StubKind, ...] = ()
    dynamic: Mapping[str, str] = field(default_factory=lambda: {"x": "batch"})
    again: Mapping[str, str] | None = None
    opset: int = 18
    runtime: str | None = None


class Explainer:
    """Explains texts in one workspace, whose workers stay warm."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._count = 0

    def explain(
        self,
        text: str,
        *,
        dynamic: Mapping[str, str] | None = None,
        opset: int = 18,
        runtime: str | None = None,
        folder: Path | None = None,
        factory: str = "make",
    ) -> ExportExplanation:
        """Write a file of models of its own and explain the export of what its factory makes."""
        self._count += 1
        path = self._studio.workspace.root / f"net_{self._count}.py"
        path.write_text(text, encoding="utf-8")
        order = ExplainOrder(
            opset=opset,
            dynamic=tuple(DynamicAxis(input=name, axis=0, name=axis) for name, axis in (dynamic or {}).items()),
            folder=folder,
            runtime=target_runtime(self._studio, runtime),
        )
        job = Job("export", "export", lambda _context: None, lambda _event: None)
        return explain_factory(self._studio, path, factory, order, job)


def applied(text: str, *edits: Edit) -> str:
    """Return a text with edits, each of a piece that occurs once."""
    for old, new in edits:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    return text


def line_of(text: str, piece: str) -> int:
    """Return the number of the one line that holds a piece."""
    (number,) = [number for number, line in enumerate(text.splitlines(), start=1) if piece in line]
    return number


def assert_said(said: Said, explanation: ExportExplanation, text: str) -> None:
    """One finding of the rule has all of the words, and names the line."""
    line = None if said.line is None else line_of(text, said.line)
    fitting = [item for item in explanation.findings if item.id == said.id and not _missing(said, item)]
    assert fitting, [(item.id, _words(item)) for item in explanation.findings]
    assert fitting[0].severity.value == said.severity
    if line is not None:
        assert line in [place.line for place in fitting[0].places], fitting[0]


def _missing(said: Said, finding: Finding) -> list[str]:
    return [word for word in said.words if word not in _words(finding)]


def _words(finding: Finding) -> str:
    return f"{finding.title} | {finding.cause} | {finding.fix}"
