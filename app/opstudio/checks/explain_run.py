"""The entry point of one exporter's export that is to be explained: an operator's model, or what a factory makes."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.checks.export_run import load_subjects, model_of_factory
from opstudio.checks.stages.export import model_of
from opstudio.checks.subject import Subject
from opstudio.contract.operator import OperatorContract
from opstudio.contract.schema_parser import SchemaError
from opstudio.model.export import run_in_pytorch
from opstudio.model.export_debugging.attempt import attempt_export
from opstudio.model.export_debugging.eager_calls import record_calls
from opstudio.model.export_debugging.eager_records import CustomCall
from opstudio.model.export_debugging.schema_contract import contract_of
from opstudio.model.export_debugging.signature import signature_of
from opstudio.model.export_request import ExportRequest
from opstudio.model.exportable import Exportable
from opstudio.worker.context import WorkerContext

MAKING = "make the model"
"""The progress label of everything before the exporter: the person's own code runs."""
EXPORTING = "export"
"""The progress label of the exporter."""


def run(context: WorkerContext, payload: dict[str, Any]) -> None:
    """Worker entry point; the payload is that of :mod:`opstudio.checks.export_run`.

    Raises:
        InputError: the model or its example inputs cannot be made, or it does not run.
        ToolError: the operator cannot be loaded.
    """
    request = from_json(ExportRequest, payload["request"])
    folder = Path(payload["folder"])
    factory: str | None = payload["factory"]
    subjects, absent = load_subjects(context, payload)
    context.progress("load PyTorch")
    import torch  # noqa: F401 - seconds, which are not the person's

    context.progress(MAKING)
    exportable = _exportable(folder, factory, subjects, absent)
    eager = record_calls(exportable, folder)
    contracts = _library_contracts(eager.custom, exportable, _file_of(subjects, factory))
    exportable = dataclasses.replace(
        exportable,
        contracts=(*exportable.contracts, *contracts),
        # They have the translations that the file registers, and none that the studio derives.
        registrations={
            **{name: functools.cache(register) for name, register in exportable.registrations.items()},
            **{contract.qualified_name: lambda: None for contract in contracts},
        },
    )
    context.progress(f"{EXPORTING}: {request.exporter.value}, {request.route.value}")
    attempt = attempt_export(exportable, request, Path(payload["path"]), folder, eager)
    context.emit("attempt", data={"attempt": attempt, "calls": eager.custom, "contracts": contracts})


def _exportable(folder: Path, factory: str | None, subjects: list[Subject], absent: Mapping[str, str]) -> Exportable:
    if factory is None:
        exportable = model_of(subjects[0], cut=False)
        run_in_pytorch(exportable, folder)
        return exportable
    return model_of_factory(folder, factory, subjects, absent)


def _file_of(subjects: list[Subject], factory: str | None) -> str:
    """Return the file that registers translations of operators without contract."""
    if factory is not None:
        return factory.partition(":")[0]
    return (subjects[0].contract.model or "").partition(":")[0]


def _library_contracts(
    calls: tuple[CustomCall, ...], exportable: Exportable, file: str
) -> tuple[OperatorContract, ...]:
    """Return contracts of the operators that have none, as far as their schemas tell."""
    known = {contract.qualified_name for contract in exportable.contracts}
    found: dict[str, OperatorContract] = {}
    for call in calls:
        if not call.schema or call.operator in known or call.operator in found:
            continue
        try:
            found[call.operator] = contract_of(signature_of(call), file=file)
        except SchemaError:
            continue  # a type of the person's own; the call itself is told all the same
    return tuple(found.values())
