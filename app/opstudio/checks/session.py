"""The entry point that runs checks in a worker: loads the operator, runs the stages asked for, sends their evidence."""

from __future__ import annotations

import ctypes
import time
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json, to_json
from opstudio.base.errors import ToolError
from opstudio.checks.check import Check, all_checks
from opstudio.checks.expected import Expected, ReferenceEvidence
from opstudio.checks.subject import Subject
from opstudio.contract.operator import OperatorContract
from opstudio.worker.arrays import ArrayFolder
from opstudio.worker.context import WorkerContext, mapped_range
from opstudio.worker.hosts import load_kernel, onnxruntime_host, torch_host

_MOST_FRAMES = 48


LOADING = "load the operator"
"""The progress label of everything before the first stage."""


def run(context: WorkerContext, payload: dict[str, Any]) -> None:
    """Worker entry point.

    ``payload``: ``contract``; ``folder`` of the operator; ``stages`` to run; ``threads``; ``libraries`` by name
    (``kernel``, ``torch_host``, ``onnxruntime_host`` for a native operator, ``torch``, ``onnxruntime`` for one that
    registers itself); ``fault_recorder``; ``arrays`` (folder), ``reference`` (evidence of that stage, or ``None``) and
    ``options`` for single checks.
    """
    import torch

    torch.set_num_threads(int(payload["threads"]))
    checks = {check.id: check for check in all_checks()}
    subject = _load_subject(context, payload)
    if payload.get("reference") is not None:
        evidence = from_json(ReferenceEvidence, payload["reference"])
        subject.expected = Expected(evidence, ArrayFolder(Path(payload["arrays"])))
    failed: set[str] = set()
    for stage in payload["stages"]:
        check = checks[stage]
        if subject.operator is None and stage != "register":
            failed.add(stage)
            context.emit("stage_skipped", stage=stage, reason="the operator is not registered")
        elif unmet := [need for need in check.needs if need in failed]:
            failed.add(stage)
            context.emit("stage_skipped", stage=stage, reason=f"{unmet[0]} is not good")
        elif not _run_stage(subject, check):
            failed.add(stage)


def _run_stage(subject: Subject, check: Check) -> bool:
    """Run a stage, send its evidence and return whether it is good."""
    assert check.run is not None
    subject.context.progress(check.id)
    subject.context.emit("stage_started", stage=check.id)
    start = time.perf_counter()
    evidence = check.run(subject)
    subject.options = {**subject.options, check.id: to_json(evidence)}
    subject.context.emit("evidence", stage=check.id, seconds=time.perf_counter() - start, data=evidence)
    good: bool = evidence.good
    return good


def _load_subject(context: WorkerContext, payload: dict[str, Any]) -> Subject:
    import torch

    contract = from_json(OperatorContract, payload["contract"])
    libraries: dict[str, str] = payload["libraries"]
    context.progress(LOADING)
    subject = Subject(
        context=context,
        contract=contract,
        folder=Path(payload["folder"]),
        operator=None,
        library=libraries.get("onnxruntime") or libraries.get("onnxruntime_host"),
        options=payload.get("options", {}),
    )
    if "kernel" in libraries:
        _load_native(context, subject, libraries, payload.get("fault_recorder"))
    elif "torch" in libraries:
        _load_torch_library(context, libraries["torch"])
    subject.operator = _find_operator(torch, contract)
    return subject


def _load_native(
    context: WorkerContext, subject: Subject, libraries: dict[str, str], recorder_path: str | None
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
    import torch

    try:
        torch.ops.load_library(path)
    except OSError as error:
        raise ToolError.of(
            "The operator library cannot be loaded",
            cause=str(error.__cause__ or error),
            fix="Define what is missing, or build it against the PyTorch that runs",
            stage="register",
        ) from error
    context.loaded(path)


def _find_operator(torch: Any, contract: OperatorContract) -> Any | None:
    """Return the operator, or ``None`` where no library registered it; the register stage tells why."""
    return getattr(getattr(torch.ops, contract.domain), contract.name, None)
