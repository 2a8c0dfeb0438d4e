"""Reading export evidence: which records differ from their requests, and where the person says how to export."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.base.finding import Place
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.rule import RuleContext
from opstudio.model.expectation import Difference, DifferenceKind, differences
from opstudio.model.export_request import ExportRecord


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


def place_of_export(evidence: ExportEvidence, context: RuleContext) -> Place:
    """Return where the person says how the operator is exported: their registration, model or contract."""
    contract = context.contract
    if evidence.registration:
        return Place(file=context.relative(str(context.folder / evidence.registration)))
    if contract.model:
        return Place(file=context.relative(str(context.folder / contract.model.partition(":")[0])))
    return context.place_in_contract(("operator", "name"))


def place_of_user_line(record: ExportRecord, evidence: ExportEvidence, context: RuleContext) -> Place:
    """Return the line of the person's files that an exporter stopped at, else where exporting is described."""
    if record.user_file:
        return Place(file=context.relative(record.user_file), line=record.user_line)
    return place_of_export(evidence, context)
