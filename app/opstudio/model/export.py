"""PyTorch modules to ONNX files: both exporters, both routes, and a record of what came of it.

Runs in a worker whose process is not needed afterwards: symbolics and schemas are left behind in it.
"""

from __future__ import annotations

import dataclasses
import errno
import logging
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Protocol

from opstudio.base.errors import InputError
from opstudio.base.files import cannot_write
from opstudio.base.finding import Place
from opstudio.contract.operator import OperatorContract
from opstudio.model.eager import find_unused, run_eager
from opstudio.model.errors import deepest_cause, plain_text, user_line
from opstudio.model.expectation import has_all_nodes
from opstudio.model.export_request import EagerRun, Exporter, ExportRecord, ExportRequest, Route
from opstudio.model.exportable import Exportable, stand_ins
from opstudio.model.output_names import free_names, output_axes
from opstudio.model.registrations import translated_operators
from opstudio.model.resizing import resize
from opstudio.model.summary import summarize_model
from opstudio.model.translations import register_symbolic, translation_entry


class ExportObserver(Protocol):
    """Hears of an export from inside."""

    def during(self, exporter: Exporter) -> AbstractContextManager[None]:
        """Be there while an exporter works."""

    def on_program(self, program: Any) -> None:
        """Take the program that the dynamo exporter made."""

    def on_error(self, error: Exception) -> None:
        """Take the error with which the exporter ended, its whole chain."""


_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES)


def run_in_pytorch(exportable: Exportable, user_folder: Path) -> EagerRun:
    """Run the module in PyTorch and note what it calls.

    Raises:
        InputError: the module cannot be made, or raises.
    """
    try:
        return run_eager(exportable, user_folder)
    except InputError:
        raise
    except Exception as error:
        at = user_line(error, user_folder)
        raise InputError.of(
            "The model does not run in PyTorch",
            cause=f"{type(error).__name__}: {plain_text(str(error))}",
            fix="Run it with its example inputs in PyTorch first",
            stage="export",
            place=None if at is None else Place(file=at.file, line=at.line),
        ) from error


def export_model(
    exportable: Exportable,
    request: ExportRequest,
    path: Path,
    user_folder: Path,
    observer: ExportObserver | None = None,
) -> ExportRecord:
    """Export and record what came of it; an exporter's failure is a record as well.

    With an observer the TorchScript exporter keeps source lines in the file's nodes.

    Raises:
        InputError: the module does not even run in PyTorch.
        SetupError: the file cannot be written.
    """
    start = time.perf_counter()
    eager = run_in_pytorch(exportable, user_folder)
    module = exportable.module()
    names = exportable.input_names(module)
    resized = resize(exportable, names, request, user_folder)
    record = ExportRecord(request=request, inputs=names, eager=eager, resized=resized[1] if resized else None)
    with warnings.catch_warnings(record=True) as caught, stand_ins(exportable, request.route):
        warnings.simplefilter("always")
        try:
            with observer.during(request.exporter) if observer else nullcontext():
                _EXPORTERS[request.exporter](exportable, module, record, path, observer)
        except Exception as error:
            if observer is not None:
                observer.on_error(error)
            cause = deepest_cause(error)
            if isinstance(cause, OSError) and cause.errno in _DISK:
                raise cannot_write(path, cause) from error
            return dataclasses.replace(
                record,
                error=plain_text(str(cause)) or plain_text(str(error)),
                error_type=type(cause).__name__,
                at=user_line(error, user_folder),
                warnings=_texts(caught),
                translated_elsewhere=_translated_elsewhere(exportable, record),
                seconds=time.perf_counter() - start,
            )
        said = _texts(caught)
    record = dataclasses.replace(record, file=str(path), summary=summarize_model(path), warnings=said)
    if not has_all_nodes(record):
        calls = find_unused(exportable, record.calls)
        record = dataclasses.replace(record, eager=dataclasses.replace(eager, calls=calls))
    return dataclasses.replace(record, seconds=time.perf_counter() - start)


def _translated_elsewhere(exportable: Exportable, record: ExportRecord) -> tuple[str, ...]:
    request, names = record.request, [call.operator for call in record.calls]
    own, *others = sorted(Exporter, key=lambda exporter: exporter is not request.exporter)
    known = translated_operators(exportable, own, request.opset, names)
    elsewhere = [translated_operators(exportable, other, request.opset, names) for other in others]
    return tuple(name for found in elsewhere for name in found if name not in known)


def _export_torchscript(
    exportable: Exportable, module: Any, record: ExportRecord, path: Path, observer: ExportObserver | None
) -> None:
    import torch

    request, custom = record.request, record.request.route is Route.CUSTOM
    if custom and exportable.register is not None:
        exportable.register()
    for contract in exportable.contracts if custom else ():
        if (register := exportable.registrations.get(contract.qualified_name)) is not None:
            register()
        else:
            register_symbolic(contract, min(request.opset, 9))
    torch.onnx.export(
        module,
        exportable.inputs,
        str(path),
        kwargs=dict(exportable.named) or None,
        dynamo=False,
        opset_version=request.opset,
        input_names=list(record.inputs),
        output_names=free_names(record),
        dynamic_axes={item.input: request.axes_of(item.input) for item in request.dynamic} | output_axes(record),
        custom_opsets=domain_versions(exportable.contracts) if custom else None,
        verbose=observer is not None,
    )
    join_weights(path)


def _export_dynamo(
    exportable: Exportable, module: Any, record: ExportRecord, path: Path, observer: ExportObserver | None
) -> None:
    import torch

    # It warns that torchvision is missing, whether or not the model uses it.
    logging.getLogger("torch.onnx._internal.exporter._registration").setLevel(logging.ERROR)
    request = record.request
    custom = request.route is Route.CUSTOM
    table: dict[Any, Any] = dict(exportable.register() or {}) if custom and exportable.register is not None else {}
    versions = domain_versions(exportable.contracts)
    for contract in exportable.contracts if custom else ():
        if (register := exportable.registrations.get(contract.qualified_name)) is not None:
            table |= register() or {}
        else:
            operator = getattr(getattr(torch.ops, contract.domain), contract.name)
            table |= translation_entry(contract, operator, versions[contract.domain])
    names = dict.fromkeys((*record.inputs, *(item.input for item in request.dynamic)))
    program = torch.onnx.export(
        module,
        exportable.inputs,
        kwargs=dict(exportable.named) or None,
        dynamo=True,
        opset_version=request.opset,
        output_names=free_names(record),
        dynamic_shapes={name: request.axes_of(name) for name in names} if request.dynamic else None,
        custom_translation_table=table or None,
        # The optimiser makes one node of equal ones, which is wrong where they do more than compute.
        optimize=not any(call.side_effects for call in record.calls),
        verbose=False,
    )
    if observer is not None:
        observer.on_program(program)
    program.save(str(path))  # weights of a large model are written beside it, as PyTorch decides


_EXPORTERS: Mapping[Exporter, Callable[[Exportable, Any, ExportRecord, Path, ExportObserver | None], None]] = {
    Exporter.TORCHSCRIPT: _export_torchscript,
    Exporter.DYNAMO: _export_dynamo,
}


def domain_versions(contracts: tuple[OperatorContract, ...]) -> dict[str, int]:
    """Return the version of each domain in a file: a file imports one, so that it is the highest of its operators."""
    versions: dict[str, int] = {}
    for contract in contracts:
        versions[contract.domain] = max(contract.version, versions.get(contract.domain, 0))
    return versions


def join_weights(path: Path) -> None:
    """Put weights that the TorchScript exporter wrote beside a large model, a file for each, into one."""
    import onnx

    model = onnx.load(str(path), load_external_data=False)
    outside = {
        entry.value
        for item in model.graph.initializer
        if item.data_location == onnx.TensorProto.EXTERNAL
        for entry in item.external_data
        if entry.key == "location"
    }
    if not outside:
        return
    onnx.load_external_data_for_model(model, str(path.parent))
    for name in outside:
        (path.parent / name).unlink()
    onnx.save_model(model, str(path), save_as_external_data=True, location=f"{path.name}.data")


def _texts(caught: list[warnings.WarningMessage]) -> tuple[str, ...]:
    texts = [
        f"{item.category.__name__}: {plain_text(str(item.message))} ({item.filename}:{item.lineno})" for item in caught
    ]
    return tuple(dict.fromkeys(text for text in texts if not text.startswith(("DeprecationWarning", "FutureWarning"))))
