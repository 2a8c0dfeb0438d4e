"""The entry point of one export on request: an operator's model, or a module that a factory makes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.base.errors import InputError, ToolError
from opstudio.base.names import did_you_mean
from opstudio.checks.loading import load_subject
from opstudio.checks.stages.export import calling, model_of, model_of_file
from opstudio.checks.subject import Subject
from opstudio.contract.operator import OperatorContract
from opstudio.model.export import export_model, run_in_pytorch
from opstudio.model.export_request import ExportRequest
from opstudio.model.exportable import Exportable
from opstudio.worker.context import WorkerContext

_NO_OPERATOR = re.compile(r"'_OpNamespace' '(\w+)' object has no attribute '(\w+)'")


def run(context: WorkerContext, payload: dict[str, Any]) -> None:
    """Worker entry point.

    ``payload``: ``operators``, each with ``contract``, ``folder`` and ``libraries``; ``absent``, why other operators of
    the workspace are not among them, by their names; ``factory`` as ``FILE.py:NAME`` with its ``folder``, or
    ``None`` for the model of the only operator; ``request``; ``path`` of the file to write.

    Raises:
        InputError: the model or its example inputs cannot be made.
        ToolError: the operator cannot be loaded.
    """
    request = from_json(ExportRequest, payload["request"])
    folder = Path(payload["folder"])
    factory: str | None = payload["factory"]
    absent: dict[str, str] = dict(payload["absent"])
    subjects: list[Subject] = []
    for operator in payload["operators"]:
        contract = from_json(OperatorContract, operator["contract"])
        recorder = payload.get("fault_recorder")
        try:
            subject = load_subject(
                context, contract, Path(operator["folder"]), operator["libraries"], fault_recorder=recorder
            )
        except ToolError as error:
            if factory is None:
                raise
            absent[contract.qualified_name] = error.findings[0].cause  # it may be one that the model does not call
            continue
        subject.set_guards(False, False)
        subjects.append(subject)
    context.progress(f"export: {request.exporter.value}, {request.route.value}")
    exportable = (
        model_of(subjects[0], cut=False) if factory is None else _model_of_factory(folder, factory, subjects, absent)
    )
    context.emit("record", data=export_model(exportable, request, Path(payload["path"]), folder))


def _model_of_factory(folder: Path, factory: str, subjects: list[Subject], absent: Mapping[str, str]) -> Exportable:
    """Return what ``FILE.py:NAME`` makes, with those operators that it calls.

    Raises:
        InputError: the module or its example inputs cannot be made, or the module does not run.
    """
    model = model_of_file(folder, factory)
    known = [subject.contract.qualified_name for subject in subjects]
    try:
        eager = run_in_pytorch(
            dataclasses.replace(model, contracts=tuple(subject.contract for subject in subjects)), folder
        )
    except InputError as error:
        raise _about_missing_operator(error, known, absent) from error
    called = {call.operator for call in eager.calls}
    return calling(model, [subject for subject in subjects if subject.contract.qualified_name in called])


def _about_missing_operator(error: InputError, known: list[str], absent: Mapping[str, str]) -> InputError:
    """Return an error that says why an operator is missing, where that is what the model fails for."""
    finding = error.findings[0]
    found = _NO_OPERATOR.search(finding.cause)
    if found is None:
        return error
    name = f"{found[1]}::{found[2]}"
    reason = absent.get(name) or absent.get(found[2])  # a contract that cannot be read goes by its folder
    cause = reason or f"no operator of the workspace has that name; {did_you_mean(name, [*known, *absent])}"
    return InputError(
        dataclasses.replace(
            finding,
            title=f"The model calls {name}, which is not there",
            cause=cause,
            fix="Mend that operator first" if reason else "Call an operator of the workspace, or add this one",
        )
    )
