"""The stages that do not run inside a check session: the builds, and the reference in a worker of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.build.backends import (
    cuda,
    fault_recorder,
    native,
    onnxruntime_host,
    raw_onnxruntime,
    raw_torch,
    torch_host,
)
from opstudio.build.records import BuildRecord, BuildRequest
from opstudio.checks.check import Check
from opstudio.checks.expected import ReferenceEvidence
from opstudio.checks.stages.contract import ContractEvidence
from opstudio.checks.stages.cuda import CudaEvidence
from opstudio.contract.history import breaking_changes, read_history
from opstudio.contract.operator import KernelKind, OperatorContract
from opstudio.contract.torch_schema import render_schema
from opstudio.diagnosis.engine import diagnose
from opstudio.jobs.events import StageState
from opstudio.worker.outcome import Ending
from opstudio.workflows.check_run import CheckRun
from opstudio.workflows.check_session import run_in_worker
from opstudio.workflows.sanitizers import run_sanitizer
from opstudio.workflows.stage_keys import part_addresses, stage_key
from opstudio.workflows.studio import find_backend

_KEPT_ARRAY_FILES = 3
"""Files of expected results that are kept for one operator."""


def run_build(run: CheckRun, check: Check) -> None:
    """Compile the kernel, and the hosts the first time.

    Raises:
        SetupError: a tool is missing.
        CancelledError: the job was cancelled.
    """
    start = time.monotonic()
    identities: list[str] = []
    records: list[BuildRecord] = []
    for name, (backend, library) in _own_libraries(run.operator.contract).items():
        result = run.studio.build(
            backend,
            operators=(run.operator,),
            cancel=run.job.cancel,
            on_output=lambda text: run.write_output("build", text),
            needs_torch=name == "torch",
        )
        records.append(result.record)
        if result.artifact is None:
            run.finish(check, result.record, time.monotonic() - start)
            return
        run.libraries[name] = result.artifact.output(library)
        identities.append(result.artifact.identity)
    identities += _build_support(run)
    run.parts = part_addresses(run.operator, kernel=" ".join(identities), frameworks=run.studio.frameworks())
    run.finish(check, records[-1], time.monotonic() - start)


def _own_libraries(contract: OperatorContract) -> dict[str, tuple[str, str]]:
    """Return the libraries that an operator's own sources become: backend and file, by what the session calls them."""
    if contract.kernel.kind is KernelKind.NATIVE:
        return {"kernel": (native.BACKEND.id, native.LIBRARY)}
    libraries = {"torch": (raw_torch.BACKEND.id, raw_torch.LIBRARY)}
    if contract.kernel.onnxruntime:
        libraries["onnxruntime"] = (raw_onnxruntime.BACKEND.id, raw_onnxruntime.LIBRARY)
    return libraries


def _build_support(run: CheckRun) -> list[str]:
    """Build the fault recorder, and for native kernels their hosts; return the identities of the hosts."""
    run.fault_recorder = _support(run, fault_recorder.BACKEND.id, fault_recorder.LIBRARY, needs_torch=False)
    if run.operator.contract.kernel.kind is not KernelKind.NATIVE:
        return []
    run.libraries["torch_host"] = _support(run, torch_host.BACKEND.id, torch_host.LIBRARY, needs_torch=True)
    run.libraries["onnxruntime_host"] = _support(
        run, onnxruntime_host.BACKEND.id, onnxruntime_host.LIBRARY, needs_torch=False
    )
    return [run.libraries[name].parent.name for name in ("torch_host", "onnxruntime_host")]


def _support(run: CheckRun, backend: str, library: str, *, needs_torch: bool) -> Path:
    return run.studio.support_library(
        backend,
        library,
        cancel=run.job.cancel,
        on_output=lambda text: run.write_output("build", text),
        needs_torch=needs_torch,
    )


def run_reference(run: CheckRun, check: Check) -> None:
    """Run the reference on every case, in a worker of its own.

    Raises:
        CancelledError: the job was cancelled.
    """
    start = time.monotonic()
    received: list[dict[str, Any]] = []
    file = f"{run.operator.name}-{stage_key(check, run.parts)}.arrays"
    outcome = run_in_worker(run, "opstudio.checks.expected:run", {"file": file}, received.append)
    evidence = [event["data"] for event in received if event["event"] == "evidence"]
    seconds = time.monotonic() - start
    if outcome.ending is not Ending.FINISHED or not evidence:
        findings = outcome.findings or diagnose(outcome, run.operator.rule_context(check.id))
        run.finish_broken(check, findings, seconds)
        return
    _tidy_arrays(run.studio.arrays, run.operator.name)
    run.finish(check, from_json(ReferenceEvidence, evidence[0]), seconds)


def _tidy_arrays(folder: Path, operator: str) -> None:
    files = sorted(folder.glob(f"{operator}-*.arrays"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in files[_KEPT_ARRAY_FILES:]:
        old.unlink(missing_ok=True)


def run_contract(run: CheckRun, check: Check) -> None:
    """Hold the contract against what was published of it.

    Raises:
        InputError: the history cannot be read.
    """
    start = time.monotonic()
    contract = run.operator.contract
    published = read_history(run.operator.folder.path)
    breaking = [
        change
        for entry in published
        if entry.version == contract.version
        for change in breaking_changes(entry, contract)
    ]
    evidence = ContractEvidence(
        schema=render_schema(contract),
        version=contract.version,
        published=tuple(entry.version for entry in published),
        breaking=tuple(breaking),
    )
    run.finish(check, evidence, time.monotonic() - start)


def run_cuda(run: CheckRun, check: Check) -> None:
    """Compile the CUDA sources, where there is a compiler for them.

    Raises:
        CancelledError: the job was cancelled.
    """
    start = time.monotonic()
    backend = find_backend(cuda.BACKEND.id)
    available = backend.probe(BuildRequest())
    if available.missing:
        run.finish_without(check, StageState.SKIPPED, f"not compiled: {available.missing} is not installed")
        return
    result = run.studio.build(
        cuda.BACKEND.id,
        operators=(run.operator,),
        cancel=run.job.cancel,
        on_output=lambda text: run.write_output("nvcc", text),
    )
    run.finish(check, CudaEvidence(record=result.record), time.monotonic() - start)


STAGE_RUNNERS: Mapping[str, Callable[[CheckRun, Check], None]] = {
    "contract": run_contract,
    "build": run_build,
    "cuda": run_cuda,
    "sanitizer": run_sanitizer,
    "reference": run_reference,
}
