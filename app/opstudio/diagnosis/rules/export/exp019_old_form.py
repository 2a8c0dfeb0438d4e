"""A standard node is written in the form of another opset.

## What it finds
What ONNX's checker says of the file: an attribute that the operator no longer has, an input that it did not have yet.

## Why it happens
A translation follows an old example: ``Clip`` has ``min`` and ``max`` as attributes up to opset 6 and as inputs from
11.

## How to fix
Write the node as the exported opset has it.

## Source
``onnx.checker``.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, differing, place_of_export
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import registrations
from opstudio.model.expectation import DifferenceKind


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell what the checker refuses."""
    for record, difference in differing(evidence, DifferenceKind.INVALID):
        yield RULE.finding(
            context,
            cause=f"{describe_export(record)}: {difference.found}",
            fix=f"Write the node in the form of opset {record.request.opset}",
            places=registrations(context) or [place_of_export(evidence, context)],
        )


RULE = Rule(id="EXP019", title="A standard node has the form of another opset", needs=ExportEvidence, check=check)
