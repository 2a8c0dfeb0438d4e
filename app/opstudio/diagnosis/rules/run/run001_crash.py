"""A signal ended the worker while it ran the kernel.

## What it finds
The process of a check ended by a signal: a bad address, a division of integers by zero, an illegal instruction. The
line comes from the call stack that the worker recorded before it died. Signals that no process can handle, such as
``SIGKILL``, leave no call stack.

## Why it happens
A pointer that is null or freed, an index outside of a tensor, a divisor that is zero for some shape. ``SIGKILL`` comes
from the system when the memory of the machine is used up, or from the code itself: ``raise``, ``kill``.

## How to fix
Look at the line and at the input that was being run. Check sizes before dividing by them, and indices against
``view.size(axis)``.

## Source
signal(7); measured endings in a forked worker.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.places import culprit, places_of
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome

_MEANINGS = {
    "SIGSEGV": "touched memory that is not its own",
    "SIGBUS": "touched memory that is not there",
    "SIGFPE": "divided an integer by zero",
    "SIGILL": "ran an instruction that this processor does not know",
}
_KNOWN_ELSEWHERE = frozenset({"SIGABRT"})


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Tell signals apart from what other rules know better."""
    if outcome.ending is not Ending.CRASHED or outcome.signal in _KNOWN_ELSEWHERE:
        return
    if outcome.signal not in _MEANINGS:
        yield _sent(outcome, context)
        return
    if context.stage == "alias":
        return
    meaning = _MEANINGS[outcome.signal]
    at = f" (address {outcome.address:#x})" if outcome.address else ""
    yield RULE.finding(
        context,
        title=f"The {culprit(context)} {meaning}",
        cause=f"{outcome.signal}{at} while running {outcome.doing}",
        fix="Check indices against the sizes of the views, and divisors against zero, at the line shown",
        places=places_of(outcome, context),
        evidence={"signal": outcome.signal, "address": outcome.address, "last_words": outcome.last_words},
    )


def _sent(outcome: Outcome, context: RuleContext) -> Finding:
    """Tell of a signal that no instruction of the kernel causes."""
    name = culprit(context)
    senders = f"the {name} itself (raise, kill), or somebody on this machine"
    if outcome.signal == "SIGKILL":
        senders = f"the system's out-of-memory killer, or the {name} itself (raise, kill)"
    return RULE.finding(
        context,
        title=f"The {name} was ended by {outcome.signal}",
        cause=f"{outcome.signal} while running {outcome.doing}; it was sent by {senders}",
        fix="Free memory of the machine if the system ended it, else take out what sends the signal",
        places=places_of(outcome, context),
        evidence={"signal": outcome.signal, "peak_bytes": outcome.peak_bytes, "last_words": outcome.last_words},
    )


RULE = Rule(id="RUN001", title="The kernel crashed", needs=Outcome, check=check)
