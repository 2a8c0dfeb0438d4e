"""The kernel prints without end.

## What it finds
A worker that printed more than 256 MiB. Of what a stage prints the first and the last 2 MiB are shown and kept; the
rest is counted.

## Why it happens
A debugging ``printf`` in the innermost loop; a message in a loop that never ends.

## How to fix
Take the output out, or print once for each call.

## Source
The studio's limit: a journal of a run is a file in the workspace.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.base.units import render_bytes
from opstudio.diagnosis.places import culprit, last_line, places_of
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome

_SHOWN = 80


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at workers that were ended for their output."""
    if outcome.ending is not Ending.FLOODED:
        return
    said = last_line(outcome.last_words)[:_SHOWN]
    yield RULE.finding(
        context,
        title=f"The {culprit(context)} prints without end",
        cause=f"{render_bytes(outcome.printed_bytes)} while running {outcome.doing}"
        + (f", at last: {said}" if said else ""),
        fix="Take the output out of the inner loops, or print once for each call",
        places=places_of(outcome, context),
        evidence={"printed_bytes": outcome.printed_bytes},
    )


RULE = Rule(id="RUN015", title="The kernel prints without end", needs=Outcome, check=check)
