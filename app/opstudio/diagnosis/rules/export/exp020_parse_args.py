"""A symbolic lacks ``parse_args``, or names another type there.

## What it finds
Nodes whose attributes arrived as inputs (every number a constant of type double), or as integers where numbers are
meant; exports that stop because a symbolic's arguments are no numbers, or are more than ``parse_args`` knows.

## Why it happens
Without ``@parse_args("v", "f", "f")`` a symbolic gets graph values instead of numbers. ``g.op`` makes inputs of them
in silence, or refuses them as attributes with a message of its bindings ("f_(): incompatible function arguments").
With ``"i"`` for a float the value is cut to an integer, which the runtime refuses.

## How to fix
Add the decorator with one letter for each argument: v tensor, i int, f float, b bool, s string, is and fs lists. Name
attributes with their type: ``scale_f=scale``.

## Source
``torch.onnx.symbolic_helper.parse_args``.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.export_failures import Failure, failures
from opstudio.diagnosis.exports import describe_export, differing, place_of_model, place_of_user_line
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import decorations, lacks_parse_args, parse_args_line
from opstudio.model.expectation import DifferenceKind


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell attributes of another kind, attributes that became inputs, and refusals."""
    fix = f"Decorate the symbolic with {parse_args_line(context.contract)}"
    for record, difference in differing(evidence, DifferenceKind.ATTRIBUTE_KIND):
        yield RULE.finding(
            context,
            title=f"Attribute {difference.subject} has another type in the file",
            cause=f"{describe_export(record)}: {difference.subject} is {difference.asked}, there is {difference.found}",
            fix=fix,
            places=decorations(context, record) or [place_of_model(evidence, context)],
        )
        return
    for record, difference in differing(evidence, DifferenceKind.INPUT_COUNT):
        if lacks_parse_args(record, context):
            yield RULE.finding(
                context,
                title="Attributes arrive as inputs",
                cause=f"{describe_export(record)}: node {difference.subject} has {difference.found} instead of "
                f"{difference.asked}, and no attributes",
                fix=fix,
                places=decorations(context, record) or [place_of_model(evidence, context)],
            )
            return
    for record in failures(evidence, context, Failure.SYMBOLIC_ARGUMENTS):
        suffix = "must be suffixed" in record.error
        stopped = [place_of_user_line(record, evidence, context)] if record.at else decorations(context, record)
        yield RULE.finding(
            context,
            title="An attribute is named without its type" if suffix else "",
            cause=f"{describe_export(record)}: {record.error.splitlines()[0][:300]}",
            fix="Name it with its type: scale_f=scale, axis_i=axis" if suffix else fix,
            places=stopped or [place_of_model(evidence, context)],
            evidence={"error": record.error},
        )
        return


RULE = Rule(id="EXP020", title="A symbolic takes its arguments apart wrongly", needs=ExportEvidence, check=check)
