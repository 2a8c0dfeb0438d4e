"""A symbolic is registered for an opset above the exported one.

## What it finds
PyTorch's "Support for this operator was added in version N, try exporting with this version" for a custom operator.

## Why it happens
The third argument of ``register_custom_op_symbolic`` is the first opset that the translation is for. Older releases of
PyTorch ignored such a registration in silence and left the node untranslated.

## How to fix
Register the symbolic for the opset that you export, or an earlier one.

## Source
``torch.onnx`` of PyTorch 2.13.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import place_of_user_line
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import registrations

_MESSAGE = re.compile(
    r"Exporting the operator '(\w+::\w+)' to ONNX opset version (\d+) is not supported.*added in version (\d+)"
)


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Recognise the message and name both opsets."""
    for record in evidence.exports:
        found = _MESSAGE.search(record.error)
        if found is None:
            continue
        yield RULE.finding(
            context,
            cause=f"the translation of {found[1]} is registered for opset {found[3]}, the export asks for {found[2]}",
            fix=f"Register it for opset {found[2]} or earlier, or export with --opset {found[3]}",
            places=registrations(context) or [place_of_user_line(record, evidence, context)],
            evidence={"error": record.error},
        )
        return


RULE = Rule(id="EXP002", title="A translation is registered for a later opset", needs=ExportEvidence, check=check)
