"""The operator refuses a type that its contract lists.

## What it finds
A call in a type of the contract that raises "not implemented for", "the kernel has no code for", "expected scalar type"
or the like.

## Why it happens
The kernel's dispatch covers fewer types than the contract: ``AT_DISPATCH_FLOATING_TYPES`` leaves half and bfloat16 out.

## How to fix
Add the type to the kernel (``opstudio::FloatingTypes``, ``AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16,
…)``), or remove it from the contract.

## Source
The call itself, in each type of the contract.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.results import CallError
from opstudio.checks.stages.extreme import ExtremeEvidence
from opstudio.checks.stages.meta import FormResult, MetaEvidence
from opstudio.checks.stages.value import ValueEvidence
from opstudio.diagnosis.recognition import TYPE_REFUSAL
from opstudio.diagnosis.rule import Rule, RuleContext


def check(evidence: MetaEvidence | ValueEvidence | ExtremeEvidence, context: RuleContext) -> Iterable[Finding]:
    """Recognise refusals of a type; each type is told once."""
    told: set[str] = set()
    for case in evidence.cases:
        error: CallError | None = case.real_error if isinstance(case, FormResult) else case.error
        found = TYPE_REFUSAL.search(error.message) if error else None
        if found is None or error is None:
            continue
        refused = next(group for group in found.groups() if group)
        if refused in told:
            continue
        told.add(refused)
        yield RULE.finding(
            context,
            title=f"The kernel refuses {refused}",
            cause=f"{error.message}, in {case.name}",
            fix="Add the type to the kernel's dispatch, or remove it from the contract",
            places=[
                context.place_of_frames(error.thrown_from) or context.place_of_function("forward"),
                context.place_in_contract(("input", 0, "types"), at_value=True),
            ],
        )


RULE = Rule(id="REG020", title="A type is missing", needs=(MetaEvidence, ValueEvidence, ExtremeEvidence), check=check)
