"""The kernel returns what the reference returns at zeros, infinities, NaN and the ends of each type."""

from __future__ import annotations

from dataclasses import dataclass

from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.expected import CaseKind
from opstudio.checks.results import CaseResult, describe_cases
from opstudio.checks.stages.value import compare_with_reference
from opstudio.checks.subject import Subject
from opstudio.contract.operator import OperatorContract


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtremeEvidence:
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


def run(subject: Subject) -> ExtremeEvidence:
    """Compare the special values, all together and one a row."""
    return ExtremeEvidence(cases=compare_with_reference(subject, "extreme", CaseKind.SPECIAL))


def applies(contract: OperatorContract) -> str:
    """Integers have no special values."""
    floating = any(data_type.is_floating for item in contract.type_variables for data_type in item.types)
    return "" if floating else "no input is floating"


CHECK = Check(
    id="extreme",
    title="Extreme values",
    order=70,
    pace=Pace.FAST,
    evidence=ExtremeEvidence,
    run=run,
    depends=frozenset({Part.CONTRACT, Part.KERNEL, Part.REFERENCE, Part.FRAMEWORKS}),
    needs=("value",),
    uses=("reference",),
    applies=applies,
)
