"""Runs the rules over evidence."""

from __future__ import annotations

import functools
from typing import Any

from opstudio.base.discovery import discover
from opstudio.base.finding import Finding, Severity
from opstudio.diagnosis.rule import Context, Rule

UNEXPLAINED = "STU006"
"""The id of a finding that says that no rule knows more."""


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule, ordered by id."""
    found = discover("opstudio.diagnosis.rules", "RULE", Rule)
    assert not found.broken, found.broken
    rules = tuple(sorted(found.manifests, key=lambda rule: rule.id))
    duplicates = {rule.id for rule in rules if sum(other.id == rule.id for other in rules) > 1}
    assert not duplicates, f"ids used twice: {duplicates}"
    return rules


def diagnose(evidence: Any, context: Context) -> tuple[Finding, ...]:
    """Return what the rules find in the evidence of a stage.

    Evidence that is not good is never passed over in silence: where no rule has an error to tell, a finding says so.
    """
    findings = [
        finding
        for rule in all_rules()
        if isinstance(evidence, rule.needs) and (not rule.stages or context.stage in rule.stages)
        for finding in rule.check(evidence, context)
    ]
    if not getattr(evidence, "good", True) and not any(item.severity is Severity.ERROR for item in findings):
        findings.append(
            Finding(
                id=UNEXPLAINED,
                stage=context.stage,
                title=f"The stage {context.stage} failed",
                cause="no rule knows why; the evidence of the stage tells what was seen",
                fix="Look at the evidence; if a rule should have known, please report it",
            )
        )
    return tuple(findings)
