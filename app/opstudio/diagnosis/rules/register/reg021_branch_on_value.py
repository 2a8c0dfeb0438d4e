"""The model branches on the value of a tensor.

## What it finds
A line of the model at which the dynamo exporter stops ("data-dependent expression"), or at which the TorchScript
exporter warns that a tensor became a Python value.

## Why it happens
``if x.sum() > 0``: TorchScript keeps the branch that the example took, for all inputs; dynamo refuses.

## How to fix
Compute both and choose with ``torch.where``, or use ``torch.cond``.

## Source
The exporters' messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from opstudio.base.finding import Finding, Place
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, place_of_user_line
from opstudio.diagnosis.rule import Rule, RuleContext

_REFUSED = re.compile(r"[Dd]ata-dependent|Could not guard on")
_WARNED = re.compile(
    r"TracerWarning: Converting a tensor to a Python \w+.*\((?P<file>[^()]+):(?P<line>\d+)\)\s*$", re.DOTALL
)


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the line, from the refusal or from the warning."""
    for record in evidence.exports:
        if _REFUSED.search(record.error):
            yield RULE.finding(
                context,
                cause=f"{describe_export(record)}: {record.error.splitlines()[0][:300]}",
                fix="Choose with torch.where, or use torch.cond",
                places=[place_of_user_line(record, evidence, context)],
            )
            return
    for record in evidence.exports:
        for text in record.warnings:
            found = _WARNED.search(text)
            if found is None or not Path(found["file"]).is_relative_to(context.folder):
                continue
            yield RULE.finding(
                context,
                cause=f"{describe_export(record)}: the branch that the example takes is kept for all inputs",
                fix="Choose with torch.where, or use torch.cond",
                places=[Place(file=context.relative(found["file"]), line=int(found["line"]))],
            )
            return


RULE = Rule(id="REG021", title="The model branches on a tensor's value", needs=ExportEvidence, check=check)
