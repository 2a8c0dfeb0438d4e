"""PyTorch and ONNX Runtime return different values for the same operator.

## What it finds
Three layers are compared on every sample and at sizes that vary within one session: reference, PyTorch operator, ONNX
Runtime operator. This one says that the two runtimes differ from each other.

## Why it happens
Two implementations of the same formula drifted apart; an attribute arrives with another value (ONNX keeps numbers as
float32); the dimension order is assumed differently.

## How to fix
A native operator runs the same kernel in both, so that only its inputs can differ: look at attributes and shapes. For
sources of your own, compare the two formulas at the element shown.

## Source
The operator in both runtimes.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.parity import ParityEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.wording import comparison_evidence, describe_comparison, join_names


def check(evidence: ParityEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the first case in which the layers part, and between which two."""
    wrong = [case for case in evidence.cases if not case.good and case.error is None]
    if not wrong:
        return
    first = wrong[0]
    layers = {
        "ONNX Runtime against PyTorch": first.runtime_torch,
        "PyTorch against the reference": first.torch_reference,
        "ONNX Runtime against the reference": first.runtime_reference,
    }
    name, comparison = next(
        (name, item) for name, comparisons in layers.items() for item in comparisons if not item.agrees
    )
    yield RULE.finding(
        context,
        title=f"{name}: values differ",
        cause=f"{describe_comparison(comparison)}, in {join_names([case.name for case in wrong])}",
        fix="Compare attributes, types and dimension order of both sides at the element shown",
        places=[context.place_of_function("forward")],
        evidence=comparison_evidence(comparison),
    )


RULE = Rule(id="NUM013", title="The runtimes differ", needs=ParityEvidence, check=check)
