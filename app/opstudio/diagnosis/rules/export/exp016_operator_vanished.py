"""The export succeeded, but the operator is not in the file.

## What it finds
Calls of the eager model for which the file has no node, under any name; and custom nodes that are left on the standard
route.

## Why it happens
The exporter traced through the operator and wrote what it is made of: a Python ``autograd.Function`` (whose
``symbolic`` the dynamo exporter ignores), a composite operator, or a translation that emits other nodes.

## How to fix
Register the operator with the dispatcher (``torch.library`` or TORCH_LIBRARY) and a translation that emits its node. If
expanding is what you want, say so: ``[export] expand = true``.

## Source
The exported file, compared with the calls of the eager model.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, differing, place_of_export
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import registrations
from opstudio.model.expectation import DifferenceKind


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell what vanished, what was renamed and what was left over."""
    kinds = (DifferenceKind.NODE_MISSING, DifferenceKind.NODE_RENAMED, DifferenceKind.NODE_LEFT)
    for record, difference in differing(evidence, *kinds):
        if difference.kind is DifferenceKind.NODE_MISSING and context.contract.export.expand:
            continue
        if difference.kind is DifferenceKind.NODE_LEFT:
            title, fix = (
                "A custom node is left",
                "Call the operator as torch.ops.DOMAIN.NAME, which the studio replaces",
            )
        elif difference.kind is DifferenceKind.NODE_RENAMED:
            title, fix = "The node has another name", f"Emit {difference.asked} in the translation; letters count"
        else:
            title, fix = (
                "The operator is not in the file",
                f"Emit {difference.asked} in the translation of the operator",
            )
        yield RULE.finding(
            context,
            title=title,
            cause=f"{describe_export(record)}: asked for {difference.asked}, there is {difference.found or 'nothing'}",
            fix=fix,
            places=registrations(context) or [place_of_export(evidence, context)],
        )


RULE = Rule(id="EXP016", title="The operator is not in the file", needs=ExportEvidence, check=check)
