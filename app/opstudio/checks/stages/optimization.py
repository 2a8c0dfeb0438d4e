"""The exported files run in ONNX Runtime at every graph-optimisation level, at the example's size and at another one.

At each level the outputs are those of PyTorch, and the custom nodes are all still there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.base.data_type import DataType
from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.node_model import open_session, run_tensors
from opstudio.checks.results import plain_message
from opstudio.checks.stages.export import ExportEvidence, model_of
from opstudio.checks.stages.load import applies
from opstudio.checks.subject import Subject
from opstudio.contract.operator import Layer
from opstudio.model.export_request import ExportRecord, Route
from opstudio.model.exportable import leaves
from opstudio.model.resizing import resize
from opstudio.model.summary import summarize_model
from opstudio.parity.arrays import to_numpy
from opstudio.parity.comparison import Comparison, compare

LEVELS = ("ORT_DISABLE_ALL", "ORT_ENABLE_BASIC", "ORT_ENABLE_EXTENDED", "ORT_ENABLE_ALL")


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelResult:
    """One file at one level. ``grown`` are the comparisons at the second size."""

    file: str
    level: str
    comparisons: tuple[Comparison, ...] = ()
    grown: tuple[Comparison, ...] = ()
    custom_nodes: int = 0
    custom_nodes_asked: int = 0
    error: str = ""

    @property
    def good(self) -> bool:
        """Whether the level changes nothing."""
        agree = all(comparison.agrees for comparison in (*self.comparisons, *self.grown))
        return not self.error and agree and self.custom_nodes == self.custom_nodes_asked


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizationEvidence:
    """All files at all levels."""

    results: tuple[LevelResult, ...]

    @property
    def good(self) -> bool:
        """Whether all agree with PyTorch."""
        return all(result.good for result in self.results)

    @property
    def summary(self) -> str:
        """One line for people."""
        largest = max((c.largest_absolute for result in self.results for c in result.comparisons), default=0.0)
        return f"{len(self.results)} runs over {len(LEVELS)} levels, largest difference {largest:.3g}"


def run(subject: Subject) -> OptimizationEvidence:
    """Run every file that the export stage made."""
    evidence = from_json(ExportEvidence, subject.options["export"])
    subject.set_guards(False, False)
    try:
        results = [
            _run_level(subject, record, level)
            for record in evidence.exports
            if record.file and Path(record.file).is_file()
            for level in LEVELS
        ]
    finally:
        subject.set_guards(True, False)
    return OptimizationEvidence(results=tuple(results))


def _run_level(subject: Subject, record: ExportRecord, level: str) -> LevelResult:
    name = Path(record.file).name
    subject.progress("optimization", f"{name} at {level}")
    custom = record.request.route is Route.CUSTOM
    custom_nodes = record.summary.custom_nodes if record.summary else ()
    asked, domains = len(custom_nodes), {node.domain for node in custom_nodes}
    optimized = Path(record.file).with_suffix(f".{level.lower()}.optimized")
    try:
        session = open_session(
            record.file, subject.library if custom else None, level=level, threads=2, save_to=str(optimized)
        )
        comparisons = _compare(subject, session, record, resized=False)
        grown = _compare(subject, session, record, resized=True)
        # The runtime's own fused nodes have domains of their own, which say nothing about the person's.
        left = sum(node.domain in domains for node in summarize_model(optimized).custom_nodes) if custom else asked
    except Exception as error:  # noqa: BLE001 - what the runtime says is evidence
        return LevelResult(file=name, level=level, error=plain_message(error), custom_nodes_asked=asked)
    finally:
        optimized.unlink(missing_ok=True)
    return LevelResult(
        file=name,
        level=level,
        comparisons=comparisons,
        grown=grown,
        custom_nodes=left if custom else 0,
        custom_nodes_asked=asked if custom else 0,
    )


def _compare(subject: Subject, session: Any, record: ExportRecord, *, resized: bool) -> tuple[Comparison, ...]:
    """Compare the file with PyTorch, at the example's sizes or at others; nothing where the model takes no others."""
    model = model_of(subject)
    inputs = model.tensors
    if resized:
        other = resize(model, record.inputs, record.request, subject.folder)
        if other is None or other[1].error:
            return ()  # the export stage tells
        inputs = other[0]
    expected = leaves(model.call(model.module(), inputs))
    outputs = run_tensors(session, _in_order(session, record, inputs))
    results: list[Comparison] = []
    for value, reference in zip(outputs, expected, strict=True):
        data_type = DataType(str(reference.dtype).removeprefix("torch."))
        tolerance = subject.contract.tolerance(Layer.RUNTIME, data_type)
        results.append(compare(to_numpy(value), to_numpy(reference), tolerance, type_name=data_type.value))
    return tuple(results)


def _in_order(session: Any, record: ExportRecord, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the tensors that the file has inputs for: exporters may leave out what the model does not read."""
    by_name = dict(zip(record.inputs, inputs, strict=True))
    names = [item.name for item in session.get_inputs()]
    return tuple(by_name[name] for name in names) if by_name.keys() >= set(names) else inputs


CHECK = Check(
    id="optimization",
    title="Optimisation levels",
    order=140,
    pace=Pace.SLOW,
    evidence=OptimizationEvidence,
    run=run,
    depends=frozenset({Part.CONTRACT, Part.KERNEL, Part.BINDING, Part.REFERENCE, Part.MODEL, Part.FRAMEWORKS}),
    needs=("export", "value"),
    uses=("export",),
    applies=applies,
    quiet_seconds=20.0,
)
