"""More than five standard nodes compose the operator.

## What it finds
The number of standard nodes of the operator alone, on the standard route, constants aside.

## Why it happens
Each node reads and writes memory. A chain of them is slower than one kernel, and its values are hard to follow.

## How to fix
Keep the operator as one node of its own domain (``--route custom``) and ship the operator library. The speed stage
tells what that gains.

## Source
The exported file.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Severity
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.rule import Rule, RuleContext

_FEW = 5


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Count the nodes of the operator alone."""
    summary = evidence.composite.summary if evidence.composite else None
    if summary is None:
        return
    counts = {name.lstrip(":"): count for name, count in summary.standard_types.items() if name != ":Constant"}
    total = sum(counts.values())
    if total > _FEW:
        listed = ", ".join(f"{count} × {name}" for name, count in sorted(counts.items()))
        yield RULE.finding(
            context,
            cause=f"{total} standard nodes compose the operator: {listed}",
            fix="Keep it as one custom node (--route custom) and ship the operator library",
            places=[context.place_in_contract(("operator", "name"))],
        )


RULE = Rule(
    id="EXP010",
    title="The operator takes many standard nodes",
    needs=ExportEvidence,
    check=check,
    severity=Severity.NOTE,
)
