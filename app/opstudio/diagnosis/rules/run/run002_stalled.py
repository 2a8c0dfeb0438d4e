"""The kernel made no progress: a loop without end, or threads that wait for one another.

## What it finds
A worker was silent for longer than its limit, which the finding names: ``quiet_seconds`` under ``[limits]`` of
``opstudio.toml`` (2 seconds where it says nothing), three times that where the worker starts cold, as it does for a
single command, or five times the stage's last good run, whichever is longest; stages such as the export allow
themselves more. Before it is ended, every thread records where it is.

## Why it happens
A loop whose condition never turns false for some shape; a mutex locked twice; a thread that waits for another one of
the same pool; ``raise(SIGSTOP)``, after which the process sleeps until somebody wakes it.

## How to fix
Look at the line. If the kernel is right and only slow, raise ``quiet_seconds`` under ``[limits]`` in ``opstudio.toml``,
or make the sample smaller.

## Source
The limits of the workspace; processor time tells a loop from a deadlock.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.places import culprit, places_of
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at workers that were ended for their silence."""
    if outcome.ending is not Ending.STALLED:
        return
    seconds = outcome.limits.get("quiet_seconds", 0.0)
    name = culprit(context)
    if outcome.stopped:
        yield RULE.finding(
            context,
            title=f"The {name} was stopped by a signal",
            cause=f"the process has slept since SIGSTOP or its like, sent while running {outcome.doing}: by the {name} "
            "itself (raise, kill), or by somebody on this machine",
            fix="Take out what stops the process; a debugger stops it as well",
            places=places_of(outcome, context),
            evidence={"stopped": True, "quiet_seconds": seconds},
        )
        return
    what = "loops without end" if outcome.busy else "waits for something that never happens (a deadlock)"
    yield RULE.finding(
        context,
        title=f"The {name} {what}",
        cause=f"no progress for {seconds:.0f} s while running {outcome.doing}",
        fix="Mend the loop or the lock at the line shown; if it is only slow, raise quiet_seconds under [limits] in "
        "opstudio.toml, of which this limit is made",
        places=places_of(outcome, context),
        evidence={"busy": outcome.busy, "quiet_seconds": seconds},
    )


RULE = Rule(id="RUN002", title="The kernel does not end", needs=Outcome, check=check)
