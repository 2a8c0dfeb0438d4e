"""The operator is wrong at extreme values: zeros, infinities, NaN, the smallest and the largest numbers.

## What it finds
Elements that differ from the reference when the input holds special values, with the inputs that lead to them. The
reference computes in float64, so that it does not overflow where the kernel does.

## Why it happens
An intermediate result overflows to infinity and the next step makes NaN of it (``inf / inf``, ``inf * 0``);
``std::max`` with its operands the other way round swallows NaN; a comparison treats NaN as large.

## How to fix
Rewrite the formula so that no intermediate result overflows: ``x / (1 + exp(-x))`` instead of
``x * exp(x) / (1 + exp(x))``; subtract the maximum before ``exp``.

## Source
``torch.finfo`` for the ends of each type.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.extreme import ExtremeEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.wording import comparison_evidence, describe_comparison, first_bad, join_names


def check(evidence: ExtremeEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the first wrong case and its worst element."""
    wrong = [case for case in evidence.cases if not case.good and case.error is None]
    found = first_bad(wrong)
    if found is None:
        return
    case, comparison = found
    attributes = context.attributes_of(case.sample)
    names = join_names([case.name, *(item.name for item in wrong)])
    not_finite = any(not math.isfinite(item.value) and math.isfinite(item.reference) for item in comparison.worst)
    yield RULE.finding(
        context,
        title="NaN or infinity where a number belongs" if not_finite else "Extreme values are wrong",
        cause=f"{describe_comparison(comparison, attributes)}, in {names}",
        fix="Keep intermediate results from overflowing, and let NaN through where the reference does",
        places=[context.place_of_function("forward")],
        evidence=comparison_evidence(comparison, attributes),
    )


RULE = Rule(id="REG012", title="Extreme values are wrong", needs=ExtremeEvidence, check=check)
