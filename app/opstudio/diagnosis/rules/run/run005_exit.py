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

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.places import culprit, places_of
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines
from opstudio.worker.outcome import Ending, Outcome

_CALL = r"(?<![\w.>])(?:_exit|_Exit|quick_exit|exit)\s*\("
_UNKNOWN = "; no source of the operator calls exit by its name, so that the function is the place that is known"


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at processes that ended without a word."""
    if outcome.ending is Ending.EXITED:
        places, is_known = _places(outcome, context)
        yield RULE.finding(
            context,
            title=f"The {culprit(context)} calls exit",
            cause=f"the process ended while running {outcome.doing}; it would have taken the person's program with it"
            + ("" if is_known else _UNKNOWN),
            fix='Refuse the call instead: OPSTUDIO_CHECK(condition, "message")',
            places=places,
            evidence={"last_words": outcome.last_words},
        )


def _places(outcome: Outcome, context: RuleContext) -> tuple[tuple[Place, ...], bool]:
    """Return where the call stands, and whether it is known; else the function that was run.

    ``exit`` runs handlers, which note the call stack. ``_exit`` leaves no trace: there the sources tell, read as text.
    """
    noted = any(context.place_of_frames(trace.frames) is not None for trace in outcome.traces)
    if noted or context.stage == "reference":
        return places_of(outcome, context), True
    calls = tuple(place for place, _ in find_lines(context, _CALL, headers=True))
    return calls or places_of(outcome, context), bool(calls)


RULE = Rule(id="RUN005", title="The kernel calls exit", needs=Outcome, check=check)
