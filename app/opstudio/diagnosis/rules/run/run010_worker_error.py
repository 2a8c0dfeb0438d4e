"""A check itself raised, or the worker was lost.

## What it finds
Whatever is none of the kernel's known misdeeds: an exception in a check, a file of the workspace that ends the
interpreter, a worker that the system ended.

## Why it happens
``sys.exit`` in a reference; memory of the whole machine used up; a fault of the studio.

## How to fix
Read the message. If it does not come from a file of yours, please report it with the journal of the run.

## Source
The traceback in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.places import last_line
from opstudio.diagnosis.recognition import undefined_symbol
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at requests that failed without findings of their own, and at lost workers."""
    if outcome.ending is Ending.LOST:
        cause = "the worker process is gone: " + (last_line(outcome.last_words) or "the system may have ended it")
    elif outcome.ending is Ending.FAILED and not outcome.findings and undefined_symbol(outcome) is None:
        cause = f"{outcome.error}, while running {outcome.doing}"
    else:
        return
    yield RULE.finding(
        context,
        cause=cause,
        fix="Mend the file if it is yours; otherwise report it with the journal of the run",
        places=[_place(outcome.traceback, context)],
        evidence={"traceback": outcome.traceback, "last_words": outcome.last_words},
    )


def _place(traceback: str, context: RuleContext) -> Place | None:
    """Return the innermost line of a traceback that is in the operator's own files."""
    frames = [(file, int(line)) for file, line in _FRAME.findall(traceback)]
    own = [(file, line) for file, line in frames if Path(file).is_relative_to(context.folder)]
    return Place(file=context.relative(own[-1][0]), line=own[-1][1]) if own else None


RULE = Rule(id="RUN010", title="The worker failed", needs=Outcome, check=check)
