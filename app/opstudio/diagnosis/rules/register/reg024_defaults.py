"""An attribute has different defaults on different sides.

## What it finds
The default of each attribute in the contract, in the registered schema and in the signature of the reference, side by
side.

## Why it happens
A default was changed in one place. Every call that states the attribute agrees, so that no comparison of values shows
it; models that rely on the default get other numbers.

## How to fix
Write the same default everywhere. If the contract is right, correct the other side; a published contract changes its
default with a new version only.

## Source
The contract, ``torch.ops.….default._schema`` and ``inspect.signature`` of the reference.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.register import RegisterEvidence
from opstudio.contract.schema_parser import parse_schema
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import places_of_definition


def check(evidence: RegisterEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell every attribute whose sides differ; those that the schema does not have at all are REG025's."""
    if not evidence.schema:
        return
    known = {argument.name for argument in parse_schema(evidence.schema, check_defaults=False).arguments}
    for record in evidence.wrong_defaults:
        if record.attribute not in known:
            continue
        sides = {"the contract": record.contract, "the schema": record.schema, "the reference": record.reference}
        stated = ", ".join(f"{side} has {value if value is not None else 'none'}" for side, value in sides.items())
        yield RULE.finding(
            context,
            title=f"The default of {record.attribute} differs",
            cause=stated,
            fix="Write the same default on all sides",
            places=[
                context.place_in_contract(context.attribute_path(record.attribute, "default"), at_value=True),
                *(places_of_definition(context) if record.schema != record.contract else ()),
            ],
            evidence=dict(sides),
        )


RULE = Rule(id="REG024", title="Defaults differ", needs=RegisterEvidence, check=check)
