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

from opstudio.base.finding import Finding, Place
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, differing, place_of_call, place_of_model
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import emissions
from opstudio.model.expectation import Difference, DifferenceKind
from opstudio.model.export_request import ExportRecord


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell what vanished, what was renamed and what was left over."""
    kinds = (DifferenceKind.NODE_MISSING, DifferenceKind.NODE_RENAMED, DifferenceKind.NODE_LEFT)
    for record, difference in differing(evidence, *kinds):
        if difference.kind is DifferenceKind.NODE_LEFT:
            title, fix = (
                "A custom node is left",
                "Call the operator as torch.ops.DOMAIN.NAME; what writes nodes by itself cannot be replaced",
            )
        elif difference.found.replace(":", "::") == difference.operator:
            title, fix = "The operator is not translated", "Return the node from the symbolic: it returned nothing"
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
            places=_places(difference, record, evidence, context),
        )


def _places(
    difference: Difference, record: ExportRecord, evidence: ExportEvidence, context: RuleContext
) -> list[Place]:
    if difference.kind is DifferenceKind.NODE_LEFT:
        return [place_of_model(evidence, context)]
    renamed = difference.kind is DifferenceKind.NODE_RENAMED
    written = emissions(context, record, difference.found.partition(":")[2] if renamed else "")
    return written or [place_of_call(record, evidence, context, difference.operator)]


RULE = Rule(id="EXP016", title="The operator is not in the file", needs=ExportEvidence, check=check)
