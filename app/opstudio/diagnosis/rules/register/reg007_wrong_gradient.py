"""The gradient is wrong.

## What it finds
A gradient that differs from the derivative of the reference, or from finite differences of the operator itself, with
the worst element, its index, and the inputs and attributes that lead to it. Values keep away from kinks, and attributes
are varied. Where the forward function is wrong itself (NUM012), its differences are no witness and are left out.

## Why it happens
The formula of the backward kernel is wrong; it ignores an attribute; it reads a saved tensor that is another one.

## How to fix
Derive the formula again and compare it with the element shown. Where only the varied attributes fail, an attribute is
missing in the formula.

## Source
``torch.autograd.gradcheck`` in float64, and PyTorch's derivative of the reference.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Json
from opstudio.checks.stages.gradient import GradientEvidence, GradientResult
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.wording import comparison_evidence, describe_comparison, join_names, render_mapping


def check(evidence: GradientEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the first wrong case of each input, and which other cases share it."""
    wrong = [case for case in evidence.cases if not case.good and not case.error and not case.missing]
    if not wrong:
        return
    first = next((case for case in wrong if not _is_single(case)), wrong[0])
    name, text, details = _worst(first)
    names = join_names([first.name, *(case.name for case in wrong)])
    yield RULE.finding(
        context,
        title=f"The gradient of {name} is wrong",
        cause=f"{text}, in {names}" + (f" with {render_mapping(first.attributes)}" if first.attributes else ""),
        fix=_fix(evidence, wrong),
        places=[context.place_of_function("backward")],
        evidence=details,
    )


def _is_single(case: GradientResult) -> bool:
    """Whether the gradients of a case have one element, which shows less than others."""
    return all(comparison.count <= 1 for comparison in case.comparisons.values())


def _worst(case: GradientResult) -> tuple[str, str, dict[str, Json]]:
    """Return the input, the words and the numbers of the disagreement."""
    for name, comparison in case.comparisons.items():
        if not comparison.agrees:
            text = f"against the derivative of the reference, {describe_comparison(comparison)}"
            return name, text, comparison_evidence(comparison, case.attributes)
    assert case.worst is not None
    element = case.worst
    index = "".join(f"[{position}]" for position in element.index)
    numbers = f"element {index} is {element.analytical:.9g}, finite differences give {element.numerical:.9g}"
    return (
        element.input,
        f"{case.numerical}: {numbers}",
        {"analytical": element.analytical, "numerical": element.numerical},
    )


def _fix(evidence: GradientEvidence, wrong: list[GradientResult]) -> str:
    if any(case.forward_differs for case in wrong):
        return "Mend the forward function first: it is wrong as well, and the gradient may follow from that"
    varied = [case for case in evidence.cases if "attributes ×" in case.name]
    if varied and all("attributes ×" in case.name for case in wrong):
        return "Only varied attributes fail: the backward kernel ignores an attribute"
    return "Derive the formula of the backward kernel again; the element shown is the worst one"


RULE = Rule(id="REG007", title="The gradient is wrong", needs=GradientEvidence, check=check)
