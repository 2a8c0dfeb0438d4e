"""Loading the operator library ends the process.

## What it finds
A crash or an abort while the library registers itself, for a reason that no other rule knows.

## Why it happens
A static object of the library fails when it is made; the library belongs to another release of PyTorch; a schema is
refused in a way that this studio does not know yet.

## How to fix
Read the last words of the process; the line that says them is shown where a source of the operator has it.

## Source
The worker's standard error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.checks.loading import LOADING
from opstudio.diagnosis.registration import refusal_of, refusal_text
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines
from opstudio.worker.outcome import Ending, Outcome


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Speak only where none of the rules for known refusals does."""
    if outcome.ending is not Ending.CRASHED or outcome.label != LOADING or outcome.signal != "SIGABRT":
        return
    if refusal_of(outcome) is not None:
        return
    said = refusal_text(outcome)
    written = find_lines(context, re.escape(said)) if said else []
    yield RULE.finding(
        context,
        cause=said[:500] or "the process aborted without a word",
        fix="Read the last words of the process in the evidence",
        places=[place for place, _ in written]
        or [Place(file=context.relative(str(context.folder / name))) for name in context.contract.kernel.sources],
        evidence={"last_words": outcome.last_words},
    )


RULE = Rule(
    id="REG028",
    title="The library ends the process when it is loaded",
    needs=Outcome,
    check=check,
    stages=("register",),
)
