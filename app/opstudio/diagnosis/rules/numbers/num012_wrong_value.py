"""The operator returns other values than its reference.

## What it finds
For every sample and type: elements outside of the tolerance (``|value − reference| ≤ atol + rtol · |reference|``),
with the worst one and its index. Where the elements pass but minimum, maximum, mean or variance do not, it says that.

## Why it happens
The formula is wrong; an attribute is ignored; the kernel accumulates in a type that is too coarse.

## How to fix
Compute the element shown by hand. An error in half types only, growing with the length of a sum, is accumulation:
compute in ``compute_t<T>``.

## Source
The reference, computed in float64 and rounded once.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.value import ValueEvidence
from opstudio.diagnosis.recognition import is_shape_dependent
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.wording import comparison_evidence, describe_comparison, first_bad, join_names


def check(evidence: ValueEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the first wrong case and which others share it; errors of odd shapes only are REG010's."""
    wrong = [case for case in evidence.cases if not case.good and case.error is None]
    found = first_bad(wrong)
    if found is None or is_shape_dependent(evidence):
        return
    _, comparison = found
    yield RULE.finding(
        context,
        cause=f"{describe_comparison(comparison)}, in {join_names([case.name for case in wrong])}",
        fix="Compute the element shown by hand and compare it with the kernel's formula",
        places=[context.place_of_function("forward")],
        evidence=comparison_evidence(comparison),
    )


RULE = Rule(id="NUM012", title="Values differ from the reference", needs=ValueEvidence, check=check)
