"""Which operators PyTorch's dispatcher runs below autograd."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def operators_run(call: Callable[[], object]) -> tuple[str, ...]:
    """Return the qualified names of the operators that a call runs below autograd, each once, in order.

    An operator that is composed of others under CompositeImplicitAutograd is not among them, its parts are.

    Raises:
        Exception: whatever the call raises.

    Source: ``torch.utils._python_dispatch.TorchDispatchMode``, which sees every operator behind the autograd keys.
    """
    from torch.utils._python_dispatch import TorchDispatchMode

    names: list[str] = []

    class Recorder(TorchDispatchMode):  # type: ignore[misc]  # PyTorch's class has no static type
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            names.append(func._schema.name)  # noqa: SLF001 - no public form exists
            return func(*args, **(kwargs or {}))

    with Recorder():
        call()
    return tuple(dict.fromkeys(names))
