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

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, differing, place_of_model
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import emissions
from opstudio.model.expectation import DifferenceKind

_NODE = re.compile(r"OpType: (\w+)")
_FORM = re.compile(r"Unrecognized attribute|Required attribute|No Op registered|(?:input|output) size")


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell what the checker refuses; a file that is wrong in another way is told as that."""
    for record, difference in differing(evidence, DifferenceKind.INVALID):
        node = _NODE.search(difference.found)
        form = _FORM.search(difference.found) is not None
        yield RULE.finding(
            context,
            title="" if form else "The file is not valid ONNX",
            cause=f"{describe_export(record)}: {' '.join(difference.found.split())}",
            fix=f"Write the node in the form of opset {record.request.opset}" if form else "Follow the checker's words",
            places=(emissions(context, record, node[1]) if node else []) or [place_of_model(evidence, context)],
        )


RULE = Rule(id="EXP019", title="A standard node has the form of another opset", needs=ExportEvidence, check=check)
