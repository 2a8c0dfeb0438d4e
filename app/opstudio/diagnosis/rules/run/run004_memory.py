"""The kernel took more memory than a worker may hold.

## What it finds
A worker whose resident memory passed ``[limits] memory_gib`` (4 by default), or which could not get memory at all.

## Why it happens
A loop that allocates; a size computed wrongly, for example a product of sizes that overflowed; memory that is never
freed between calls.

## How to fix
Look at the line. Take scratch memory from ``call.scratch<T>(count)``, which the host frees after each call. If the
operator needs that much, raise the limit in ``opstudio.toml``.

## Source
proc(5), ``/proc/PID/statm``, read every 20 ms.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.base.units import render_bytes
from opstudio.diagnosis.places import culprit, places_of
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at workers that were ended for their size."""
    if outcome.ending is not Ending.OUT_OF_MEMORY:
        return
    limit = int(outcome.limits.get("memory_bytes", 0.0))
    yield RULE.finding(
        context,
        title=f"The {culprit(context)} allocates without end",
        cause=f"{render_bytes(outcome.peak_bytes)} while running {outcome.doing}; allowed are {render_bytes(limit)}",
        fix="Mend the allocation at the line shown, or raise [limits] memory_gib if the operator needs that much",
        places=places_of(outcome, context),
        evidence={"peak_bytes": outcome.peak_bytes, "limit_bytes": limit},
    )


RULE = Rule(id="RUN004", title="The kernel allocates without end", needs=Outcome, check=check)
