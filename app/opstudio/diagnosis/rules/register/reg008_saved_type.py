"""A number saved for backward is read as another type.

## What it finds
PyTorch's internal assertion in ``ivalue.h`` during a gradient step.

## Why it happens
``ctx->saved_data["key"]`` holds an ``int64_t`` and backward reads it with ``toDouble()``, or the reverse, or the key
was never saved. PyTorch 2.13 ends in an assertion that names neither operator nor key; older releases returned wrong
gradients in silence, which is why attributes are varied as well.

## How to fix
Read a value with the function that fits what was saved: ``toInt()`` for ``int64_t``, ``toDouble()`` for ``double``. The
keys are spelled alike in forward and backward.

## Source
``ATen/core/ivalue.h`` of PyTorch 2.13.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.gradient import GradientEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines

_ASSERTION = re.compile(r"ivalue\.h\"?:\d+.*expected (double|int)|expected (double|int)\s*$", re.IGNORECASE | re.DOTALL)


def check(evidence: GradientEvidence, context: RuleContext) -> Iterable[Finding]:
    """Recognise the assertion and point at the reads."""
    for case in evidence.cases:
        text = case.error.message if case.error else ""
        found = _ASSERTION.search(text) if "INTERNAL ASSERT" in text else None
        if found is None:
            continue
        wanted = (found[1] or found[2]).lower()
        reader = "toDouble" if wanted == "double" else "toInt"
        reads = find_lines(context, rf"saved_data\s*\[\s*\"(\w+)\"\s*\]\s*\.\s*{reader}\b")
        keys = ", ".join(dict.fromkeys(match[1] for _, match in reads)) or "a key"
        yield RULE.finding(
            context,
            cause=f"backward reads {keys} with {reader}(), but forward saved another type there or nothing",
            fix="Read int64_t with toInt() and double with toDouble(), and spell the key alike on both sides",
            places=[place for place, _ in reads] or [context.place_of_function("backward")],
            evidence={"message": text},
        )
        return


RULE = Rule(id="REG008", title="A saved number is read as another type", needs=GradientEvidence, check=check)
