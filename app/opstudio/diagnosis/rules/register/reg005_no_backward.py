"""The operator has no gradient, though its contract says that it has one.

## What it finds
No kernel under Autograd, or a gradient step that gives no gradient: autograd raises, warns only, or leaves ``x.grad``
empty.

## Why it happens
Forward and backward were never tied together: no kernel is registered under Autograd, or the registered one calls the
forward kernel past ``torch::autograd::Function``. Or the tie is cut: the input is detached on its way, backward returns
an undefined tensor. PyTorch only warns, if at all, and training goes on without that gradient.

## How to fix
A native operator needs a ``[gradient]`` table and a second function in ``OPSTUDIO_KERNEL(forward, backward)``. In
sources of your own, register an Autograd kernel (``torch::autograd::Function``) or call
``torch.library.register_autograd``; hand it the inputs as they came, and return a tensor for each of them.

## Source
A gradient step of the check; PyTorch's warning "an autograd kernel was not registered".
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.gradient import GradientEvidence
from opstudio.checks.stages.register import RegisterEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines, places_of_definition
from opstudio.diagnosis.wording import join_names

_MARKS = ("does not require grad", "no autograd formula", "autograd kernel was not registered")
_REGISTER = "Register an Autograd kernel that calls the backward kernel (torch::autograd::Function)"


def check(evidence: RegisterEvidence | GradientEvidence, context: RuleContext) -> Iterable[Finding]:
    """Look for the Autograd kernel, then for gradients that are not there."""
    if isinstance(evidence, RegisterEvidence):
        if "Autograd" in evidence.missing_kernels:
            contract = context.contract
            yield RULE.finding(
                context,
                title="There is no Autograd kernel",
                cause=f"the contract has a [gradient], but {contract.qualified_name} has no kernel for Autograd: no "
                "gradient passes the operator",
                fix=f'{_REGISTER}: TORCH_LIBRARY_IMPL({contract.domain}, Autograd, m) {{ m.impl("{contract.name}", '
                "&…); }",
                places=places_of_definition(context),
                evidence={"kernels": dict(evidence.kernels)},
            )
        return
    for case in evidence.cases:
        raised = case.error is not None and any(mark in case.error.message for mark in _MARKS)
        if not case.missing and not raised:
            continue
        names = case.missing or (context.contract.gradient.inputs if context.contract.gradient else ())
        said = case.warning or (case.error.message if case.error else "")
        tied = find_lines(context, r":\s*(?:public\s+)?(?:torch::)?(?:autograd::)?Function\s*<")
        yield RULE.finding(
            context,
            cause=f"no gradient reaches {join_names(names)} in {case.name}" + (f": {said}" if said else ""),
            fix="The Autograd kernel must hand its inputs to Function::apply as they came, not detached, and backward "
            f"must return a tensor for {join_names(names)}"
            if tied
            else _REGISTER,
            places=[context.place_of_function(role) for role in (("autograd", "backward") if tied else ("forward",))],
        )
        return


RULE = Rule(id="REG005", title="The gradient is missing", needs=(RegisterEvidence, GradientEvidence), check=check)
