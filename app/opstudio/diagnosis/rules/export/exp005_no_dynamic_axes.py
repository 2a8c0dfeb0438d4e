"""No axis of the exported model varies, though the contract's samples do.

## What it finds
A model of the workspace that is exported without ``[export] dynamic``: every size of its inputs is that of the example.

## Why it happens
Exporters fix every size that is not declared to vary. The runtime then answers "Got invalid dimensions" for any other
batch.

## How to fix
Declare the axes in the contract::

    [export.dynamic]
    x = { 0 = "batch" }

## Source
The exported file.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Severity
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import place_of_export
from opstudio.diagnosis.rule import Rule, RuleContext


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Look at models whose inputs are all fixed though nothing was declared."""
    if evidence.generated or context.contract.export.dynamic:
        return
    for record in evidence.exports:
        if record.summary is None:
            continue
        fixed = [f"{item.name} {list(item.shape)}" for item in record.summary.inputs if item.shape]
        if fixed:
            yield RULE.finding(
                context,
                cause=f"the inputs are fixed: {', '.join(fixed)}",
                fix='Declare what varies: [export.dynamic] with x = { 0 = "batch" }',
                places=[place_of_export(evidence, context)],
            )
            return


RULE = Rule(
    id="EXP005", title="All sizes of the model are fixed", needs=ExportEvidence, check=check, severity=Severity.WARNING
)
