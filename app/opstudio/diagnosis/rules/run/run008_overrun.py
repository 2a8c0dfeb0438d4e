"""The kernel changed memory before or behind its output.

## What it finds
While checks run, every output lies between guards: a pattern on both sides, and a page behind it that stops the process
at the very instruction. A changed pattern is found when the output is freed.

## Why it happens
A loop that runs one element too far, a tail that is rounded up to a whole vector, an index computed from the wrong
shape. Without guards such a kernel corrupts whatever lies behind its output, and something else crashes later.

## How to fix
Compare the loop's end with ``view.count()``, and the last vector with what is left.

## Source
mprotect(2); the guards of ``plugins/torch/guarded_memory.h``.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.places import last_line
from opstudio.diagnosis.recognition import GUARD_MARK
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look for the words of a broken guard."""
    if outcome.ending is Ending.CRASHED and GUARD_MARK in outcome.last_words:
        yield RULE.finding(
            context,
            cause=f"{last_line(outcome.last_words)}, while running {outcome.doing}",
            fix="Compare the end of every loop with view.count(), and the last vector with what is left",
            places=[context.place_of_function("backward" if context.stage == "gradient" else "forward")],
        )


RULE = Rule(id="RUN008", title="The kernel writes past its output", needs=Outcome, check=check)
