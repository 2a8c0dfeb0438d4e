"""The operator has no Meta kernel.

## What it finds
No kernel under the dispatch key Meta, and none that stands for it (CompositeImplicitAutograd,
CompositeExplicitAutograd).

## Why it happens
The Meta (or fake) kernel tells shape and type of the outputs without computing them. ``torch.export``,
``torch.compile`` and the default ONNX exporter trace with it and stop where it is missing.

## How to fix
A native operator gets it from the shape rule of its contract. In sources of your own, register one::

    TORCH_LIBRARY_IMPL(myops, Meta, m) { m.impl("swish", &swish_meta); }

## Source
PyTorch's dispatcher; ``torch.library.register_fake``.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.register import RegisterEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import places_of_definition


def check(evidence: RegisterEvidence, context: RuleContext) -> Iterable[Finding]:
    """Look for the Meta kernel."""
    if "Meta" in evidence.missing_kernels:
        contract = context.contract
        yield RULE.finding(
            context,
            cause=f"{contract.qualified_name} has no kernel for Meta: torch.export, torch.compile and the default "
            "ONNX exporter cannot trace it",
            fix=f'Register one: TORCH_LIBRARY_IMPL({contract.domain}, Meta, m) {{ m.impl("{contract.name}", &…); }}',
            places=places_of_definition(context),
            evidence={"kernels": dict(evidence.kernels)},
        )


RULE = Rule(id="REG003", title="There is no Meta kernel", needs=RegisterEvidence, check=check)
