"""PyTorch's own tests of custom operators fail.

## What it finds
What ``torch.library.opcheck`` says: test_schema (undeclared changes and aliases), test_autograd_registration (gradients
registered where they belong), test_faketensor (the Meta kernel), test_aot_dispatch_dynamic (everything under
``torch.compile`` with sizes that vary).

## Why it happens
See the message; the studio's own stages name the usual causes before this one runs.

## How to fix
Follow the message.

## Source
``torch.library.opcheck`` of PyTorch 2.13.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.opcheck import OpcheckEvidence
from opstudio.diagnosis.rule import Rule, RuleContext

_ROLES = {
    "test_autograd_registration": ("autograd", "forward"),
    "test_faketensor": ("meta", "forward"),
    "test_aot_dispatch_dynamic": ("backward", "meta", "forward"),
}
"""Which functions a test looks at, the likeliest culprit first."""


def check(evidence: OpcheckEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell each test that failed once, with the first sample that shows it."""
    told: set[str] = set()
    for sample in evidence.samples:
        for name, text in sample.tests.items():
            if text and name not in told:
                told.add(name)
                yield RULE.finding(
                    context,
                    title=f"opcheck: {name} fails",
                    cause=f"{text.strip()[:600]} (sample {sample.name})",
                    fix="Follow PyTorch's message",
                    places=[context.place_of_function(role) for role in _ROLES.get(name, ("forward",))],
                )


RULE = Rule(id="REG026", title="opcheck fails", needs=OpcheckEvidence, check=check)
