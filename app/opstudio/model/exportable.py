"""A module before its export: its inputs, the custom operators that it calls, and what stands in for them."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import inspect
import itertools
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from opstudio.contract.operator import AttributeKind, OperatorContract
from opstudio.model.export_request import CodeLine, EagerRun, OperatorCall, Route

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Exportable:
    """A module, its example inputs and the custom operators that it may call.

    ``make`` builds the module. ``inputs`` are passed by position, ``named`` by name, in the order of ``forward``.
    ``references`` and ``registrations`` (the person's own, where there are any) go by the qualified names of the
    operators. ``outputs`` are names for the outputs; without them the exporters choose.
    """

    make: Callable[[], Any]
    inputs: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    contracts: tuple[OperatorContract, ...]
    references: Mapping[str, Callable[..., Any]]
    registrations: Mapping[str, Callable[[], Mapping[Any, Any] | None]] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()

    @property
    def tensors(self) -> tuple[Any, ...]:
        """All example inputs, in order."""
        return (*self.inputs, *self.named.values())

    def module(self) -> Any:
        """Build the module for inference. Weights that it draws at random are the same each time."""
        import numpy as np
        import torch

        torch.manual_seed(0)
        np.random.seed(0)  # noqa: NPY002 - what the module may draw from
        random.seed(0)
        return self.make().eval()

    def input_names(self, module: Any) -> tuple[str, ...]:
        """Return the names of the module's inputs, as its ``forward`` calls them."""
        count = len(self.inputs)
        parameters = list(inspect.signature(module.forward).parameters)
        known = parameters[:count] if len(parameters) >= count else [f"input_{index}" for index in range(count)]
        return (*known, *self.named)

    def call(self, module: Any, tensors: Sequence[Any] | None = None) -> Any:
        """Call the module with its example inputs, or with other tensors in their place."""
        import torch

        values = list(self.tensors if tensors is None else tensors)
        count = len(self.inputs)
        with torch.no_grad():
            return module(*values[:count], **dict(zip(self.named, values[count:], strict=True)))


@contextlib.contextmanager
def stand_ins(exportable: Exportable, route: Route) -> Iterator[None]:
    """On the standard route, let the references answer calls of the operators, so that exporters trace through them."""
    if route is Route.CUSTOM:
        yield
        return
    from torch.overrides import TorchFunctionMode

    references = exportable.references

    class StandIns(TorchFunctionMode):  # type: ignore[misc]  # PyTorch's class has no static type
        def __torch_function__(self, function: Any, _types: Any, arguments: Any = (), named: Any = None) -> Any:
            reference = references.get(_operator_name(function))
            if reference is None:
                return function(*arguments, **(named or {}))
            schema = getattr(function, "default", function)._schema  # noqa: SLF001 - no public form
            return reference(*full_arguments(schema, arguments, named or {}).values())

    with StandIns():
        yield


def _operator_name(function: Any) -> str:
    """Return the qualified name of an operator of the dispatcher, or an empty text."""
    if (schema := getattr(function, "_schema", None)) is not None:
        return str(schema.name)
    return str(getattr(function, "_qualified_op_name", ""))


def full_arguments(schema: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """Return every argument of a call by its name, those left out at their defaults."""
    return {
        argument.name: arguments[position]
        if position < len(arguments)
        else named.get(argument.name, argument.default_value)
        for position, argument in enumerate(schema.arguments)
    }


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
    )


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


def leaves(result: Any) -> tuple[Any, ...]:
    """Return the tensors that a model returned, be it in tuples or dicts, in the order in which exporters list them."""
    import torch
    from torch.utils import _pytree as pytree

    return tuple(item for item in pytree.tree_leaves(result) if isinstance(item, torch.Tensor))


def sizes_of(tensors: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of tensors."""
    return tuple(tuple(tensor.shape) for tensor in tensors)


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

    digest = hashlib.blake2b(_operator_name(function).encode())
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
