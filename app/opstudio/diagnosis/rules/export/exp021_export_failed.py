"""An export fails for a reason that no other rule knows.

## What it finds
The deepest cause of the exporter's chain of errors, which wraps it several times, with the line of the person's model
that led to it.

## Why it happens
See the message.

## How to fix
Follow the message; try the other exporter.

## Source
The exporter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, place_of_user_line
from opstudio.diagnosis.rule import Rule, RuleContext

_KNOWN = re.compile(
    r"unrecognized namespace|No ONNX function found|added in version|Couldn't export|top-level keys must be"
    r"|Unsupported onnx_opset_version|specialized|Constraints violated|data-dependent|Could not guard"
    r"|opset version .* is not supported"
)


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell each failure that is left over once."""
    told: set[str] = set()
    for record in evidence.records:
        if not record.error or record.error in told or _KNOWN.search(record.error):
            continue
        told.add(record.error)
        yield RULE.finding(
            context,
            cause=f"{describe_export(record)}: {record.error_type}: {record.error[:500]}",
            fix="Follow the message, or try the other exporter",
            places=[place_of_user_line(record, evidence, context)],
            evidence={"error": record.error},
        )


RULE = Rule(id="EXP021", title="The export fails", needs=ExportEvidence, check=check)
