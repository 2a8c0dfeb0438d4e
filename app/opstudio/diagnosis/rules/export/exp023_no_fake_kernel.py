"""An operator of the model has no Meta (fake) kernel, so that the dynamo exporter cannot trace it.

## What it finds
``torch.export`` stops with "There was no fake impl registered" or "UnsupportedOperatorException", and the line of the
model that calls the operator.

## Why it happens
The dynamo exporter runs the model without data: every operator must say the shape and type of what it returns. The
TorchScript exporter runs it with data and does not mind.

## How to fix
Register one; ``opstudio export … --explain`` writes it from a call::

    @torch.library.register_fake("lab::swish")
    def swish_fake(x, beta):
        return torch.empty_like(x)

## Source
``torch.export`` of PyTorch 2.13.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.export_failures import Failure, failures, untraceable
from opstudio.diagnosis.exports import describe_export, place_of_call, place_of_user_line
from opstudio.diagnosis.rule import Rule, RuleContext


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Recognise the messages."""
    for record in failures(evidence, context, Failure.NO_FAKE):
        operator = untraceable(record) or "the operator"
        place = place_of_user_line(record, evidence, context)
        yield RULE.finding(
            context,
            title=f"{operator} has no Meta kernel",
            cause=f"{describe_export(record)}: {record.error.splitlines()[0]}",
            fix=f'Register one: torch.library.register_fake("{operator}"), as opstudio export --explain writes it',
            places=[place if place.line is not None else place_of_call(record, evidence, context, operator)],
            evidence={"error": record.error},
        )
        return


RULE = Rule(id="EXP023", title="An operator has no Meta kernel", needs=ExportEvidence, check=check)
