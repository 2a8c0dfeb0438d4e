"""The linker refuses the kernel.

## What it finds
A function or variable that is used but defined nowhere, or defined twice.

## Why it happens
A source file is missing in ``[kernel] sources``; a function is declared but not written; two sources define a function
of the same name outside of an unnamed namespace.

## How to fix
Add the file that defines it to ``sources``, or put helper functions into ``namespace { … }``.

## Source
The linker's own output.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.build.records import BuildRecord
from opstudio.diagnosis.recognition import LINK_ERROR
from opstudio.diagnosis.rule import Rule, RuleContext


def check(record: BuildRecord, context: RuleContext) -> Iterable[Finding]:
    """Turn the linker's errors into findings."""
    for item in record.diagnostics:
        found = LINK_ERROR.search(item.message)
        if record.succeeded or found is None:
            continue
        missing, double = found["missing"] or found["symbol"], found["double"] or found["duplicate"]
        place = Place(file=context.relative(item.file), line=item.line) if item.file else None
        if missing:
            yield RULE.finding(
                context,
                title=f"{missing} is defined nowhere",
                cause=f"the kernel uses {missing}, but none of its sources defines it",
                fix="Add the file that defines it to [kernel] sources, or correct the name",
                places=[place],
            )
        elif double:
            yield RULE.finding(
                context,
                title=f"{double} is defined twice",
                cause=f"two sources define {double}",
                fix="Put helper functions into an unnamed namespace: namespace { … }",
                places=[place],
            )
        else:
            yield RULE.finding(
                context,
                title=f"The library {found['library']} is missing",
                cause=f"the linker cannot find -l{found['library']}",
                fix="Install it, or add its folder to [kernel] flags: -L…",
            )


RULE = Rule(id="BLD012", title="The kernel does not link", needs=BuildRecord, check=check)
