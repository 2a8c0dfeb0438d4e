"""A check itself raised, or the worker was lost.

## What it finds
Whatever is none of the kernel's known misdeeds: an exception in a check, a file of the workspace that ends the
interpreter, a worker that the system ended.

## Why it happens
``sys.exit`` in a reference; memory of the whole machine used up; a fault of the studio.

## How to fix
Read the message. If it does not come from a file of yours, please report it with the journal of the run.

## Source
The traceback in the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.places import last_line
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at requests that failed without findings of their own, and at lost workers."""
    if outcome.ending is Ending.LOST:
        cause = "the worker process is gone: " + (last_line(outcome.last_words) or "the system may have ended it")
    elif outcome.ending is Ending.FAILED and not outcome.findings:
        cause = f"{outcome.error}, while running {outcome.doing}"
    else:
        return
    yield RULE.finding(
        context,
        cause=cause,
        fix="Mend the file if it is yours; otherwise report it with the journal of the run",
        evidence={"traceback": outcome.traceback, "last_words": outcome.last_words},
    )


RULE = Rule(id="RUN010", title="The worker failed", needs=Outcome, check=check)
