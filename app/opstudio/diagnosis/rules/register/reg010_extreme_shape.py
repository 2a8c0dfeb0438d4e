"""The operator is wrong at extreme shapes.

## What it finds
Wrong values, a refusal or a wrong shape for a single element, for maps of 1×1, or for tensors without elements, while
ordinary shapes are right.

## Why it happens
A loop that assumes a whole vector or a whole tile; a division by a size minus one; a special case for empty tensors
that is missing.

## How to fix
Run the case shown by hand. Loops end at ``count()``; a tensor without elements needs no loop at all.

## Source
Three shape classes of the contract at least, and each of them with one size set to zero.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.layout import LayoutEvidence
from opstudio.checks.stages.value import ValueEvidence
from opstudio.diagnosis.recognition import is_shape_dependent
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.wording import describe_comparison, join_names


def check(evidence: LayoutEvidence | ValueEvidence, context: RuleContext) -> Iterable[Finding]:
    """Look at shapes without elements, and for errors that only small or odd samples show."""
    if isinstance(evidence, LayoutEvidence):
        wrong = [case for case in evidence.cases if not case.good and case.name.startswith("no elements")]
    else:
        wrong = [case for case in evidence.cases if not case.good] if is_shape_dependent(evidence) else []
    if not wrong:
        return
    first = wrong[0]
    attributes = context.attributes_of(first.sample)
    bad = next((item for item in first.comparisons if not item.agrees), None)
    text = first.error.message if first.error else describe_comparison(bad, attributes) if bad else ""
    thrown = context.place_of_frames(first.error.thrown_from) if first.error else None
    yield RULE.finding(
        context,
        cause=f"{text}, in {join_names([case.name for case in wrong])}",
        fix="Run that shape by hand: loops end at count(), and nothing is divided by a size that may be zero",
        places=[thrown or context.place_of_function("forward")],
    )


RULE = Rule(id="REG010", title="An extreme shape is wrong", needs=(LayoutEvidence, ValueEvidence), check=check)
