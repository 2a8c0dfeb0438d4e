"""The exporter in use has no translation for an operator.

## What it finds
An export that stops with "unrecognized namespace" (TorchScript) or "No ONNX function found" (dynamo), the operator that
it names, the line of the model that calls it and the registration that lacks it.

## Why it happens
A symbolic (``register_custom_op_symbolic``) is read by the TorchScript exporter only; a translation table is read by
the dynamo exporter only. The default exporter of PyTorch is dynamo since 2.9. Some of PyTorch's own operators have no
form in ONNX at all.

## How to fix
``opstudio export … --explain`` writes the translation that is missing. Use the studio's own (leave
``[export] registration`` out), or register one for the exporter in use:
TorchScript takes ``register_custom_op_symbolic``, dynamo the table that ``register()`` returns. Or take the standard
route: the reference's own standard nodes. One of PyTorch's own operators is written with others, or exported by the
other exporter.

## Source
``torch.onnx`` of PyTorch 2.13.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.export_failures import Failure, failures, untranslated
from opstudio.diagnosis.exports import describe_export, place_of_call, place_of_user_line
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import registrations, what_to_register
from opstudio.model.export_request import Exporter, ExportRecord, Route


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Recognise the exporters' words; a name that is nearly right is EXP003's."""
    told: set[str] = set()
    for record in failures(evidence, context, Failure.NO_TRANSLATION):
        operator = untranslated(record) or ""
        if operator in told:
            continue
        told.add(operator)
        own = operator == context.contract.qualified_name
        registered = registrations(context, record) if own and record.request.route is Route.CUSTOM else []
        yield RULE.finding(
            context,
            title=f"The {record.request.exporter.value} exporter cannot translate {operator}",
            cause=f"{_elsewhere(record, operator)}{describe_export(record)}: {record.error.splitlines()[0]}",
            fix=_fix(record, operator, context, own=own),
            places=[*registered, _call(record, evidence, context, operator)],
            evidence={"error": record.error},
        )


def _elsewhere(record: ExportRecord, operator: str) -> str:
    """Say first that there is a translation, but for the other exporter, where that is so."""
    if operator not in record.translated_elsewhere:
        return ""
    if record.request.exporter is Exporter.DYNAMO:
        return "a symbolic is registered, which only the torchscript exporter reads; "
    return "register() returns a translation, which only the dynamo exporter reads; "


def _fix(record: ExportRecord, operator: str, context: RuleContext, *, own: bool) -> str:
    if not own and operator.startswith("aten::"):
        return "Write it with other operators at this line, or try the other exporter"
    if not own:
        return f"{what_to_register(record, operator)}, as opstudio export --explain writes it"
    if record.request.route is Route.STANDARD and not context.contract.reference:
        return "Export with --route custom, or write it with standard operators at this line"
    if record.request.route is Route.STANDARD:
        return "Call it from Python code, where the studio puts its reference in its place; scripted functions hide it"
    other = "; or export with --route standard" if context.contract.reference else ""
    return f"{what_to_register(record, operator)}, as opstudio export --explain writes it{other}"


def _call(record: ExportRecord, evidence: ExportEvidence, context: RuleContext, operator: str) -> Place:
    """Return the line of the call: PyTorch's own note of it, else the line at which the exporter stopped."""
    place = place_of_call(record, evidence, context, _called_name(record, operator))
    return place if place.line is not None else place_of_user_line(record, evidence, context)


def _called_name(record: ExportRecord, operator: str) -> str:
    """Return the name under which PyTorch ran an operator: an exporter may know it by its inner or its outer name."""
    namespace, _, name = operator.partition("::")
    candidates = (operator, f"{namespace}::_{name}", f"{namespace}::{name.removeprefix('_')}")
    return next((item for item in candidates if item in record.eager.lines), operator)


RULE = Rule(id="EXP001", title="The exporter cannot translate an operator", needs=ExportEvidence, check=check)
