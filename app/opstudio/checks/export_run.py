"""The entry point of one export on request: an operator's model, or a module that a factory makes."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.base.errors import InputError, ToolError
from opstudio.base.names import did_you_mean
from opstudio.checks.entries import load_entry
from opstudio.checks.loading import load_subject
from opstudio.checks.stages.export import calling, model_of, model_of_file
from opstudio.checks.subject import Subject
from opstudio.contract.operator import OperatorContract
from opstudio.model.export import export_model, run_in_pytorch
from opstudio.model.export_request import ExportRequest
from opstudio.model.exportable import Exportable
from opstudio.worker.context import WorkerContext

REGISTER = "register"
"""The function of a file of models that registers translations of operators of its own, and returns dynamo's."""
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
    subjects, absent = load_subjects(context, payload)
    context.progress(f"export: {request.exporter.value}, {request.route.value}")
    exportable = (
        model_of(subjects[0], cut=False) if factory is None else model_of_factory(folder, factory, subjects, absent)
    )
    context.emit("record", data=export_model(exportable, request, Path(payload["path"]), folder))


def load_subjects(context: WorkerContext, payload: dict[str, Any]) -> tuple[list[Subject], dict[str, str]]:
    """Load the operators of a payload; return those that load, and why the others do not, by their names.

    Raises:
        ToolError: the only operator cannot be loaded.
    """
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
            if payload["factory"] is None:
                raise
            absent[contract.qualified_name] = error.findings[0].cause  # it may be one that the model does not call
            continue
        subject.set_guards(False, False)
        subjects.append(subject)
    return subjects, absent


def model_of_factory(folder: Path, factory: str, subjects: list[Subject], absent: Mapping[str, str]) -> Exportable:
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
    exportable = calling(model, [subject for subject in subjects if subject.contract.qualified_name in called])
    return dataclasses.replace(exportable, register=registration_of(folder, factory.partition(":")[0]))


def registration_of(folder: Path, file: str) -> Callable[[], Mapping[Any, Any] | None] | None:
    """Return the function ``register`` of a file of models, which is called once, where it has one.

    Raises:
        InputError: the file cannot be imported.
    """
    try:
        register = load_entry(folder, f"{file}:{REGISTER}")
    except InputError as error:
        if error.__cause__ is not None:
            raise
        return None
    takes = inspect.signature(register).parameters.values()
    # One that must be given something is about something else.
    is_it = all(
        item.default is not item.empty or item.kind in (item.VAR_POSITIONAL, item.VAR_KEYWORD) for item in takes
    )
    return functools.cache(register) if is_it else None


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
