"""The operator is not registered under the name of its contract.

## What it finds
A library that loads, but defines no operator of that name in that domain.

## Why it happens
The name in ``m.def`` differs from the contract by a letter or its case; ``TORCH_LIBRARY`` opens another namespace;
the file that registers is not among ``[kernel] sources``.

## How to fix
Spell name and namespace as in the contract.

## Source
``torch.ops`` after loading the library.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.base.names import did_you_mean
from opstudio.checks.stages.register import RegisterEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines


def check(evidence: RegisterEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell what is registered instead; functions bound with pybind11 only are REG002's."""
    if evidence.schema or find_lines(context, r"\bPYBIND11_MODULE\s*\("):
        return
    contract = context.contract
    definitions = find_lines(context, r"\bTORCH_LIBRARY(?:_FRAGMENT)?\s*\(\s*(\w+)|\.\s*def\s*\(\s*\"(\w+)")
    lines = {(place.file, place.line): place for place, _ in reversed(definitions)}
    yield RULE.finding(
        context,
        cause=f"no library registers {contract.qualified_name}; "
        + did_you_mean(contract.qualified_name, evidence.defined),
        fix=f"Register the operator as {contract.name} in TORCH_LIBRARY({contract.domain}, m)",
        places=list(lines.values())[::-1],
    )


RULE = Rule(id="REG027", title="The operator is not registered", needs=RegisterEvidence, check=check)
