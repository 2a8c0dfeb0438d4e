"""What the rules find in exports of one model, which may call several operators: each is asked about its own calls."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.engine import diagnose
from opstudio.diagnosis.rule import RuleContext
from opstudio.model.export_request import ExportRecord


def export_findings(
    records: Sequence[ExportRecord], contexts: Sequence[RuleContext], model_file: Callable[[RuleContext], str]
) -> tuple[Finding, ...]:
    """Let the rules look at exports, once for each operator that the model calls.

    ``model_file`` says where the model of an operator is written; empty where the operator was exported alone.
    """
    called = {call.operator for record in records for call in record.calls}
    chosen = [item for item in contexts if item.contract.qualified_name in called] or list(contexts[:1])
    blamed = [item for item in chosen if any(_names(record.error, item.contract.qualified_name) for record in records)]
    found: dict[tuple[str, str, str], Finding] = {}
    for context in blamed or chosen:
        evidence = ExportEvidence(
            exports=tuple(_part(record, context.contract.qualified_name) for record in records),
            composite=None,
            model=model_file(context),
            registration=context.contract.export.registration or "",
            delivered=True,
        )
        for finding in diagnose(evidence, context):
            found.setdefault((finding.id, finding.title, finding.cause), finding)
    return tuple(found.values())


def _part(record: ExportRecord, operator: str) -> ExportRecord:
    """Return a record with the calls of one operator only."""
    own = tuple(call for call in record.calls if call.operator == operator)
    return dataclasses.replace(record, eager=dataclasses.replace(record.eager, calls=own))


def _names(error: str, operator: str) -> bool:
    return operator in error or operator.replace("::", ".") in error
