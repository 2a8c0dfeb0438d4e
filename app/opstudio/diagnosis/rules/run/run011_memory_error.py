"""The kernel reads or writes memory that is not its own.

## What it finds
What AddressSanitizer reports when the kernel runs by itself on memory of exactly the right size: a read or write past a
tensor, use after free, a stack that is overrun. Reads past an input are found here and nowhere else.

## Why it happens
A loop or a vector that runs past the end; a pointer that is kept from an earlier call.

## How to fix
Compare the index at the line shown with the size of the tensor.

## Source
AddressSanitizer of the workspace's compiler.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.sanitizer import SanitizerEvidence
from opstudio.diagnosis.reports import first_place, foreign_memory, is_memory_error
from opstudio.diagnosis.rule import Rule, RuleContext


def check(evidence: SanitizerEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell each kind of error once; ThreadSanitizer sees some of them as well, with less to say."""
    found = [(run, report) for run in evidence.runs for report in run.reports if is_memory_error(report)]
    exact = [(run, report) for run, report in found if report.tool == "AddressSanitizer"]
    for run, report in exact or found:
        if foreign_memory(report, context) is not None:
            continue
        yield RULE.finding(
            context,
            title=f"Memory error: {report.kind}",
            cause=f"{report.detail[:300].strip() or report.kind}, while running {report.call}",
            fix="Compare the index at the line shown with the size of the tensor",
            places=[first_place(report, context)],
            evidence={"output": run.output},
        )


RULE = Rule(id="RUN011", title="The kernel uses foreign memory", needs=SanitizerEvidence, check=check)
