"""The registered schema is not that of the contract.

## What it finds
Arguments or returned values whose number, name or type differs between ``TORCH_LIBRARY`` and the contract.

## Why it happens
Sources of your own register the operator; the contract was changed and they were not, or the reverse. Names matter: the
attributes of an exported model carry them.

## How to fix
Correct the side that is wrong; ``opstudio list --schema`` prints what the contract asks for.

## Source
``torch.ops.….default._schema``.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.register import RegisterEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import places_of_definition


def check(evidence: RegisterEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell all differences in one finding."""
    if not evidence.schema_differences:
        return
    yield RULE.finding(
        context,
        cause="; ".join(evidence.schema_differences),
        fix=f"Register {evidence.contract_schema}, or correct the contract",
        places=places_of_definition(context),
        evidence={"schema": evidence.schema, "contract": evidence.contract_schema},
    )


RULE = Rule(id="REG025", title="The schema is not that of the contract", needs=RegisterEvidence, check=check)
