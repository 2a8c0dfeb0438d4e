"""A number that should be an attribute of the node arrives as an input tensor, or the reverse.

## What it finds
Nodes of the operator whose number of inputs is not that of the call's tensors.

## Why it happens
A symbolic passes ``scale`` to ``g.op`` as a value instead of ``scale_f=scale``; a model computes the number as a
tensor. The operator library then has another number of inputs, and the session is refused.

## How to fix
Pass attributes by name with their type: ``g.op("myops::Swish", x, scale_f=scale)``.

## Source
The exported file, compared with the calls of the eager model.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, differing, place_of_model
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import emissions, lacks_parse_args
from opstudio.model.expectation import Difference, DifferenceKind, differences
from opstudio.model.export_request import ExportRecord


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell nodes with another number of inputs; attributes that became inputs without parse_args are EXP020's."""
    for record, difference in differing(evidence, DifferenceKind.INPUT_COUNT):
        if lacks_parse_args(record, context):
            continue
        yield RULE.finding(
            context,
            cause=f"{describe_export(record)}: node {difference.subject} has {difference.found}, "
            f"the call has {difference.asked}{_lost(record, difference)}",
            fix="Pass attributes by name with their type: scale_f=…, axis_i=…",
            places=emissions(context, record) or [place_of_model(evidence, context)],
        )
        return


def _lost(record: ExportRecord, difference: Difference) -> str:
    """Name the attributes that the node lacks: they are the inputs that it has too many."""
    names = [
        item.subject
        for item in differences(record)
        if item.kind is DifferenceKind.ATTRIBUTE_MISSING and item.operator == difference.operator
    ]
    return f"; {', '.join(names)} {'is' if len(names) == 1 else 'are'} no attribute there" if names else ""


RULE = Rule(id="EXP007", title="An attribute arrives as an input, or the reverse", needs=ExportEvidence, check=check)
