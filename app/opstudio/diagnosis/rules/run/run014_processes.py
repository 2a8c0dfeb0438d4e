"""The kernel starts processes or threads without end, or leaves some behind.

## What it finds
A worker that had more than 64 processes below it, or threads by the thousand, at once; and one that was done while
processes that it had started still ran, also those with a session of their own. All of them are ended with it.

## Why it happens
A loop that starts programs or threads and waits for none; a program put into the background with ``&`` or ``setsid``;
a reference that opens a pool of processes and does not close it.

## How to fix
Run pieces of the work through ``call.parallel_for``. Where another program must be run, wait for its end; close pools
of processes (``with`` in Python).

## Source
prctl(2), ``PR_SET_CHILD_SUBREAPER``; proc(5), ``/proc/PID/task/TID/children``, read every 20 ms.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.places import culprit, places_of
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome

_LONGEST_COMMAND = 80


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at workers with too many processes, or with some left."""
    if outcome.ending is not Ending.SPAWNED:
        return
    name = culprit(context)
    if outcome.left:
        title = f"The {name} leaves processes behind"
        cause = f"still running at the end: {outcome.left[0][:_LONGEST_COMMAND]}"
        cause += f" and {len(outcome.left) - 1} more" if len(outcome.left) > 1 else ""
    else:
        title = f"The {name} starts processes or threads without end"
        cause = f"{outcome.processes} processes and {outcome.threads} threads while running {outcome.doing}"
    yield RULE.finding(
        context,
        title=title,
        cause=cause,
        fix="Wait for the end of what it starts, or run pieces of the work through call.parallel_for",
        places=places_of(outcome, context),
        evidence={"processes": outcome.processes, "threads": outcome.threads, "left": list(outcome.left)},
    )


RULE = Rule(id="RUN014", title="The kernel leaves processes behind", needs=Outcome, check=check)
