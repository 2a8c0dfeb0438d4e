"""The kernel reached into the studio's own business: it forked, or touched a descriptor that is not its own.

## What it finds
A worker whose reports to the studio are not all its own. Every report carries a secret and a running number: one that
comes twice, out of turn, from somebody else or is no report at all ends the worker, and nothing more of it counts. So
does a worker that cannot report any more because its descriptor was closed.

## Why it happens
``fork()`` in a kernel, after which both copies go on and both tell of the same stages; a ``write`` to, or a ``close``
of, a number that the kernel did not open itself: a loop over all descriptors, a number that was freed before.

## How to fix
Do not fork: run pieces of the work through ``call.parallel_for``. Write to and close only what the kernel opened. To
print, use ``stdout`` or ``stderr``, which the studio shows.

## Source
fork(2): a copy shares all descriptors, but none of the threads.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.places import culprit, places_of
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at workers whose events were not their own."""
    if outcome.ending is not Ending.INTERFERED:
        return
    name = culprit(context)
    yield RULE.finding(
        context,
        title=f"The {name} interferes with its process",
        cause=f"the {name} forked, or wrote to a descriptor of the studio's or closed it, while running "
        f"{outcome.doing}",
        fix="Take out fork(), and write to or close only descriptors that it opened itself; run pieces of the work "
        "through call.parallel_for",
        places=places_of(outcome, context),
        evidence={"left": list(outcome.left), "last_words": outcome.last_words},
    )


RULE = Rule(id="RUN013", title="The kernel interferes with its process", needs=Outcome, check=check)
