"""A module before its export: its inputs, the custom operators that it may call, and what stands in for them."""

from __future__ import annotations

import contextlib
import inspect
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from opstudio.contract.operator import OperatorContract
from opstudio.model.export_request import Route


@dataclass(frozen=True, slots=True, kw_only=True)
class Exportable:
    """A module, its example inputs and the custom operators that it may call.

    ``make`` builds the module. ``inputs`` are passed by position, ``named`` by name, in the order of ``forward``.
    ``references`` and ``registrations`` (the person's own, where there are any) go by the qualified names of the
    operators. ``register`` registers translations of operators that have no contract, and returns those for dynamo.
    ``outputs`` are names for the outputs, where they are known beforehand.
    """

    make: Callable[[], Any]
    inputs: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    contracts: tuple[OperatorContract, ...]
    references: Mapping[str, Callable[..., Any]]
    registrations: Mapping[str, Callable[[], Mapping[Any, Any] | None]] = field(default_factory=dict)
    register: Callable[[], Mapping[Any, Any] | None] | None = None
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
            reference = references.get(operator_name(function))
            if reference is None:
                return function(*arguments, **(named or {}))
            schema = getattr(function, "default", function)._schema  # noqa: SLF001 - no public form
            return reference(*full_arguments(schema, arguments, named or {}).values())

    with StandIns():
        yield


def operator_name(function: Any) -> str:
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


def leaves(result: Any) -> tuple[Any, ...]:
    """Return the tensors that a model returned, be it in tuples or dicts, in the order in which exporters list them."""
    import torch
    from torch.utils import _pytree as pytree

    return tuple(item for item in pytree.tree_leaves(result) if isinstance(item, torch.Tensor))


def sizes_of(tensors: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of tensors."""
    return tuple(tuple(tensor.shape) for tensor in tensors)
