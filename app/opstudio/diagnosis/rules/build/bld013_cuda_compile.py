"""nvcc refuses the CUDA kernel.

## What it finds
The errors of nvcc, each at its file and line.

## Why it happens
As with any compiler, the first error is nearly always the cause.

## How to fix
Mend the first error and save.

## Source
nvcc's own output.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place, Severity
from opstudio.checks.stages.cuda import CudaEvidence
from opstudio.diagnosis.rule import Rule, RuleContext

_MOST_ERRORS = 5


def check(evidence: CudaEvidence, context: RuleContext) -> Iterable[Finding]:
    """Turn nvcc's errors into findings."""
    record = evidence.record
    if record is None or record.succeeded:
        return
    errors = [item for item in record.diagnostics if item.severity is Severity.ERROR]
    for item in errors[:_MOST_ERRORS]:
        yield RULE.finding(
            context,
            title=item.message,
            cause=" · ".join(item.notes) or "nvcc refuses this line",
            fix="Mend the line; later errors often follow from the first",
            places=[Place(file=context.relative(item.file), line=item.line, column=item.column)] if item.file else [],
        )
    if not errors:
        yield RULE.finding(context, cause=record.output.strip()[-400:], fix="Run the command by itself to see more")


RULE = Rule(id="BLD013", title="The CUDA kernel does not compile", needs=CudaEvidence, check=check)
