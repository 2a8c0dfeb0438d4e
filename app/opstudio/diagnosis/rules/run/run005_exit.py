"""The kernel ended its process by calling ``exit``.

## What it finds
A worker that ended through ``exit()``, ``_exit()`` or ``quick_exit()`` before its stage was done.

## Why it happens
Error handling taken from a command-line program: a library must never end the process that it is loaded into.

## How to fix
Refuse the call instead: ``OPSTUDIO_CHECK(condition, "message")`` hands the message to whoever called the operator.

## Source
atexit(3).
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.places import culprit, places_of
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at processes that ended without a word."""
    if outcome.ending is Ending.EXITED:
        yield RULE.finding(
            context,
            title=f"The {culprit(context)} calls exit",
            cause=f"the process ended while running {outcome.doing}; it would have taken the person's program with it",
            fix='Refuse the call instead: OPSTUDIO_CHECK(condition, "message")',
            places=places_of(outcome, context),
            evidence={"last_words": outcome.last_words},
        )


RULE = Rule(id="RUN005", title="The kernel calls exit", needs=Outcome, check=check)
