"""How long the operator takes, beside the eager composite, the standard-node model and a copy of the same bytes.

Measured, in turn, with warm-ups; medians and spreads. Only the ratios of one run mean much on a shared machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.base.units import render_seconds
from opstudio.checks.cases import Case, make_case, round_attributes
from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.node_model import bound_run, one_node_model, open_session
from opstudio.checks.stages.export import ExportEvidence
from opstudio.checks.stages.load import applies as loads
from opstudio.checks.subject import Subject
from opstudio.profiling.measure import Timing, time_alternating

_BUDGET_SECONDS = 2.5

OPERATOR = "PyTorch operator"
COMPOSITE = "eager composite"
CUSTOM_NODE = "ONNX Runtime, custom node"
STANDARD_NODES = "ONNX Runtime, standard nodes"
COPY = "copy of the same bytes"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedEvidence:
    """The timings of one sample. ``bytes_moved`` counts inputs and outputs once."""

    sample: str
    shapes: tuple[tuple[int, ...], ...]
    type: str
    threads: int
    bytes_moved: int
    timings: tuple[Timing, ...]

    @property
    def good(self) -> bool:
        """A timing is neither right nor wrong."""
        return bool(self.timings)

    @property
    def summary(self) -> str:
        """One line for people."""
        return ", ".join(f"{timing.name} {render_seconds(timing.median)}" for timing in self.timings)


def run(subject: Subject) -> SpeedEvidence:
    """Time the largest sample in the first type."""
    import torch

    contract = subject.contract
    sample = max(contract.samples, key=lambda sample: sample.element_count)
    case = make_case(contract, sample, sample.shapes, next(contract.type_combinations()))
    subject.set_guards(False, False)
    try:
        outputs = subject.call(case)
        contenders = _contenders(subject, case, outputs)
        timings = time_alternating(
            contenders, budget_seconds=_BUDGET_SECONDS, on_progress=lambda label: subject.progress("speed", label)
        )
    finally:
        subject.set_guards(True, False)
    tensors = [tensor for group in case.inputs.values() for tensor in group]
    return SpeedEvidence(
        sample=sample.name,
        shapes=tuple(tuple(tensor.shape) for tensor in tensors),
        type=next(iter(case.types.values())).value,
        threads=torch.get_num_threads(),
        bytes_moved=sum(tensor.numel() * tensor.element_size() for tensor in (*tensors, *outputs)),
        timings=timings,
    )


def _contenders(subject: Subject, case: Case, outputs: tuple[Any, ...]) -> dict[str, Callable[[], object]]:
    import torch

    contract = subject.contract
    reference = subject.load_reference()
    composite = Case(case.name, case.sample, case.types, case.inputs, round_attributes(contract, case.attributes))
    arguments = composite.arguments(contract)
    contenders: dict[str, Callable[[], object]] = {
        OPERATOR: lambda: subject.call(case),
        COMPOSITE: lambda: reference(*arguments),
    }
    threads = torch.get_num_threads()
    if not loads(contract):
        shapes = {name: tuple(tuple(tensor.shape) for tensor in group) for name, group in case.inputs.items()}
        model = one_node_model(contract, case.types, shapes, case.attributes)
        session = open_session(model, subject.library, threads=threads)
        contenders[CUSTOM_NODE] = bound_run(session, case, outputs)
    if (standard := _standard_model(subject)) is not None:
        contenders[STANDARD_NODES] = bound_run(open_session(standard, None, threads=threads), case, outputs)
    moved = sum(tensor.numel() * tensor.element_size() for group in case.inputs.values() for tensor in group)
    source, target = torch.ones(max(moved, 1), dtype=torch.uint8), torch.ones(max(moved, 1), dtype=torch.uint8)
    contenders[COPY] = lambda: target.copy_(source)
    return contenders


def _standard_model(subject: Subject) -> str | None:
    """Return the file in which the export stage composed the operator of standard nodes."""
    if "export" not in subject.options:
        return None
    composite = from_json(ExportEvidence, subject.options["export"]).composite
    return composite.file if composite and composite.file and Path(composite.file).is_file() else None


CHECK = Check(
    id="speed",
    title="Speed",
    order=170,
    pace=Pace.SLOW,
    evidence=SpeedEvidence,
    run=run,
    depends=frozenset({Part.CONTRACT, Part.KERNEL, Part.REFERENCE, Part.MODEL, Part.FRAMEWORKS}),
    needs=("value", "load"),
    quiet_seconds=15.0,
)
