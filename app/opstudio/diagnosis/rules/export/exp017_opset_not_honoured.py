"""The file's opset is not the one that was asked for, or its weights lie beside it.

## What it finds
The opset and the place of the weights in the file against the request.

## Why it happens
The dynamo exporter builds opset 18 and converts; where the conversion fails it keeps what it has, prints a traceback
and succeeds. TorchScript knows opsets up to 20.

## How to fix
Ask for an opset that the exporter can write: 18 or later with dynamo, up to 20 with TorchScript.

## Source
The exported file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, differing
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.model.expectation import DifferenceKind


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the opset and external weights; opsets that an exporter refuses outright as well."""
    for record, difference in differing(evidence, DifferenceKind.OPSET, DifferenceKind.EXTERNAL_DATA):
        opset = difference.kind is DifferenceKind.OPSET
        yield RULE.finding(
            context,
            title="The file has another opset" if opset else "The weights lie outside of the file",
            cause=f"{describe_export(record)}: asked for {difference.asked}, the file has {difference.found}",
            fix="Ask for 18 or later with dynamo, up to 20 with TorchScript" if opset else "Save without external data",
            places=[context.place_in_contract(("export", "opset"), at_value=True)],
        )
    for record in evidence.exports:
        if _REFUSED.search(record.error):
            yield RULE.finding(
                context,
                cause=f"{describe_export(record)}: {record.error.splitlines()[0]}",
                fix="Ask for an opset from 7 to 20 with TorchScript, 18 or later with dynamo",
                places=[context.place_in_contract(("export", "opset"), at_value=True)],
            )
            return


_REFUSED = re.compile(r"Unsupported onnx_opset_version|opset version .* is not supported(?!.*added in version)")


RULE = Rule(id="EXP017", title="The file is not of the opset that was asked", needs=ExportEvidence, check=check)
