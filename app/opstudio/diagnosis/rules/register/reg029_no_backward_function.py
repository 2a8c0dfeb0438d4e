"""The contract promises a gradient, and the kernel exports no backward function.

## What it finds
A native kernel that ends with ``OPSTUDIO_KERNEL(forward)`` though its contract has a ``[gradient]``.

## Why it happens
The table was added before the function, or the function was written and not named in the macro.

## How to fix
Name both functions, ``OPSTUDIO_KERNEL(forward, backward)``; or take ``[gradient]`` out of the contract: PyTorch then
says that the operator has no derivative, instead of computing a wrong one.

## Source
The host's refusal of the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines
from opstudio.worker.outcome import Outcome

_REFUSAL = "exports no backward function"


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Recognise the refusal."""
    if any(_REFUSAL in finding.cause for finding in outcome.findings):
        yield RULE.finding(
            context,
            cause="the contract has a [gradient], and the kernel exports a forward function only",
            fix="Write OPSTUDIO_KERNEL(forward, backward), or remove [gradient]",
            places=[
                *(place for place, _ in find_lines(context, r"\bOPSTUDIO_KERNEL\s*\(")),
                context.place_in_contract(("gradient",)),
            ],
        )


RULE = Rule(id="REG029", title="The kernel has no backward function", needs=Outcome, check=check, stages=("register",))
