"""The kernel returns what the reference returns, for every sample and type: criterion and four statistics."""

from __future__ import annotations

from dataclasses import dataclass

from opstudio.checks.axis_orders import find_axis_orders
from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.expected import CaseKind
from opstudio.checks.results import CaseResult, attempt, compare_outputs, describe_cases, shapes_of
from opstudio.checks.subject import Subject
from opstudio.contract.operator import Layer
from opstudio.parity.axis_order import AxisOrderSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueEvidence:
    """All cases; where some are wrong, whether another order of axes explains them."""

    cases: tuple[CaseResult, ...]
    axis_orders: AxisOrderSearch | None = None

    @property
    def good(self) -> bool:
        """Whether every case is right."""
        return all(case.good for case in self.cases)

    @property
    def summary(self) -> str:
        """One line for people."""
        return describe_cases(self.cases)


def compare_with_reference(subject: Subject, stage: str, kind: CaseKind) -> tuple[CaseResult, ...]:
    """Call the operator on the cases of a kind and compare with what the reference returned."""
    results: list[CaseResult] = []
    for case, expected in subject.expected.cases(kind):
        subject.progress(stage, case.name)
        outputs, error = attempt(subject, lambda case=case: subject.call(case))  # type: ignore[misc]
        comparisons = () if error else compare_outputs(subject, case, outputs, expected, Layer.KERNEL)
        results.append(
            CaseResult(
                name=case.name,
                sample=case.sample,
                comparisons=comparisons,
                error=error,
                inputs=shapes_of(case.inputs),
            )
        )
    return tuple(results)


def run(subject: Subject) -> ValueEvidence:
    """Compare all samples; values that differ are looked at in other orders of axes."""
    cases = compare_with_reference(subject, "value", CaseKind.SAMPLE)
    if all(case.good for case in cases) or any(case.error for case in cases):
        return ValueEvidence(cases=cases)
    good = {case.name: case.good for case in cases}
    again = ((case, expected, good[case.name]) for case, expected in subject.expected.cases(CaseKind.SAMPLE))
    return ValueEvidence(cases=cases, axis_orders=find_axis_orders(subject, "value", again, subject.call, Layer.KERNEL))


CHECK = Check(
    id="value",
    title="Value",
    order=50,
    pace=Pace.FAST,
    evidence=ValueEvidence,
    run=run,
    depends=frozenset({Part.CONTRACT, Part.KERNEL, Part.REFERENCE, Part.FRAMEWORKS}),
    needs=("meta",),
    uses=("reference",),
)
