"""An operator writes its input instead of returning a result: exporters lose it.

## What it finds
Calls of operators whose schema says that they change an argument (``Tensor(a!)``), which have no node in the file or
end the export.

## Why it happens
A node of ONNX never changes its inputs. The TorchScript exporter drops a call that returns nothing, in silence, so that
the file computes something else; the dynamo exporter wraps it (``auto_functionalized``) and finds no translation.

## How to fix
Give the operator a form that returns a new tensor (``mutates_args=()``), and call that: ``x = swish(x)``.

## Source
The operator's schema, the exported file and the exporters' errors.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.explanations import ExplanationContext, describe_attempt
from opstudio.diagnosis.rule import Rule
from opstudio.model.export_debugging.records import Attempt, Fate


def check(evidence: Attempt, context: ExplanationContext) -> Iterable[Finding]:
    """Look at the fate of operators that write."""
    for fate in evidence.fates:
        if fate.fate not in (Fate.LEFT_OUT, Fate.FAILED) or not fate.writes:
            continue
        lost = "its call is not in the file, which computes something else"
        yield RULE.finding(
            context,
            title=f"{fate.operator} writes its input",
            cause=f"{describe_attempt(evidence)}: "
            + (lost if fate.fate is Fate.LEFT_OUT else "the exporter ends at the call"),
            fix="Let it return a new tensor (mutates_args=()), and use what it returns",
            places=[context.place(at) for at in fate.lines] or [context.place(None)],
            evidence={"error": evidence.record.error},
        )


RULE = Rule(id="EXP025", title="An operator writes its input", needs=Attempt, check=check)
