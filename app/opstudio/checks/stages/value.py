"""The kernel returns what the reference returns, for every sample and type: criterion and four statistics."""

from __future__ import annotations

from dataclasses import dataclass

from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.expected import CaseKind
from opstudio.checks.results import CaseResult, attempt, compare_outputs, describe_cases, shapes_of
from opstudio.checks.subject import Subject
from opstudio.contract.operator import Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueEvidence:
    """All cases."""

    cases: tuple[CaseResult, ...]

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
    """Compare all samples."""
    return ValueEvidence(cases=compare_with_reference(subject, "value", CaseKind.SAMPLE))


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
