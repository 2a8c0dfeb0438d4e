"""The operator is bound with pybind11 only: PyTorch's dispatcher does not know it.

## What it finds
Sources with ``PYBIND11_MODULE`` and without a ``TORCH_LIBRARY`` for the operator's domain.

## Why it happens
Older tutorials bind functions this way. Such a function is a Python callable, not an operator: exporters trace through
it or stop, ``torch.compile`` breaks its graph there, and it has no schema.

## How to fix
Register it::

    TORCH_LIBRARY(myops, m) { m.def("swish(Tensor x) -> Tensor"); }
    TORCH_LIBRARY_IMPL(myops, CPU, m) { m.impl("swish", &swish); }

## Source
The operator's sources, and ``torch.ops`` after loading them.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.register import RegisterEvidence
from opstudio.contract.torch_schema import render_schema
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines


def check(evidence: RegisterEvidence, context: RuleContext) -> Iterable[Finding]:
    """Look for the module that binds the function, if nothing registers it."""
    modules = find_lines(context, r"\bPYBIND11_MODULE\s*\(")
    if evidence.schema or not modules:
        return
    contract = context.contract
    yield RULE.finding(
        context,
        cause=f"{contract.qualified_name} is a Python function of a pybind11 module, not an operator",
        fix=f'Add TORCH_LIBRARY({contract.domain}, m) {{ m.def("{render_schema(contract)}"); }} and TORCH_LIBRARY_IMPL '
        "for CPU and Meta",
        places=[place for place, _ in modules],
    )


RULE = Rule(id="REG002", title="The operator is bound with pybind11 only", needs=RegisterEvidence, check=check)
