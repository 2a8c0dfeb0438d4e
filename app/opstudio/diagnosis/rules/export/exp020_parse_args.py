"""A symbolic lacks ``parse_args``, or names another type there.

## What it finds
Nodes whose attributes arrived as inputs (every number a constant of type double), or as integers where numbers are
meant.

## Why it happens
Without ``@parse_args("v", "f", "f")`` a symbolic gets graph values instead of numbers, and ``g.op`` makes inputs of
them; with ``"i"`` for a float the value is cut to an integer. The export is silent, the runtime refuses the node.

## How to fix
Add the decorator with one letter for each argument: v tensor, i int, f float, b bool, s string, is and fs lists.

## Source
``torch.onnx.symbolic_helper.parse_args``.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, differing, place_of_export
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import lacks_parse_args, parse_letters, registrations
from opstudio.model.expectation import DifferenceKind


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell attributes of another kind, and attributes that became inputs."""
    letters = ", ".join(f'"{letter}"' for letter in parse_letters(context.contract))
    for record, difference in differing(evidence, DifferenceKind.ATTRIBUTE_KIND):
        yield RULE.finding(
            context,
            title=f"Attribute {difference.subject} has another type in the file",
            cause=f"{describe_export(record)}: {difference.subject} is {difference.asked}, there is {difference.found}",
            fix=f"Decorate the symbolic with @parse_args({letters})",
            places=registrations(context) or [place_of_export(evidence, context)],
        )
        return
    for record, difference in differing(evidence, DifferenceKind.INPUT_COUNT):
        if lacks_parse_args(record, context):
            yield RULE.finding(
                context,
                title="Attributes arrive as inputs",
                cause=f"{describe_export(record)}: node {difference.subject} has {difference.found} instead of "
                f"{difference.asked}, and no attributes",
                fix=f"Decorate the symbolic with @parse_args({letters})",
                places=registrations(context) or [place_of_export(evidence, context)],
            )
            return


RULE = Rule(id="EXP020", title="A symbolic takes its attributes apart wrongly", needs=ExportEvidence, check=check)
