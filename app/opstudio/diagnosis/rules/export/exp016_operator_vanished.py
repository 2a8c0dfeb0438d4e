"""The export succeeded, but the operator is not in the file.

## What it finds
Calls of the eager model for which the file has no node, under any name; and custom nodes that are left on the standard
route. With ``--explain`` also calls that have no part in the file for a good reason: no output depends on the
result, or all that it is computed from is constant.

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

from collections.abc import Iterable, Iterator

from opstudio.base.finding import Finding, Place, Severity
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.explanations import ExplanationContext, describe_attempt
from opstudio.diagnosis.exports import describe_export, differing, place_of_call, place_of_model
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import emissions
from opstudio.model.expectation import Difference, DifferenceKind
from opstudio.model.export_debugging.records import Attempt, Fate
from opstudio.model.export_request import ExportRecord

_SEVERITIES = {
    Fate.UNUSED: Severity.NOTE,
    Fate.FOLDED: Severity.NOTE,
    Fate.TRACED_THROUGH: Severity.WARNING,
    Fate.LEFT_OUT: Severity.ERROR,
}
_WAYS_OUT = {
    Fate.UNUSED: "Use the result, or leave the call out of the model",
    Fate.FOLDED: "Let it depend on an input of the model, if it is to run in the runtime",
    Fate.TRACED_THROUGH: "Make it an operator: torch.library.custom_op, as opstudio export --explain writes it",
    Fate.LEFT_OUT: "Register it with the dispatcher (torch.library), so that exporters see it",
}
_COMPOSITE = "Register its kernel for CPU and Meta, not as CompositeImplicitAutograd, if it is to stay one node"


def check(evidence: ExportEvidence | Attempt, context: RuleContext | ExplanationContext) -> Iterable[Finding]:
    """Tell what vanished: from a file alone, or from an export that was watched."""
    if isinstance(evidence, Attempt):
        assert isinstance(context, ExplanationContext), "that is what attempts come with"
        return _check_attempt(evidence, context)
    assert isinstance(context, RuleContext), "that is what other evidence comes with"
    return _check_files(evidence, context)


def _check_attempt(attempt: Attempt, context: ExplanationContext) -> Iterator[Finding]:
    missing = {item.operator for item in attempt.differences if item.kind is DifferenceKind.NODE_MISSING}
    for fate in attempt.fates:
        if not fate.is_custom or fate.writes or fate.fate not in _SEVERITIES or fate.operator in missing:
            continue
        became = ", ".join(f"{count} × {name}" for name, count in fate.nodes.items())
        is_composite = fate.fate is Fate.TRACED_THROUGH and "::" in fate.operator
        yield RULE.finding(
            context,
            title=f"{fate.operator} is not in the file",
            cause=f"{describe_attempt(attempt)}: {fate.reason}{f'; there is {became}' if became else ''}",
            fix=_COMPOSITE if is_composite else _WAYS_OUT[fate.fate],
            places=[context.place(at) for at in fate.lines] or [context.place(None)],
            severity=_SEVERITIES[fate.fate],
        )


def _check_files(evidence: ExportEvidence, context: RuleContext) -> Iterator[Finding]:
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


RULE = Rule(id="EXP016", title="The operator is not in the file", needs=(ExportEvidence, Attempt), check=check)
