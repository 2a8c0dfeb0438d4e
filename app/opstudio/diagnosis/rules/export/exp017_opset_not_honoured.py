"""The file's opset is not the one that was asked for, or its weights lie beside it.

## What it finds
The opset and the place of the weights in the file against the request.

## Why it happens
The dynamo exporter builds opset 18 and converts; where the conversion fails it keeps what it has, prints a traceback
and succeeds. TorchScript knows opsets up to 20.

## How to fix
Ask for an opset that the exporter can write: from 18 to 25 with dynamo, from 7 to 20 with TorchScript. Weights lie
beside the model from 1.5 GiB on, since a file holds 2 GiB at most; keep the two files together.

## Source
The exported file.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.export_failures import Failure, failures
from opstudio.diagnosis.exports import OPSETS, describe_export, differing, place_of_opset
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
            fix=f"Ask for an opset {OPSETS}" if opset else "Save without external data",
            places=[place_of_opset(record, evidence, context) if opset else None],
        )
    for record in failures(evidence, context, Failure.OPSET_REFUSED):
        yield RULE.finding(
            context,
            cause=f"{describe_export(record)}: {record.error.splitlines()[0]}",
            fix=f"Ask for an opset {OPSETS}",
            places=[place_of_opset(record, evidence, context)],
        )
        return


RULE = Rule(id="EXP017", title="The file is not of the opset that was asked", needs=ExportEvidence, check=check)
