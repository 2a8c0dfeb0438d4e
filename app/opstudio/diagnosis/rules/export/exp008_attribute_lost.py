"""An attribute of the operator is missing in the file, or has another value.

## What it finds
The attributes of every node of the operator, compared with the values of the eager call.

## Why it happens
A translation leaves an attribute out or misspells it: the dynamo exporter drops names that the node's schema lacks, and
swaps those that are passed by position, in silence.

## How to fix
Pass every attribute by the name of the contract. Where only one exporter loses it, use the other one meanwhile.

## Source
The exported file, compared with the calls of the eager model.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, differing, place_of_model
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import emissions
from opstudio.model.expectation import DifferenceKind, differences
from opstudio.model.export_request import ExportRecord


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell every attribute once, and whether the other exporter keeps it; those that became inputs are EXP007's."""
    for record, difference in differing(evidence, DifferenceKind.ATTRIBUTE_MISSING, DifferenceKind.ATTRIBUTE_VALUE):
        missing = difference.kind is DifferenceKind.ATTRIBUTE_MISSING
        if missing and _has_other_inputs(record, difference.operator):
            continue
        others = [
            other.request.exporter.value
            for other in evidence.exports
            if other.request.route is record.request.route
            and other.summary is not None
            and not any(item.subject == difference.subject for item in differences(other))
        ]
        found = f"the node has {difference.found}" if missing else f"the file has {difference.found}"
        yield RULE.finding(
            context,
            title=f"Attribute {difference.subject} is {'lost' if missing else 'changed'} in the file",
            cause=f"{describe_export(record)}: {difference.subject} is {difference.asked} in the call, {found}",
            fix=f"Pass {difference.subject} by name in the translation"
            + (f"; the {others[0]} exporter keeps it" if others else ""),
            places=emissions(context, record) or [place_of_model(evidence, context)],
        )


def _has_other_inputs(record: ExportRecord, operator: str) -> bool:
    return any(item.kind is DifferenceKind.INPUT_COUNT and item.operator == operator for item in differences(record))


RULE = Rule(id="EXP008", title="An attribute is lost or changed in the file", needs=ExportEvidence, check=check)
