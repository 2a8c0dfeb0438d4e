"""Varying axes are declared under a name that is not an input of the model.

## What it finds
A name in ``[export.dynamic]`` that the model's ``forward`` does not have, with the nearest one.

## Why it happens
``x`` in one place and ``input`` in the other. TorchScript only warns and exports fixed sizes; the dynamo exporter
raises a ``UserError``.

## How to fix
Use the names of ``forward``'s arguments.

## Source
The signature of the model, the exported file and the exporters' messages.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.base.names import did_you_mean
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.rule import Rule, RuleContext

_DYNAMO = "top-level keys must be the arg names"


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Compare the declared names with the model's."""
    for record in evidence.exports:
        wrong = [name for name in record.request.dynamic if record.inputs and name not in record.inputs]
        if not wrong or (record.error and _DYNAMO not in record.error):
            continue
        name = wrong[0]
        yield RULE.finding(
            context,
            cause=f"{name} is not an input of the model; {did_you_mean(name, record.inputs)}",
            fix="Use the names of forward's arguments",
            places=[context.place_in_contract(("export", "dynamic", name))],
        )
        return


RULE = Rule(id="EXP006", title="An axis is declared for an input that is not there", needs=ExportEvidence, check=check)
