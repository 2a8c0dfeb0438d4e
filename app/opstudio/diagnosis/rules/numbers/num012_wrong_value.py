"""The operator returns other values than its reference.

## What it finds
For every sample and type: elements outside of the tolerance (``|value − reference| ≤ atol + rtol · |reference|``),
with the worst one, its index, and the inputs and attributes that lead to it. Elements that still hold the pattern which
outputs are filled with before the call were never written (or only added to). Where the elements pass but minimum,
maximum, mean or variance do not, it says that.

## Why it happens
The formula is wrong; an attribute is ignored; the kernel accumulates in a type that is too coarse; a loop leaves
elements out. float64 alone is wrong where a step of the kernel computes in float32: ``float(x)``, ``1.0f * x``.

## How to fix
Compute the element shown by hand. An error in half types only, growing with the length of a sum, is accumulation:
compute in ``compute_t<T>``.

## Source
The reference, computed in float64 and rounded once.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.data_type import DataType
from opstudio.base.finding import Finding
from opstudio.checks.results import CaseResult
from opstudio.checks.stages.value import ValueEvidence
from opstudio.diagnosis.recognition import is_axis_order, is_shape_dependent
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.wording import (
    axis_order_evidence,
    comparison_evidence,
    describe_comparison,
    first_bad,
    join_names,
)
from opstudio.parity.comparison import Comparison

_LOSS_OF_FLOAT32 = 1e-6
"""The most, of a value, that a few steps in float32 cost."""


def check(evidence: ValueEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the first wrong case and which others share it; errors of odd shapes are REG010's, of axes ORT008's."""
    wrong = [case for case in evidence.cases if not case.good and case.error is None]
    found = first_bad(wrong)
    if found is None or is_axis_order(evidence) or is_shape_dependent(evidence):
        return
    case, comparison = found
    attributes = context.attributes_of(case.sample)
    names = join_names([case.name, *(item.name for item in wrong)])
    yield RULE.finding(
        context,
        title="Elements of the output are never written" if comparison.unwritten else "",
        cause=f"{_unwritten(comparison)}{describe_comparison(comparison, attributes)}, in {names}",
        fix=_fix(wrong, comparison),
        places=[context.place_of_function("forward")],
        evidence=comparison_evidence(comparison, attributes) | axis_order_evidence(evidence.axis_orders),
    )


def _fix(wrong: list[CaseResult], comparison: Comparison) -> str:
    if comparison.unwritten:
        return "Write every element once, whatever its memory holds: look where loops end, and for += in place of ="
    bad = [item for case in wrong for item in case.comparisons if not item.agrees]
    if all(item.type == DataType.FLOAT64.value and item.largest_relative < _LOSS_OF_FLOAT32 for item in bad):
        return "Only float64 is wrong, by what float32 loses: look for float(…), variables of float and 1.0f"
    return "Compute the element shown by hand and compare it with the kernel's formula"


def _unwritten(comparison: Comparison) -> str:
    if not comparison.unwritten:
        return ""
    counts = f"{comparison.unwritten} of {comparison.count} elements"
    return f"{counts} hold what their memory held before the call: nothing is written there, or it is only added to; "


RULE = Rule(id="NUM012", title="Values differ from the reference", needs=ValueEvidence, check=check)
