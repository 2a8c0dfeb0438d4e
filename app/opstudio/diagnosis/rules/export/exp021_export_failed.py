"""An export fails for a reason that no other rule knows.

## What it finds
The deepest cause of the exporter's chain of errors, which wraps it several times, with the line of the person's files
that led to it.

## Why it happens
See the message.

## How to fix
Follow the message; try the other exporter.

## Source
The exporter.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.export_failures import Failure, failures
from opstudio.diagnosis.exports import describe_export, place_of_user_line
from opstudio.diagnosis.rule import Rule, RuleContext

_FIXES = (("Cannot find a compatible OpOverload", "Pass numbers of one type, for example clamp(x, 0.0, 6.0)"),)
"""What to do about failures that have no rule of their own."""


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell each failure that is left over once."""
    told: set[str] = set()
    for record in failures(evidence, context, Failure.UNKNOWN):
        if record.error in told:
            continue
        told.add(record.error)
        message = f"{record.error_type}: {record.error}"
        known = (fix for words, fix in _FIXES if words in message)
        yield RULE.finding(
            context,
            cause=f"{describe_export(record)}: {message[:500]}",
            fix=next(known, "Follow the message, or try the other exporter"),
            places=[place_of_user_line(record, evidence, context)],
            evidence={"error": record.error},
        )


RULE = Rule(id="EXP021", title="The export fails", needs=ExportEvidence, check=check)
