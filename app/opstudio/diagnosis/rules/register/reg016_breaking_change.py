"""The contract breaks what was published under its version.

## What it finds
An argument of the published schema that was renamed, removed, moved, or got another type or default, while the
version is still the same.

## Why it happens
Exported models store the names of attributes and the version of the domain. A model from before the change loads into
the new library and silently misses its attribute, or gets another default.

## How to fix
Take the change back, or raise ``version`` in ``[operator]``. A new argument with a default at the end breaks nothing.

## Source
``history.toml``, which ``opstudio build --release`` writes.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.contract import ContractEvidence
from opstudio.diagnosis.rule import Rule, RuleContext


def check(evidence: ContractEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell all changes in one finding."""
    if evidence.breaking:
        yield RULE.finding(
            context,
            cause=f"version {evidence.version} was published otherwise: {'; '.join(evidence.breaking)}",
            fix=f"Take the change back, or raise the version to {evidence.version + 1}",
            places=[context.place_in_contract(("operator", "version"))],
        )


RULE = Rule(id="REG016", title="A published version is changed", needs=ContractEvidence, check=check)
