"""A released library does not load on its own.

## What it finds
A library of a release that an interpreter started in ``/`` with an empty environment cannot load.

## Why it happens
The kernel was linked to a library that is found only through ``LD_LIBRARY_PATH`` or from the workspace's folder, or it
was compiled for a processor that has more instructions than this one.

## How to fix
Link that library statically, or name its folder for the loader: ``-Wl,-rpath,$ORIGIN`` and the library beside.

## Source
dlopen(3); what is released is tried as its receivers will use it.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.build.release_trial import ReleaseTrial
from opstudio.diagnosis.rule import Rule, RuleContext


def check(trial: ReleaseTrial, context: RuleContext) -> Iterable[Finding]:
    """Report every library that did not load."""
    for item in trial.trials:
        if item.error:
            yield RULE.finding(
                context,
                title=f"{item.library} does not load on its own",
                cause=item.error.splitlines()[-1],
                fix="Link what it lacks statically, or give it away with the library: -Wl,-rpath,$ORIGIN",
                evidence={"command": item.command, "error": item.error},
            )


RULE = Rule(id="REL001", title="A released library does not load on its own", needs=ReleaseTrial, check=check)
