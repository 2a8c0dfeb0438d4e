"""The operator has no gradient, though its contract says that it has one.

## What it finds
A gradient step that gives no gradient: autograd raises, warns only, or leaves ``x.grad`` empty.

## Why it happens
No kernel is registered under Autograd: forward and backward kernels exist, but were never tied together. PyTorch only
warns, and training goes on without that gradient.

## How to fix
A native operator needs a ``[gradient]`` table and a second function in ``OPSTUDIO_KERNEL(forward, backward)``. In
sources of your own, register an Autograd kernel (``torch::autograd::Function``) or call
``torch.library.register_autograd``.

## Source
A gradient step of the check; PyTorch's warning "an autograd kernel was not registered".
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.gradient import GradientEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.wording import join_names

_MARKS = ("does not require grad", "no autograd formula", "autograd kernel was not registered")


def check(evidence: GradientEvidence, context: RuleContext) -> Iterable[Finding]:
    """Look for gradients that are not there."""
    for case in evidence.cases:
        raised = case.error is not None and any(mark in case.error.message for mark in _MARKS)
        if not case.missing and not raised:
            continue
        names = case.missing or (context.contract.gradient.inputs if context.contract.gradient else ())
        yield RULE.finding(
            context,
            cause=f"no gradient reaches {join_names(names)} in {case.name}"
            + (f": {case.warning or (case.error.message if case.error else '')}" if case.warning or case.error else ""),
            fix="Register an Autograd kernel that calls the backward kernel (torch::autograd::Function)",
            places=[context.place_of_function("forward")],
        )
        return


RULE = Rule(id="REG005", title="The gradient is missing", needs=GradientEvidence, check=check)
