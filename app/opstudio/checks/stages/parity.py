"""Reference, PyTorch operator and ONNX Runtime operator agree, also at sizes that vary within one session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from opstudio.checks.axis_orders import find_axis_orders
from opstudio.checks.cases import Case
from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.expected import CaseKind
from opstudio.checks.node_model import one_node_model, open_session, run_session
from opstudio.checks.results import CallError, attempt, compare_outputs, shapes_of
from opstudio.checks.stages.load import applies
from opstudio.checks.subject import Subject
from opstudio.contract.operator import Layer
from opstudio.parity.axis_order import AxisOrderSearch
from opstudio.parity.comparison import Comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class ParityResult:
    """One case: the three comparisons of three layers, by output. ``inputs`` are the shapes of the inputs."""

    name: str
    sample: str
    torch_reference: tuple[Comparison, ...] = ()
    runtime_torch: tuple[Comparison, ...] = ()
    runtime_reference: tuple[Comparison, ...] = ()
    error: CallError | None = None
    inputs: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        """Whether all layers agree."""
        comparisons = (*self.torch_reference, *self.runtime_torch, *self.runtime_reference)
        return self.error is None and all(comparison.agrees for comparison in comparisons)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParityEvidence:
    """All cases; where a runtime differs from the reference, whether another order of axes explains it."""

    cases: tuple[ParityResult, ...]
    axis_orders: AxisOrderSearch | None = None

    @property
    def good(self) -> bool:
        """Whether all layers agree on every case."""
        return all(case.good for case in self.cases)

    @property
    def summary(self) -> str:
        """One line for people."""
        largest = max((c.largest_absolute for case in self.cases for c in case.runtime_torch), default=0.0)
        return f"{len(self.cases)} cases in both runtimes, largest difference {largest:.3g}"


def run(subject: Subject) -> ParityEvidence:
    """Run every case through both runtimes. One session serves all shapes of a rank and type."""
    sessions: dict[object, Any] = {}
    results: list[ParityResult] = []
    for kind in (CaseKind.SAMPLE, CaseKind.DYNAMIC):
        for case, expected in subject.expected.cases(kind):
            subject.progress("parity", case.name)
            results.append(_run_case(subject, case, expected, sessions))
    return ParityEvidence(cases=tuple(results), axis_orders=_find_orders(subject, results, sessions))


def _find_orders(subject: Subject, results: list[ParityResult], sessions: dict[object, Any]) -> AxisOrderSearch | None:
    """Look at the side that differs from the reference in other orders of axes; PyTorch's where both do."""
    if any(result.error for result in results):
        return None
    torch = {item.name: all(comparison.agrees for comparison in item.torch_reference) for item in results}
    runtime = {item.name: all(comparison.agrees for comparison in item.runtime_reference) for item in results}
    good = runtime if all(torch.values()) else torch
    if all(good.values()):
        return None
    cases = (
        (case, expected, good[case.name])
        for kind in (CaseKind.SAMPLE, CaseKind.DYNAMIC)
        for case, expected in subject.expected.cases(kind)
    )
    if good is torch:
        return find_axis_orders(subject, "parity", cases, subject.call, Layer.KERNEL)
    return find_axis_orders(subject, "parity", cases, lambda case: _run_runtime(subject, case, sessions), Layer.RUNTIME)


def _run_case(subject: Subject, case: Case, expected: tuple[Any, ...], sessions: dict[object, Any]) -> ParityResult:
    results, error = attempt(subject, lambda: (subject.call(case), _run_runtime(subject, case, sessions)))
    if error is not None:
        return ParityResult(name=case.name, sample=case.sample, error=error, inputs=shapes_of(case.inputs))
    ours, runtime = results
    runtime_torch = compare_outputs(subject, case, runtime, ours, Layer.RUNTIME)
    return ParityResult(
        name=case.name,
        sample=case.sample,
        torch_reference=compare_outputs(subject, case, ours, expected, Layer.KERNEL),
        runtime_torch=runtime_torch,
        # Equal bits need no second comparison of the whole.
        runtime_reference=compare_outputs(subject, case, runtime, expected, Layer.RUNTIME)
        if any(comparison.largest_absolute > 0 for comparison in runtime_torch)
        else (),
        inputs=shapes_of(case.inputs),
    )


def _run_runtime(subject: Subject, case: Case, sessions: dict[object, Any]) -> tuple[Any, ...]:
    contract = subject.contract
    ranks = tuple(tuple(tensor.dim() for tensor in group) for group in case.inputs.values())
    key = (ranks, tuple(case.types.items()), tuple(sorted(case.attributes.items())))
    if key not in sessions:
        names = {
            name: tuple(
                tuple(f"{name}{index}_{axis}" for axis in range(tensor.dim())) for index, tensor in enumerate(group)
            )
            for name, group in case.inputs.items()
        }
        sessions[key] = open_session(one_node_model(contract, case.types, names, case.attributes), subject.library)
    return run_session(sessions[key], case)


CHECK = Check(
    id="parity",
    title="Parity",
    order=110,
    pace=Pace.FAST,
    evidence=ParityEvidence,
    run=run,
    depends=frozenset({Part.CONTRACT, Part.KERNEL, Part.REFERENCE, Part.FRAMEWORKS}),
    needs=("value", "load"),
    uses=("reference",),
    applies=applies,
)
