"""Reading export evidence: which records differ from their requests, and where the person says how to export."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.base.finding import Place
from opstudio.base.toml_positions import TomlPath
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.rule import RuleContext
from opstudio.model.expectation import Difference, DifferenceKind, differences
from opstudio.model.export_request import CodeLine, ExportRecord

OPSETS = "from 7 to 20 with TorchScript, from 18 to 25 with dynamo"
"""What PyTorch 2.13 writes of every model; of some, dynamo manages others."""


def differing(evidence: ExportEvidence, *kinds: DifferenceKind) -> Iterator[tuple[ExportRecord, Difference]]:
    """Yield the differences of some kinds, each one once, with the first record that shows it."""
    seen: set[tuple[str, str, str]] = set()
    for record in evidence.records:
        for difference in differences(record):
            key = (difference.kind.value, difference.subject, difference.found)
            if difference.kind in kinds and key not in seen:
                seen.add(key)
                yield record, difference


def describe_export(record: ExportRecord) -> str:
    """Return which export a record is of."""
    request = record.request
    return f"the {request.exporter.value} exporter, {request.route.value} route, opset {request.opset}"


def place_of_line(at: CodeLine, context: RuleContext) -> Place:
    """Return a line of the person's files as a place."""
    return Place(file=context.relative(at.file), line=at.line)


def place_of_model(evidence: ExportEvidence, context: RuleContext) -> Place:
    """Return where the model is written; the operator alone is described by its contract."""
    if evidence.model:
        return Place(file=context.relative(str(context.folder / evidence.model)))
    return context.place_in_contract(("operator", "name"))


def place_of_call(record: ExportRecord, evidence: ExportEvidence, context: RuleContext, operator: str) -> Place:
    """Return the line of the model that calls an operator of any kind, or else the model."""
    at = record.eager.lines.get(operator)
    return place_of_model(evidence, context) if at is None else place_of_line(at, context)


def place_of_user_line(record: ExportRecord, evidence: ExportEvidence, context: RuleContext) -> Place:
    """Return the line of the person's files that an exporter stopped at, or else the model."""
    return place_of_model(evidence, context) if record.at is None else place_of_line(record.at, context)


def place_of_option(evidence: ExportEvidence, context: RuleContext, path: TomlPath) -> Place | None:
    """Return where the contract has an option of the export; ``None`` where the option was given with the request."""
    if not _is_of_contract(evidence, context):
        return place_of_model(evidence, context)
    place = context.place_in_contract(path)
    return None if evidence.delivered and place.line is None else place


def place_of_opset(record: ExportRecord, evidence: ExportEvidence, context: RuleContext) -> Place | None:
    """Return where the opset of an export is written; ``None`` where it was given with the request."""
    if _is_of_contract(evidence, context) and record.request.opset != context.contract.export.opset:
        return None
    return place_of_option(evidence, context, ("export", "opset"))


def _is_of_contract(evidence: ExportEvidence, context: RuleContext) -> bool:
    return not evidence.model or evidence.model == (context.contract.model or "").partition(":")[0]
