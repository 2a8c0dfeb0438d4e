"""No axis of the exported model varies, though the contract's samples do.

## What it finds
A file whose every size is that of the example: a model of the workspace without ``[export.dynamic]``, or an
``opstudio export`` without ``--dynamic``.

## Why it happens
Exporters fix every size that is not declared to vary. The runtime then answers "Got invalid dimensions" for any other
batch.

## How to fix
Declare the axes with ``--dynamic x:0=batch``, or in the contract::

    [export.dynamic]
    x = { 0 = "batch" }

## Source
The exported file.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Severity
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import place_of_option
from opstudio.diagnosis.rule import Rule, RuleContext


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Look at models whose inputs are all fixed though nothing was declared; an operator alone is only a trial."""
    if not (evidence.model or evidence.delivered):
        return
    for record in evidence.exports:
        if record.summary is None or record.request.dynamic:
            continue
        fixed = [item for item in record.summary.inputs if item.shape]
        if fixed:
            declared = '--dynamic {0}:0=batch, or [export.dynamic] with {0} = {{ 0 = "batch" }}'
            listed = ", ".join(f"{item.name} {list(item.shape or ())}" for item in fixed)
            yield RULE.finding(
                context,
                cause=f"the inputs are fixed: {listed}",
                fix=f"Declare what varies: {declared.format(fixed[0].name)}",
                places=[place_of_option(evidence, context, ("operator", "name"))],
            )
            return


RULE = Rule(
    id="EXP005", title="All sizes of the model are fixed", needs=ExportEvidence, check=check, severity=Severity.WARNING
)
