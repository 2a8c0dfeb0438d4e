"""The compiler refuses the kernel.

## What it finds
The errors of g++, clang++ or nvcc in their own words, each at its file, line and column; the first one first, with the
notes that belong to it and with what the compiler offers in its place. The noise of templates is left out; the whole
output is in the log.

## Why it happens
The first error is nearly always the cause; the others often follow from it.

## How to fix
Mend the first error and save.

## Source
The compiler's own output.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from opstudio.base.finding import Finding, Place, Severity
from opstudio.build.records import BuildRecord, Diagnostic
from opstudio.diagnosis.recognition import is_link_error
from opstudio.diagnosis.rule import Rule, RuleContext

_MOST_ERRORS = 5
_HEADER = re.compile(r"#include <[\w./+-]+>")
_MEANT = re.compile(r"did you mean '([^'?]+)'|suggested alternatives?: '([^']+)'")
_EXPECTED = re.compile(r"expected (?:'.' or )?'([;,)\]}])' before (.+?)(?: token)?$")
_QUOTES = {0x2018: "'", 0x2019: "'"}
"""gcc quotes names as books do."""


def check(record: BuildRecord, context: RuleContext) -> Iterable[Finding]:
    """Turn the compiler's errors into findings."""
    if record.succeeded:
        return
    errors = [item for item in record.diagnostics if item.severity is Severity.ERROR and not is_link_error(item)]
    for item in errors[:_MOST_ERRORS]:
        place = _place(item, context)
        yield RULE.finding(
            context,
            title=_title(place),
            cause=" · ".join((item.message, *item.notes)),
            fix=_fix(item),
            places=[place],
            evidence={"command": record.commands[-1] if record.commands else ""},
        )
    if not errors and not any(is_link_error(item) for item in record.diagnostics):
        yield RULE.finding(
            context,
            cause=record.output.strip()[-400:] or "the compiler ended without a message",
            fix="Run the command by itself to see more",
            evidence={"command": record.commands[-1] if record.commands else ""},
        )


def _title(place: Place | None) -> str:
    if place is None or place.file is None:
        return ""
    return f"{Path(place.file).name}{f':{place.line}' if place.line else ''} does not compile"


def _fix(item: Diagnostic) -> str:
    """Return what the compiler itself offers, else where to begin."""
    message = item.message.translate(_QUOTES)
    said = " ".join((message, *item.notes)).translate(_QUOTES)
    if found := _HEADER.search(said):
        return f"Add {found[0]} at the top of the file"
    if found := _MEANT.search(said):
        return f"Did you mean {found[1] or found[2]}? Correct the name"
    if found := _EXPECTED.search(message):
        return f"Put {found[1]} before {found[2]}, perhaps on the line above"
    return "Begin with this one: later errors often follow from the first"


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
