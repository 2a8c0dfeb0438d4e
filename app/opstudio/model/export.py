"""PyTorch modules to ONNX files: both exporters, both routes, and a record of what came of it.

Runs in a worker whose process is not needed afterwards: symbolics, schemas and stand-ins are left behind in it.
"""

from __future__ import annotations

import contextlib
import inspect
import re
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from opstudio.contract.operator import OperatorContract
from opstudio.model.export_request import Exporter, ExportRecord, ExportRequest, OperatorCall, Route
from opstudio.model.summary import summarize_model
from opstudio.model.translations import register_symbolic, translation_entry

_STANDARD_OPERATORS = ("native_layer_norm", "layer_norm", "gelu", "native_group_norm", "group_norm", "hardswish")
"""Standard operators whose ONNX form came late: an older opset takes them apart (EXP009)."""


class Exportable:
    """A module, its example inputs and the custom operators that it may call.

    ``make`` builds the module; it is called once for each export, so that stand-ins for operators are seen by code that
    looks them up when it is built. ``references`` and ``registrations`` (the person's own, where there are any) go by
    the qualified names of the operators.
    """

    def __init__(
        self,
        make: Callable[[], Any],
        inputs: tuple[Any, ...],
        contracts: Sequence[OperatorContract],
        references: Mapping[str, Callable[..., Any]],
        *,
        registrations: Mapping[str, Callable[[], Mapping[Any, Any] | None]] | None = None,
    ) -> None:
        self.make = make
        self.inputs = inputs
        self.contracts = tuple(contracts)
        self.references = references
        self.registrations = registrations or {}


def export_model(exportable: Exportable, request: ExportRequest, path: Path, user_folder: Path) -> ExportRecord:
    """Export and record what came of it; a failure is a record as well."""
    start = time.perf_counter()
    calls, standard_calls = eager_calls(exportable)
    names: tuple[str, ...] = ()
    said: list[str] = []
    base: dict[str, Any] = {"request": request, "calls": calls, "standard_calls": standard_calls}
    with warnings.catch_warnings(record=True) as caught, stand_ins(exportable, request.route):
        warnings.simplefilter("always")
        try:
            module = exportable.make().eval()
            names = input_names(module, len(exportable.inputs))
            _EXPORTERS[request.exporter](exportable, module, request, names, path)
        except Exception as error:  # noqa: BLE001 - whatever an exporter raises is the result
            cause = deepest_cause(error)
            file, line = user_place(error, user_folder)
            return ExportRecord(
                **base,
                inputs=names,
                error=_plain(str(cause)) or _plain(str(error)),
                error_type=type(cause).__name__,
                user_file=file,
                user_line=line,
                warnings=_texts(caught),
                seconds=time.perf_counter() - start,
            )
        said += _texts(caught)
    return ExportRecord(
        **base,
        inputs=names,
        file=str(path),
        summary=summarize_model(path),
        warnings=tuple(said),
        seconds=time.perf_counter() - start,
    )


def _export_torchscript(
    exportable: Exportable, module: Any, request: ExportRequest, names: tuple[str, ...], path: Path
) -> None:
    import torch

    if request.route is Route.CUSTOM:
        for contract in exportable.contracts:
            if (register := exportable.registrations.get(contract.qualified_name)) is not None:
                register()
            else:
                register_symbolic(contract, min(request.opset, 9))
    torch.onnx.export(
        module,
        exportable.inputs,
        str(path),
        dynamo=False,
        opset_version=request.opset,
        input_names=list(names),
        dynamic_axes={name: dict(axes) for name, axes in request.dynamic.items()},
        custom_opsets={contract.domain: contract.version for contract in exportable.contracts}
        if request.route is Route.CUSTOM
        else None,
    )


def _export_dynamo(
    exportable: Exportable, module: Any, request: ExportRequest, names: tuple[str, ...], path: Path
) -> None:
    import torch

    table: dict[Any, Any] = {}
    if request.route is Route.CUSTOM:
        for contract in exportable.contracts:
            if (register := exportable.registrations.get(contract.qualified_name)) is not None:
                table |= register() or {}
            else:
                table |= translation_entry(contract, getattr(getattr(torch.ops, contract.domain), contract.name))
    dynamic = {name: dict(request.dynamic.get(name, {})) for name in names} if request.dynamic else None
    unknown = {name: dict(axes) for name, axes in request.dynamic.items() if name not in names}
    program = torch.onnx.export(
        module,
        exportable.inputs,
        dynamo=True,
        opset_version=request.opset,
        dynamic_shapes=None if dynamic is None else dynamic | unknown,
        custom_translation_table=table or None,
        verbose=False,
    )
    program.save(str(path), external_data=False)


_EXPORTERS: Mapping[Exporter, Callable[[Exportable, Any, ExportRequest, tuple[str, ...], Path], None]] = {
    Exporter.TORCHSCRIPT: _export_torchscript,
    Exporter.DYNAMO: _export_dynamo,
}


class _StandIn:
    """Takes the place of an operator: calls its reference, and answers all else as the operator does."""

    def __init__(self, operator: Any, reference: Callable[..., Any]) -> None:
        self._operator = operator
        self._reference = reference

    @property
    def default(self) -> _StandIn:
        return _StandIn(self._operator.default, self._reference)

    def __getattr__(self, name: str) -> Any:
        # The exporters list what the namespace holds and ask each operator for its overloads.
        return getattr(self._operator, name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._reference(*arguments, **named)


@contextlib.contextmanager
def stand_ins(exportable: Exportable, route: Route) -> Iterator[None]:
    """On the standard route, put the references in place of the operators, so that exporters trace through them."""
    import torch

    replaced: list[tuple[Any, str, Any]] = []
    if route is Route.STANDARD:
        for contract in exportable.contracts:
            namespace = getattr(torch.ops, contract.domain)
            operator = getattr(namespace, contract.name)
            replaced.append((namespace, contract.name, operator))
            setattr(namespace, contract.name, _StandIn(operator, exportable.references[contract.qualified_name]))
    try:
        yield
    finally:
        for namespace, name, operator in replaced:
            setattr(namespace, name, operator)


def eager_calls(exportable: Exportable) -> tuple[tuple[OperatorCall, ...], dict[str, int]]:
    """Run the module once and note every call of a custom operator, with its attributes."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    by_name = {contract.qualified_name: contract for contract in exportable.contracts}
    calls: list[OperatorCall] = []
    standard: dict[str, int] = {}

    class Recorder(TorchDispatchMode):  # type: ignore[misc]  # PyTorch's class has no static type
        def __torch_dispatch__(self, function: Any, _types: Any, arguments: Any = (), named: Any = None) -> Any:
            name = function._schema.name  # noqa: SLF001 - no public form
            if (contract := by_name.get(name)) is not None:
                calls.append(_call(contract, function, arguments, named or {}))
            elif name.startswith("aten::") and name[6:] in _STANDARD_OPERATORS:
                standard[name] = standard.get(name, 0) + 1
            return function(*arguments, **(named or {}))

    module = exportable.make().eval()
    with torch.no_grad(), Recorder():
        module(*exportable.inputs)
    return tuple(calls), standard


def _call(
    contract: OperatorContract, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]
) -> OperatorCall:
    values: dict[str, Any] = {}
    for position, argument in enumerate(function._schema.arguments):  # noqa: SLF001 - no public form
        if position < len(arguments):
            values[argument.name] = arguments[position]
        else:
            values[argument.name] = named.get(argument.name, argument.default_value)
    tensors = 0
    for item in contract.inputs:
        value = values.get(item.name)
        tensors += len(value) if isinstance(value, list | tuple) else int(value is not None)
    return OperatorCall(
        domain=contract.domain,
        operator=contract.qualified_name,
        onnx_type=contract.onnx_type,
        version=contract.version,
        tensor_inputs=tensors,
        attributes={item.name: _attribute_text(values.get(item.name)) for item in contract.attributes},
    )


def _attribute_text(value: Any) -> str:
    """Write a value as model summaries write what the file holds: numbers rounded to float32, bools as integers."""
    import numpy as np

    if isinstance(value, bool):
        return repr(int(value))
    if isinstance(value, float):
        return repr(float(np.float32(value)))
    if isinstance(value, list | tuple):
        return f"[{', '.join(_attribute_text(item) for item in value)}]"
    return value if isinstance(value, str) else repr(value)


def input_names(module: Any, count: int) -> tuple[str, ...]:
    """Return the names of the module's inputs, as its ``forward`` calls them."""
    parameters = list(inspect.signature(module.forward).parameters)
    return tuple(parameters[:count]) if len(parameters) >= count else tuple(f"input_{index}" for index in range(count))


def deepest_cause(error: BaseException) -> BaseException:
    """Follow the chain of causes to its end: exporters wrap the reason several times."""
    seen: set[int] = set()
    while id(error) not in seen:
        seen.add(id(error))
        following = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if following is None:
            break
        error = following
    return error


def user_place(error: BaseException, folder: Path) -> tuple[str, int | None]:
    """Return the innermost line of the person's own files in the chain of an error."""
    found: tuple[str, int | None] = ("", None)
    current: BaseException | None = error
    seen: set[int] = set()
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        for frame in traceback.extract_tb(current.__traceback__):
            if Path(frame.filename).is_relative_to(folder):
                found = (frame.filename, frame.lineno)
        current = current.__cause__ or current.__context__
    if not found[0]:
        # The dynamo exporter traces in its own frames and quotes the person's in the text.
        for match in re.finditer(r'File "([^"]+)", line (\d+)', str(error)):
            if Path(match[1]).is_relative_to(folder):
                found = (match[1], int(match[2]))
    return found


def _plain(text: str) -> str:
    """Remove colours and the stack listings that follow a message."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return text.split("\n(Refer to the full stack trace")[0].split("\nException raised from")[0].strip()[:2000]


def _texts(caught: list[warnings.WarningMessage]) -> tuple[str, ...]:
    texts = [
        f"{item.category.__name__}: {_plain(str(item.message))} ({item.filename}:{item.lineno})" for item in caught
    ]
    return tuple(dict.fromkeys(text for text in texts if not text.startswith(("DeprecationWarning", "FutureWarning"))))
