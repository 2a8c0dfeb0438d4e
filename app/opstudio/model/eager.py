"""The module in PyTorch, before it is exported: what it calls, with which values, and from which lines."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from opstudio.contract.operator import AttributeKind, OperatorContract
from opstudio.model.export_request import CodeLine, EagerRun, OperatorCall
from opstudio.model.exportable import Exportable, full_arguments, leaves, operator_name, sizes_of

_STANDARD_OPERATORS = ("native_layer_norm", "layer_norm", "gelu", "native_group_norm", "group_norm", "hardswish")
"""Standard operators whose ONNX form came late: an older opset takes them apart (EXP009)."""
_KINDS = {
    AttributeKind.INT: "INT",
    AttributeKind.FLOAT: "FLOAT",
    AttributeKind.BOOL: "INT",
    AttributeKind.STRING: "STRING",
    AttributeKind.INTS: "INTS",
    AttributeKind.FLOATS: "FLOATS",
}
"""What ONNX calls the kinds; it has no bool."""


def run_eager(exportable: Exportable, folder: Path) -> EagerRun:
    """Run the module once in PyTorch and note what it calls, from which lines of ``folder``.

    Raises:
        Exception: what the module raises.
    """
    calls: list[OperatorCall] = []
    seen: set[bytes] = set()
    standard: dict[str, int] = {}
    lines: dict[str, CodeLine] = {}

    def note(function: Any, contract: OperatorContract, values: Mapping[str, Any], result: Any) -> Any:
        digest = _digest(function, values)
        calls.append(dataclasses.replace(_describe_call(contract, values), repeated=digest in seen))
        seen.add(digest)
        note_any(contract.qualified_name)
        return result

    def note_any(name: str) -> None:
        if name not in lines and (line := _calling_line(folder)) is not None:
            lines[name] = line
        if name.startswith("aten::") and name[6:] in _STANDARD_OPERATORS:
            standard[name] = standard.get(name, 0) + 1

    with _watching(exportable, note, note_any):
        result = exportable.call(exportable.module())
    return EagerRun(
        calls=tuple(calls),
        standard_calls=standard,
        lines=lines,
        inputs=sizes_of(exportable.tensors),
        outputs=sizes_of(leaves(result)),
        output_names=exportable.outputs or _output_names(result),
    )


def _output_names(result: Any) -> tuple[str, ...]:
    """Return names for outputs: the keys of a dict, the fields of a named tuple, else numbers.

    Without them each exporter takes others, and TorchScript takes those of its graph ("17").
    """
    count = len(leaves(result))
    named = result if isinstance(result, Mapping) else getattr(result, "_asdict", dict)()
    if len(named) == count and len(leaves(tuple(named.values()))) == count:
        return tuple(str(name) for name in named)
    return ("output",) if count == 1 else tuple(f"output_{index}" for index in range(count))


def _calling_line(folder: Path) -> CodeLine | None:
    """Return the innermost line of a folder's files on the stack of this call."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - quicker by far than inspect.stack()
    while frame is not None:
        if frame.f_code.co_filename.startswith(f"{folder}/"):
            return CodeLine(file=frame.f_code.co_filename, line=frame.f_lineno)
        frame = frame.f_back
    return None


def find_unused(exportable: Exportable, calls: tuple[OperatorCall, ...]) -> tuple[OperatorCall, ...]:
    """Mark the calls on which the outputs do not depend: the module is run with each one's results spoiled."""
    expected = _outputs(exportable)
    return tuple(
        dataclasses.replace(call, unused=_is_unused(exportable, index, expected)) for index, call in enumerate(calls)
    )


def _is_unused(exportable: Exportable, index: int, expected: tuple[Any, ...]) -> bool:
    from torch.utils import _pytree as pytree

    positions = itertools.count()

    def spoil(_function: Any, _contract: Any, _values: Any, result: Any) -> Any:
        return pytree.tree_map(_spoiled, result) if next(positions) == index else result

    try:
        with _watching(exportable, spoil, lambda _name: None):
            return _equal(expected, _outputs(exportable))
    except Exception:  # noqa: BLE001 - spoiled values may lead anywhere, so that somebody reads them
        return False


def _outputs(exportable: Exportable) -> tuple[Any, ...]:
    return leaves(exportable.call(exportable.module()))


@contextlib.contextmanager
def _watching(
    exportable: Exportable,
    on_call: Callable[[Any, OperatorContract, Mapping[str, Any], Any], Any],
    on_other: Callable[[str], None],
) -> Iterator[None]:
    """Hand every call of a custom operator with its result to ``on_call``, which returns what the caller gets."""
    from torch.utils._python_dispatch import TorchDispatchMode

    by_name = {contract.qualified_name: contract for contract in exportable.contracts}

    class Watcher(TorchDispatchMode):  # type: ignore[misc]  # PyTorch's class has no static type
        def __torch_dispatch__(self, function: Any, _types: Any, arguments: Any = (), named: Any = None) -> Any:
            schema = function._schema  # noqa: SLF001 - no public form
            result = function(*arguments, **(named or {}))
            if (contract := by_name.get(schema.name)) is not None:
                return on_call(function, contract, full_arguments(schema, arguments, named or {}), result)
            on_other(schema.name)
            return result

    with Watcher():
        yield


def _describe_call(contract: OperatorContract, values: Mapping[str, Any]) -> OperatorCall:
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
        attributes={item.name: attribute_text(values.get(item.name)) for item in contract.attributes},
        kinds={item.name: _KINDS[item.kind] for item in contract.attributes},
        side_effects=contract.kernel.side_effects,
        expand=contract.export.expand,
    )


def attribute_text(value: Any) -> str:
    """Write a value as model summaries write what the file holds: numbers rounded to float32, bools as integers."""
    import numpy as np

    if isinstance(value, bool):
        return repr(int(value))
    if isinstance(value, float):
        return repr(float(np.float32(value)))
    if isinstance(value, list | tuple):
        return f"[{', '.join(attribute_text(item) for item in value)}]"
    return value if isinstance(value, str) else repr(value)


def _digest(function: Any, values: Mapping[str, Any]) -> bytes:
    """Return a short form of a call, which is the same for calls of the same values."""
    import torch

    digest = hashlib.blake2b(operator_name(function).encode())
    for name, value in values.items():
        digest.update(name.encode())
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, torch.Tensor):
                digest.update(f"{item.dtype}{tuple(item.shape)}".encode())
                digest.update(item.detach().contiguous().reshape(-1).view(torch.uint8).numpy().data)
            else:
                digest.update(repr(item).encode())
    return digest.digest()


def _spoiled(value: Any) -> Any:
    import torch

    if not isinstance(value, torch.Tensor):
        return value
    if value.is_floating_point() or value.is_complex():
        return torch.full_like(value, float("nan"))
    return value.logical_not() if value.dtype == torch.bool else value + 1


def _equal(expected: Sequence[Any], found: Sequence[Any]) -> bool:
    import torch

    return len(expected) == len(found) and all(map(torch.equal, expected, found))
