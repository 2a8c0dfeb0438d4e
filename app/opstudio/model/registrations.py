"""What is registered for an operator: a symbolic, an entry of a translation table, a Meta kernel.

Source: the registries of PyTorch 2.13. What a release does not have is taken for not registered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from opstudio.model.export_request import Exporter
from opstudio.model.exportable import Exportable, operator_name


def translated_operators(
    exportable: Exportable, exporter: Exporter, opset: int, operators: Iterable[str]
) -> tuple[str, ...]:
    """Return those operators for which an exporter has a translation of the person's own."""
    names = tuple(dict.fromkeys(operators))
    if exporter is Exporter.TORCHSCRIPT:
        return tuple(name for name in names if has_symbolic(name, opset))
    registers = [*exportable.registrations.values(), *([exportable.register] if exportable.register else [])]
    entries = {operator_name(key) for register in registers for key in _entries(register)}
    return tuple(name for name in names if name in entries)


def _entries(register: Callable[[], Any]) -> tuple[Any, ...]:
    """Return the keys of the table that a function of the person returns; that it fails is told elsewhere."""
    try:
        return tuple(register() or ())
    except Exception:  # noqa: BLE001 - it may raise anything
        return ()


def has_symbolic(operator: str, opset: int) -> bool:
    """Whether the TorchScript exporter has a symbolic that serves an opset."""
    try:
        from torch.onnx._internal.torchscript_exporter import registration

        registry: Any = registration.registry
        return bool(registry.is_registered_op(operator, opset))
    except (ImportError, AttributeError):  # another release
        return False
    except ValueError:  # one that was registered and taken back leaves an empty group
        return False


def lacks_fake(operator: str) -> bool:
    """Whether nothing says what an operator returns without computing it."""
    import torch

    try:
        from torch._library import custom_ops, simple_registry

        definition = custom_ops.OPDEFS.get(operator)
        if definition is not None:
            return definition._abstract_fn is None  # noqa: SLF001 - no public form
        if torch._C._dispatch_has_computed_kernel_for_dispatch_key(operator, "Meta"):  # noqa: SLF001 - the same
            return False
        return simple_registry.singleton.find(operator).fake_impl.kernel is None
    except (ImportError, AttributeError):  # another release
        return False
