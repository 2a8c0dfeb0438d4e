"""The entry point of one export on request: an operator's model, or a module that a factory makes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.base.errors import InputError
from opstudio.base.finding import Place
from opstudio.checks.entries import load_entry
from opstudio.checks.loading import load_subject
from opstudio.checks.stages.export import model_of, registrations_of
from opstudio.checks.subject import Subject
from opstudio.contract.operator import OperatorContract
from opstudio.model.export import Exportable, eager_calls, export_model
from opstudio.model.export_request import ExportRequest
from opstudio.worker.context import WorkerContext

EXAMPLE_INPUTS = "example_inputs"


def run(context: WorkerContext, payload: dict[str, Any]) -> None:
    """Worker entry point.

    ``payload``: ``operators``, each with ``contract``, ``folder`` and ``libraries``; ``factory`` as ``FILE.py:NAME``
    with its ``folder``, or ``None`` for the model of the only operator; ``request``; ``path`` of the file to write.

    Raises:
        InputError: the model or its example inputs cannot be made.
        ToolError: an operator cannot be loaded.
    """
    subjects = [
        load_subject(
            context,
            from_json(OperatorContract, operator["contract"]),
            Path(operator["folder"]),
            operator["libraries"],
            fault_recorder=payload.get("fault_recorder"),
        )
        for operator in payload["operators"]
    ]
    for subject in subjects:
        subject.set_guards(False, False)
    request = from_json(ExportRequest, payload["request"])
    folder = Path(payload["folder"])
    context.progress(f"export: {request.exporter.value}, {request.route.value}")
    factory: str | None = payload["factory"]
    exportable = model_of(subjects[0]) if factory is None else model_of_factory(folder, factory, subjects)
    record = export_model(exportable, request, Path(payload["path"]), folder)
    context.emit("record", data=record)


def model_of_factory(folder: Path, factory: str, subjects: list[Subject]) -> Exportable:
    """Return what ``FILE.py:FACTORY`` makes, with those operators that it calls.

    Raises:
        InputError: the file, the factory or its example inputs fail.
    """
    file = factory.partition(":")[0]
    inputs = _example_inputs(folder, file)

    def make() -> Any:
        return load_entry(folder, factory, fresh=True)()

    everything = Exportable(make, inputs, [subject.contract for subject in subjects], {})
    try:
        calls, _ = eager_calls(everything)
    except InputError:
        raise
    except Exception as error:
        raise InputError.of(
            f"The model of {factory} does not run",
            cause=f"{type(error).__name__}: {error}",
            fix="Run it in PyTorch first; its custom operators must belong to the workspace and build",
            stage="export",
            place=Place(file=str(folder / file)),
        ) from error
    called = {call.operator for call in calls}
    used = [subject for subject in subjects if subject.contract.qualified_name in called]
    return Exportable(
        make,
        inputs,
        [subject.contract for subject in used],
        {subject.contract.qualified_name: subject.load_reference() for subject in used},
        registrations={name: register for subject in used for name, register in registrations_of(subject).items()},
    )


def _example_inputs(folder: Path, file: str) -> tuple[Any, ...]:
    """Return the example inputs that the file offers beside its factory."""
    import torch

    made = load_entry(folder, f"{file}:{EXAMPLE_INPUTS}")()
    inputs = (made,) if isinstance(made, torch.Tensor) else tuple(made)
    if not inputs or not all(isinstance(item, torch.Tensor) for item in inputs):
        raise InputError.of(
            f"{EXAMPLE_INPUTS} of {file} does not return tensors",
            cause=f"it returned {', '.join(type(item).__name__ for item in inputs) or 'nothing'}",
            fix="Return a tuple of tensors, one for each input of the model",
            stage="export",
            place=Place(file=str(folder / file)),
        )
    return inputs
