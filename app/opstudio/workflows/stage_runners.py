"""The stages that do not run inside a check session: the builds, and the reference in a worker of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.build.backends import cuda
from opstudio.build.records import BuildRequest
from opstudio.checks.check import Check
from opstudio.checks.expected import ReferenceEvidence
from opstudio.checks.stages.contract import ContractEvidence
from opstudio.checks.stages.cuda import CudaEvidence
from opstudio.contract.history import breaking_changes, read_history
from opstudio.contract.operator import KernelKind
from opstudio.contract.torch_schema import render_schema
from opstudio.jobs.events import StageState
from opstudio.worker.arrays import remove_abandoned
from opstudio.worker.outcome import Ending
from opstudio.workflows.check_run import CheckRun
from opstudio.workflows.check_session import findings_of, run_in_worker
from opstudio.workflows.operator_build import build_fault_recorder, build_operator
from opstudio.workflows.sanitizers import run_sanitizer
from opstudio.workflows.stage_keys import part_addresses, stage_key
from opstudio.workflows.studio import find_backend
from opstudio.workflows.support_builds import SupportBuilds

_KEPT_ARRAY_FILES = 3
"""Files of expected results that are kept for one operator."""


def run_build(run: CheckRun, check: Check) -> None:
    """Compile the kernel, and the hosts the first time; or take the libraries that the run was given.

    Raises:
        SetupError: a tool is missing.
        CancelledError: the job was cancelled.
    """
    cancel = run.job.cancel

    def write(text: str) -> None:
        run.write_output("build", text)

    def tell(text: str) -> None:
        run.progress(text)
        write(f"{text}\n")

    support = SupportBuilds(tell)

    if run.given is None:
        built = build_operator(run.studio, run.operator, cancel=cancel, on_output=write, support=support)
        record, libraries, identity = built.records[-1], built.libraries, built.identity
        seconds, cached = built.seconds, built.cached
        if not built.succeeded:
            run.finish(check, record, seconds)
            return
    else:
        record, libraries, identity = run.given.record, run.given.libraries, run.given.record.artifact
        seconds, cached = record.seconds, record.cached
    run.fault_recorder = build_fault_recorder(run.studio, cancel=cancel, on_output=write, support=support)
    support.summarize()
    run.libraries.update(libraries)
    run.frameworks = run.studio.frameworks()
    run.parts = part_addresses(
        run.operator,
        kernel=identity,
        frameworks=run.frameworks,
        binds_itself=run.given is not None or run.operator.contract.kernel.kind is KernelKind.RAW,
    )
    run.finish(check, record, seconds, cached=cached)


def run_reference(run: CheckRun, check: Check) -> None:
    """Run the reference on every case, in a worker of its own.

    Raises:
        CancelledError: the job was cancelled.
    """
    start = time.monotonic()
    received: list[dict[str, Any]] = []
    file = f"{run.name}-{stage_key(check, run.parts)}.arrays"
    outcome = run_in_worker(run, "opstudio.checks.expected:run", {"file": file}, received.append)
    evidence = [event["data"] for event in received if event["event"] == "evidence"]
    seconds = time.monotonic() - start
    # Also what an earlier run left that was killed.
    remove_abandoned(run.studio.arrays, f"{run.name}-")
    if outcome.ending is not Ending.FINISHED or not evidence:
        run.finish_broken(check, findings_of(run, check.id, outcome), seconds)
        return
    _tidy_arrays(run.studio.arrays, run.name)
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
