"""The calls of operators that are not PyTorch's own, as the model makes them before any exporter has a say."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from opstudio.model.eager import attribute_text
from opstudio.model.export_debugging.eager_records import CustomCall, EagerCalls, TensorNote, TrainingCall
from opstudio.model.export_debugging.lines import UserLines
from opstudio.model.exportable import Exportable, full_arguments

OWN_NAMESPACES = frozenset({"aten", "prim", "prims", "onnx", "quantized", "inductor", "torchvision", "rngprims"})
"""Operators of these are PyTorch's: exporters know them, or nobody does."""


_TRAINING = frozenset(
    {"dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout", "batch_norm"}
)
"""Functions of ``torch.nn.functional`` that do something else while a model trains."""


def record_calls(exportable: Exportable, folder: Path) -> EagerCalls:
    """Run the module once and note each call of a custom operator, and of an ``autograd.Function``.

    Calls of layers in training mode are noted as well.

    Raises:
        Exception: what the module raises.
    """
    module = exportable.module()
    modules = _ModulePath(module)
    recorder = _Recorder(UserLines(folder), modules)
    with modules.followed(), recorder.watching():
        exportable.call(module)
    return EagerCalls(custom=tuple(recorder.calls), training=tuple(recorder.training))


class _ModulePath:
    """Which module's ``forward`` runs."""

    def __init__(self, module: Any) -> None:
        self._names = {id(item): name for name, item in module.named_modules()}
        self._running: list[str] = []

    @property
    def current(self) -> str:
        return self._running[-1] if self._running else ""

    @contextlib.contextmanager
    def followed(self) -> Iterator[None]:
        from torch.nn.modules import module as hooks

        def enter(module: Any, _inputs: Any) -> None:
            self._running.append(self._names.get(id(module), self.current))

        def leave(_module: Any, _inputs: Any, _output: Any) -> None:
            self._running.pop()

        handles = [hooks.register_module_forward_pre_hook(enter), hooks.register_module_forward_hook(leave)]
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()


class _Recorder:
    """Notes calls below and above the dispatcher: composite operators are only seen above."""

    def __init__(self, lines: UserLines, modules: _ModulePath) -> None:
        self._lines = lines
        self._modules = modules
        self.calls: list[CustomCall] = []
        self.training: list[TrainingCall] = []
        self._depth = 0

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        from torch.overrides import TorchFunctionMode
        from torch.utils._python_dispatch import TorchDispatchMode

        recorder = self

        class Below(TorchDispatchMode):  # type: ignore[misc]  # PyTorch's class has no static type
            def __torch_dispatch__(self, function: Any, _types: Any, arguments: Any = (), named: Any = None) -> Any:
                with recorder.inside():
                    result = function(*arguments, **(named or {}))
                recorder.note(function, arguments, named or {}, result)
                return result

        class Above(TorchFunctionMode):  # type: ignore[misc]  # the same
            def __torch_function__(self, function: Any, _types: Any, arguments: Any = (), named: Any = None) -> Any:
                recorder.note_training(function, arguments, named or {})
                count = len(recorder.calls)
                result = function(*arguments, **(named or {}))
                overload = getattr(function, "default", function)
                if len(recorder.calls) == count and hasattr(overload, "_schema"):
                    recorder.note(overload, arguments, named or {}, result)
                return result

        with self._functions(), Below(), Above():
            yield

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """Be within an operator: what it calls itself is none of the model's calls."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def note(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any], result: Any) -> None:
        schema = function._schema  # noqa: SLF001 - no public form
        if schema.name.partition("::")[0] in OWN_NAMESPACES:
            return
        values = full_arguments(schema, arguments, named)
        plain = {name: attribute_text(value) for name, value in values.items() if not _tensors_of(value)}
        self.calls.append(
            CustomCall(
                operator=schema.name,
                schema=str(schema),
                at=self._lines.now(),
                module=self._modules.current,
                attributes={name: text for name, text in plain.items() if text not in ("None", "[]")},
                inputs=tuple(item for name, value in values.items() for item in _notes(name, value)),
                outputs=tuple(_notes("", result)),
            )
        )

    def note_training(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
        name = getattr(function, "__name__", "")
        if name not in _TRAINING or not inspect.isfunction(function):
            return
        bound = inspect.signature(function).bind(*arguments, **named)
        bound.apply_defaults()
        if bound.arguments.get("training") is True:
            call = TrainingCall(function=name, at=self._lines.now(), module=self._modules.current)
            self.training.append(call)

    @contextlib.contextmanager
    def _functions(self) -> Iterator[None]:
        """Overhear ``autograd.Function.apply``, which the dispatcher knows nothing of."""
        import torch

        original = torch.autograd.Function.__dict__["apply"]
        recorder = self

        def apply(function: Any, *arguments: Any, **named: Any) -> Any:
            result = original.__get__(None, function)(*arguments, **named)
            recorder.note_function(function, arguments, result)
            return result

        torch.autograd.Function.apply = classmethod(apply)
        try:
            yield
        finally:
            torch.autograd.Function.apply = original

    def note_function(self, function: Any, arguments: Sequence[Any], result: Any) -> None:
        # Operators made with torch.library have such a function of their own, which is not the person's.
        at = self._lines.now()
        if self._depth or at is None or not self._is_users(function):
            return
        names = _argument_names(function.forward, len(arguments))
        values = dict(zip(names, arguments, strict=True))
        self.calls.append(
            CustomCall(
                operator=function.__name__,
                schema="",
                at=at,
                module=self._modules.current,
                attributes={name: attribute_text(value) for name, value in values.items() if not _tensors_of(value)},
                kinds={name: type(value).__name__ for name, value in values.items()},
                body=_body_of(function.forward),
                inputs=tuple(item for name, value in values.items() for item in _notes(name, value)),
                outputs=tuple(_notes("", result)),
            )
        )

    def _is_users(self, function: Callable[..., Any]) -> bool:
        code = getattr(function.forward, "__code__", None)  # type: ignore[attr-defined]
        return code is not None and self._lines.owns(code.co_filename)


def _argument_names(forward: Any, count: int) -> list[str]:
    """Return the names of a function's arguments, without the context that some take first."""
    code = forward.__code__
    names = list(code.co_varnames[: code.co_argcount])
    names = names[len(names) - count :] if len(names) >= count else names
    return [*names, *(f"argument_{index}" for index in range(len(names), count))]


def _body_of(forward: Any) -> tuple[str, int, int]:
    """Return the file of a function with its first and last line."""
    code = forward.__code__
    lines = [line for _, _, line in code.co_lines() if line is not None]
    return code.co_filename, code.co_firstlineno, max(lines, default=code.co_firstlineno)


def _tensors_of(value: Any) -> list[Any]:
    import torch

    items = value if isinstance(value, list | tuple) else [value]
    return [item for item in items if isinstance(item, torch.Tensor)]


def _notes(argument: str, value: Any) -> list[TensorNote]:
    return [
        TensorNote(argument=argument, type=str(item.dtype).removeprefix("torch."), sizes=tuple(item.shape))
        for item in _tensors_of(value)
    ]
