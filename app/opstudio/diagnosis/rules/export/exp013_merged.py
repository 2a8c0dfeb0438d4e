"""A call with side effects is gone from the file: it was left out, or made one with an equal call.

## What it finds
Fewer (or more) nodes than the model makes calls, of an operator whose contract says ``side_effects = true``.

## Why it happens
Exporters take operators for functions: two calls with the same inputs become one node, and a call whose result nobody
reads is left out.

## How to fix
Let the calls differ in an input or an attribute, and let the model's output depend on the result. The dynamo exporter
keeps equal calls: the studio switches its optimiser off for such models.

## Source
The exported file, compared with the calls of the eager model.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, differing, place_of_call
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.model.expectation import DifferenceKind
from opstudio.model.export_request import Exporter


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Compare the numbers of calls and nodes."""
    for record, difference in differing(evidence, DifferenceKind.NODE_MERGED):
        yield RULE.finding(
            context,
            cause=f"{describe_export(record)}: {difference.asked} of {difference.subject} in the model, "
            f"{difference.found} in the file",
            fix="Let the output depend on every call"
            if record.request.exporter is Exporter.DYNAMO
            else "Let the calls differ in an input or an attribute, or use the dynamo exporter",
            places=[place_of_call(record, evidence, context, difference.operator)],
        )


RULE = Rule(id="EXP013", title="A call with side effects is gone", needs=ExportEvidence, check=check)
