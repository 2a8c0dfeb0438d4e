"""The stack of a thread ran out.

## What it finds
A crash whose address lies just below the stack pointer, in the main thread or in one of the pool.

## Why it happens
Recursion without end, or large arrays as local variables: pool threads have small stacks.

## How to fix
Turn the recursion into a loop; take memory from ``call.scratch<T>(count)`` instead of the stack.

## Source
sigaltstack(2): each thread handles the signal on a stack of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.places import culprit, places_of
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at crashes that the recorder took for an overflow."""
    if outcome.ending is Ending.STACK_OVERFLOW:
        yield RULE.finding(
            context,
            title=f"The {culprit(context)} overflows its stack",
            cause=f"the stack ran out while running {outcome.doing}: recursion without end, or large local arrays",
            fix="End the recursion, or take the memory from call.scratch<T>(count)",
            places=places_of(outcome, context),
        )


RULE = Rule(id="RUN003", title="The kernel overflows its stack", needs=Outcome, check=check)
