"""The reference raises on a sample of its own contract.

## What it finds
An exception of the reference function, at the line of the reference that raised it.

## Why it happens
The reference takes its arguments in another order or under other names than the contract; it does not know float64,
in which it is run; the sample is wrong; or it returns another number of tensors than the contract has outputs.

## How to fix
The reference takes the inputs first and the attributes behind them, in the order of the contract, and returns one
tensor or a tuple of them. It must compute in float64.

## Source
The exception itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.checks.expected import ReferenceEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.wording import join_names


def check(evidence: ReferenceEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the first exception, and how many cases share it."""
    failed = [case for case in evidence.cases if case.error]
    if not failed:
        return
    first = failed[0]
    file = context.folder / context.contract.reference.partition(":")[0]
    yield RULE.finding(
        context,
        cause=f"{first.error} (in {join_names([case.name for case in failed])})",
        fix="Take inputs, then attributes, in the contract's order; compute in float64; return all outputs",
        places=[Place(file=context.relative(str(file)), line=first.line)],
    )


RULE = Rule(id="REF001", title="The reference refuses a sample", needs=ReferenceEvidence, check=check)
