"""Loads an operator into a worker: its libraries, its registration with both runtimes, its check mode."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opstudio.base.errors import ToolError
from opstudio.checks.subject import Subject
from opstudio.contract.operator import OperatorContract
from opstudio.worker.context import WorkerContext, mapped_range
from opstudio.worker.hosts import load_kernel, onnxruntime_host, torch_host

LOADING = "load the operator"
"""The progress label of everything before the first stage."""

UNDEFINED_SYMBOL = "undefined symbol: "
"""How the loader refuses a library that uses what nothing defines: BLD012's."""

_MOST_FRAMES = 48


def load_subject(
    context: WorkerContext,
    contract: OperatorContract,
    folder: Path,
    libraries: Mapping[str, str],
    *,
    fault_recorder: str | None,
    options: Mapping[str, Any] | None = None,
) -> Subject:
    """Load an operator from its libraries.

    These are ``kernel``, ``torch_host`` and ``onnxruntime_host`` for a native operator, ``torch`` and ``onnxruntime``
    for one that registers itself.

    Raises:
        ToolError: a library cannot be loaded, or a runtime refuses the operator.
    """
    import torch

    context.progress(LOADING)
    subject = Subject(
        context=context,
        contract=contract,
        folder=folder,
        operator=None,
        library=libraries.get("onnxruntime") or libraries.get("onnxruntime_host"),
        options=options or {},
    )
    if "kernel" in libraries:
        _load_native(context, subject, libraries, fault_recorder)
    elif "torch" in libraries:
        _load_torch_library(context, libraries["torch"])
    subject.operator = _find_operator(torch, contract)
    return subject


def _load_native(
    context: WorkerContext, subject: Subject, libraries: Mapping[str, str], recorder_path: str | None
) -> None:
    """Register the operator with both hosts and put its kernel behind it."""
    kernel = load_kernel(libraries["kernel"], context)
    dispatcher, runtime = torch_host(libraries["torch_host"]), onnxruntime_host(libraries["onnxruntime_host"])
    for host in (dispatcher, runtime):
        host.set_kernel(host.register(subject.contract), kernel)
    enter_thread = None
    if recorder_path is not None:
        enter_thread = ctypes.cast(ctypes.CDLL(recorder_path).opstudio_enter_thread, ctypes.c_void_p)
    runtime.set_check_mode(enter_thread)

    def set_guards(outputs: bool, inputs: bool) -> None:  # noqa: FBT001 - mirrors the host's call
        dispatcher.set_check_mode(int(outputs), int(inputs), enter_thread)

    set_guards(True, False)
    subject.set_guards = set_guards
    library = ctypes.CDLL(libraries["kernel"])

    def thrown_from() -> tuple[tuple[str, int], ...]:
        return _thrown_from(library, libraries["kernel"])

    subject.thrown_from = thrown_from


def _thrown_from(library: ctypes.CDLL, path: str) -> tuple[tuple[str, int], ...]:
    """Return where the kernel last threw, as offsets in its library."""
    try:
        recall = library.opstudio_thrown_from
    except AttributeError:
        return ()
    frames = (ctypes.c_uint64 * _MOST_FRAMES)()
    recall.argtypes = [ctypes.POINTER(ctypes.c_uint64), ctypes.c_int]
    count = recall(frames, _MOST_FRAMES)
    mapped = mapped_range(path)
    inside = [int(address) for address in frames[:count] if mapped and mapped[0] <= address < mapped[1]]
    return tuple((path, address - mapped[0]) for address in inside if mapped)


def _load_torch_library(context: WorkerContext, path: str) -> None:
    """Load a library that registers itself.

    Raises:
        ToolError: the loader refuses it.
        OSError: it uses a symbol that nothing defines.
    """
    import torch

    try:
        torch.ops.load_library(path)
    except OSError as error:
        said = str(error.__cause__ or error)
        if UNDEFINED_SYMBOL in said:
            raise OSError(said) from error  # a rule knows more
        raise ToolError.of(
            "The operator library cannot be loaded",
            cause=said,
            fix="Define what is missing, or build it against the PyTorch that runs",
            stage="register",
        ) from error
    context.loaded(path)


def _find_operator(torch: Any, contract: OperatorContract) -> Any | None:
    """Return the operator, or ``None`` where no library registered it; the register stage tells why."""
    return getattr(getattr(torch.ops, contract.domain), contract.name, None)
