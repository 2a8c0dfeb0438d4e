"""The contract names the operator otherwise than its folder does.

## What it finds
``name`` in ``[operator]`` against the name of the folder.

## Why it happens
The folder was copied or renamed, and the contract was not. Commands and the window know the operator by its folder,
PyTorch and exported models by its contract; two copies that keep one name collide in a release.

## How to fix
Give both the same name. The name in the contract is what exported models hold: where there are some, rename the folder.

## Source
The workspace itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Severity
from opstudio.checks.stages.contract import ContractEvidence
from opstudio.diagnosis.rule import Rule, RuleContext


def check(_evidence: ContractEvidence, context: RuleContext) -> Iterable[Finding]:
    """Compare both names."""
    folder, name = context.folder.name, context.contract.name
    if folder != name:
        yield RULE.finding(
            context,
            cause=f"the folder is {folder}, the operator {context.contract.qualified_name}",
            fix=f'Write name = "{folder}", or rename the folder to {name}',
            places=[context.place_in_contract(("operator", "name"), at_value=True)],
        )


RULE = Rule(
    id="CON006",
    title="The operator and its folder have different names",
    needs=ContractEvidence,
    check=check,
    severity=Severity.WARNING,
)
