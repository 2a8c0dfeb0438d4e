"""The kernel does something that C++ leaves undefined.

## What it finds
What UndefinedBehaviorSanitizer reports: signed overflow, a shift by too much, a conversion that does not fit, a
misaligned pointer.

## Why it happens
Products of sizes in 32 bits; casts of NaN or of large numbers to integers.

## How to fix
Compute in ``int64_t``, and check a value before it is converted.

## Source
UndefinedBehaviorSanitizer of the workspace's compiler.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.sanitizer import SanitizerEvidence
from opstudio.diagnosis.reports import first_place
from opstudio.diagnosis.rule import Rule, RuleContext


def check(evidence: SanitizerEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell each report."""
    for run in evidence.runs:
        for report in run.reports:
            if report.tool == "UndefinedBehaviorSanitizer":
                yield RULE.finding(
                    context,
                    title=f"Undefined behaviour: {report.kind}",
                    cause=f"{report.kind}, while running {report.call}",
                    fix="Compute in int64_t, and check a value before it is converted",
                    places=[first_place(report, context)],
                )


RULE = Rule(id="RUN012", title="The kernel's behaviour is undefined", needs=SanitizerEvidence, check=check)
