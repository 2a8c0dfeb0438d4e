"""Varying axes are declared for an input, or an axis, that the model does not have.

## What it finds
A name in ``[export.dynamic]`` (or of ``--dynamic``) that the model's ``forward`` does not have, with the nearest one;
an axis that is not below the number of dimensions of the example.

## Why it happens
``x`` in one place and ``input`` in the other. TorchScript only warns and exports fixed sizes; the dynamo exporter
raises a ``UserError``.

## How to fix
Use the names of ``forward``'s arguments. Axes count from 0.

## Source
The signature of the model, the exported file and the exporters' messages.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.base.names import did_you_mean
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.export_failures import wrong_axis
from opstudio.diagnosis.exports import place_of_option
from opstudio.diagnosis.rule import Rule, RuleContext


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Compare the declared names with the model's."""
    for record in evidence.exports:
        item = wrong_axis(record)
        if item is None:
            continue
        if item.input in record.inputs:
            rank = len(record.eager.inputs[record.inputs.index(item.input)])
            cause = f"{item.input} has {rank} dimensions, axis {item.axis} is not among them"
            fix = "Axes count from 0"
        else:
            cause = f"{item.input} is not an input of the model; {did_you_mean(item.input, record.inputs)}"
            fix = "Use the names of forward's arguments"
        yield RULE.finding(
            context,
            cause=cause,
            fix=fix,
            places=[place_of_option(evidence, context, ("export", "dynamic", item.input))],
        )
        return


RULE = Rule(id="EXP006", title="An axis is declared that the model does not have", needs=ExportEvidence, check=check)
