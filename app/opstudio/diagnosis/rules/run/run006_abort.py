"""The kernel aborted: an assertion, an exception that nobody catches, or the C++ library's own checks.

## What it finds
A worker that ended by ``SIGABRT``, with the last words of its standard error.

## Why it happens
``assert`` or ``abort`` in the kernel; an exception that leaves a thread of the kernel's own or a ``noexcept`` function;
memory that was freed twice.

## How to fix
Refuse calls with ``OPSTUDIO_CHECK`` and use ``call.parallel_for``, which carries exceptions to the caller. Where the C
library says that a pointer is invalid, free only what the kernel allocated, once: views are the runtime's memory.

## Source
abort(3); what the GNU C library prints when it finds its heap damaged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.places import culprit, last_line, places_of
from opstudio.diagnosis.recognition import GUARD_MARK
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome

_FOREIGN = re.compile(r"(?:free|munmap_chunk)\(\): invalid|double free")
_OVERWRITTEN = re.compile(r"corrupt|(?:malloc|realloc|free)\(\): ")


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at aborts that are neither a broken guard nor a refused registration."""
    if outcome.ending is not Ending.CRASHED or outcome.signal != "SIGABRT" or GUARD_MARK in outcome.last_words:
        return
    if context.stage == "register":
        return  # libraries that PyTorch refuses abort as well; the REG rules tell why
    said = last_line(outcome.last_words)
    fix = "Refuse calls with OPSTUDIO_CHECK, and run threads through call.parallel_for, which carries exceptions"
    if _FOREIGN.search(said):
        fix = (
            "Free only what the kernel allocated itself, and once: memory behind views belongs to the runtime. "
            "The stage sanitizer names the call"
        )
    elif _OVERWRITTEN.search(said):
        fix = "Look for a write past an array of the kernel's own: the stage sanitizer names its line"
    yield RULE.finding(
        context,
        title=f"The {culprit(context)} aborts",
        cause=f"SIGABRT while running {outcome.doing}" + (f"; it said: {said}" if said else ""),
        fix=fix,
        places=places_of(outcome, context),
        evidence={"last_words": outcome.last_words},
    )


RULE = Rule(id="RUN006", title="The kernel aborts", needs=Outcome, check=check)
