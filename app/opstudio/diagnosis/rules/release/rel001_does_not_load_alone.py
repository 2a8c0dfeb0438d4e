"""A released library does not load on its own.

## What it finds
A library of a release that an interpreter started in ``/`` with an empty environment cannot load.

## Why it happens
The kernel was linked to a library that is found only through ``LD_LIBRARY_PATH`` or from the workspace's folder; it was
compiled for a processor that has more instructions than this one; or a global variable is made from the environment
while the library loads (``std::getenv`` returns a null pointer where the variable is not set).

## How to fix
Link that library statically, or name its folder for the loader: ``-Wl,-rpath,$ORIGIN`` and the library beside. Read the
environment when the kernel is called, and do without it.

## Source
dlopen(3); what is released is tried as its receivers will use it.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.build.release_trial import ReleaseTrial
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines

_LOADER = ("cannot open shared object file", "undefined symbol")
"""What the loader says where a library lacks another one."""


def check(trial: ReleaseTrial, context: RuleContext) -> Iterable[Finding]:
    """Report every library that did not load."""
    reads = [place for place, _ in find_lines(context, r"\bgetenv\b")]
    for item in trial.trials:
        if not item.error:
            continue
        lacks_library = any(mark in item.error for mark in _LOADER)
        yield RULE.finding(
            context,
            title=f"{item.library} does not load on its own",
            cause=item.error.splitlines()[-1].strip(),
            fix="Read the environment when the kernel is called, and do without it"
            if reads and not lacks_library
            else "Link what it lacks statically, or give it away with the library: -Wl,-rpath,$ORIGIN",
            places=[] if lacks_library else reads,
            evidence={"command": item.command, "error": item.error},
        )


RULE = Rule(id="REL001", title="A released library does not load on its own", needs=ReleaseTrial, check=check)
