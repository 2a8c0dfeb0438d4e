"""The compiler refuses the kernel.

## What it finds
The errors of g++, clang++ or nvcc, each at its file, line and column; the first one first, with the notes that belong
to it. The noise of templates is left out; the whole output is in the log.

## Why it happens
The first error is nearly always the cause; the others often follow from it.

## How to fix
Mend the first error and save.

## Source
The compiler's own output.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from opstudio.base.finding import Finding, Place, Severity
from opstudio.build.records import BuildRecord, Diagnostic
from opstudio.diagnosis.recognition import is_link_error
from opstudio.diagnosis.rule import Rule, RuleContext

_MOST_ERRORS = 5


def check(record: BuildRecord, context: RuleContext) -> Iterable[Finding]:
    """Turn the compiler's errors into findings."""
    if record.succeeded:
        return
    errors = [item for item in record.diagnostics if item.severity is Severity.ERROR and not is_link_error(item)]
    for item in errors[:_MOST_ERRORS]:
        yield RULE.finding(
            context,
            title=item.message,
            cause=" · ".join(item.notes) or "the compiler refuses this line",
            fix="Mend the line; later errors often follow from the first",
            places=[_place(item, context)],
            evidence={"command": record.commands[-1] if record.commands else ""},
        )
    if not errors and not any(is_link_error(item) for item in record.diagnostics):
        yield RULE.finding(
            context,
            cause=record.output.strip()[-400:] or "the compiler ended without a message",
            fix="Run the command by itself to see more",
            evidence={"command": record.commands[-1] if record.commands else ""},
        )


def _place(item: Diagnostic, context: RuleContext) -> Place | None:
    """Return the operator's own line: that of the message, or the one which asked for the template it is in."""
    if item.file is None:
        return None
    if not Path(item.file).is_relative_to(context.folder):
        for file, line in item.origins:
            if Path(file).is_relative_to(context.folder):
                return Place(file=context.relative(file), line=line)
    return Place(file=context.relative(item.file), line=item.line, column=item.column)


RULE = Rule(id="BLD009", title="The kernel does not compile", needs=BuildRecord, check=check)
