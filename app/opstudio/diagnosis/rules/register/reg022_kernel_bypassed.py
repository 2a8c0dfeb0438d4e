"""The Autograd kernel computes the result itself, so that the operator's own kernel never runs.

## What it finds
A call with gradients during which the dispatcher runs other operators below autograd, but never the operator itself.

## Why it happens
``forward`` of the ``torch::autograd::Function`` repeats the formula with PyTorch's operators, or was written before the
kernel. Values are right, so that no comparison shows it; but the kernel of the device is dead code. Other types pass by
accident, inference mode runs something else than training, and exporters see the parts instead of the operator.

## How to fix
In ``forward``, call the operator again through the dispatcher, below autograd::

    at::AutoDispatchBelowADInplaceOrView below;
    return call_swish(x);

## Source
The operators that a ``TorchDispatchMode`` sees during one call.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.gradient import GradientEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines
from opstudio.diagnosis.wording import join_names


def check(evidence: GradientEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell what ran instead of the kernel."""
    if not evidence.instead:
        return
    forward = find_lines(context, r"\bforward\s*\(\s*(?:\w+::)*AutogradContext\b")
    yield RULE.finding(
        context,
        cause=f"below autograd a call runs {join_names(evidence.instead)}, but never {context.contract.qualified_name}",
        fix="In forward, call the operator through the dispatcher, behind at::AutoDispatchBelowADInplaceOrView",
        places=[place for place, _ in forward] or [context.place_of_function("autograd")],
        evidence={"run": list(evidence.instead)},
    )


RULE = Rule(id="REG022", title="The Autograd kernel never reaches the kernel", needs=GradientEvidence, check=check)
