"""The stages that do not run inside a check session: the builds, and the reference in a worker of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.build.backends import fault_recorder, native, onnxruntime_host, torch_host
from opstudio.checks.check import Check
from opstudio.checks.expected import ReferenceEvidence
from opstudio.diagnosis.engine import diagnose
from opstudio.worker.outcome import Ending
from opstudio.workflows.check_run import CheckRun
from opstudio.workflows.check_session import run_in_worker
from opstudio.workflows.stage_keys import part_addresses, stage_key

_KEPT_ARRAY_FILES = 3
"""Files of expected results that are kept for one operator."""


def run_build(run: CheckRun, check: Check) -> None:
    """Compile the kernel, and the hosts the first time.

    Raises:
        SetupError: a tool is missing.
        CancelledError: the job was cancelled.
    """
    start = time.monotonic()
    result = run.studio.build(
        native.BACKEND.id,
        operators=(run.operator,),
        cancel=run.job.cancel,
        on_output=lambda text: run.write_output("build", text),
    )
    if result.artifact is not None:
        run.libraries["kernel"] = result.artifact.output(native.LIBRARY)
        hosts = _build_hosts(run)
        run.parts = part_addresses(
            run.operator, kernel=f"{result.artifact.identity} {hosts}", cuda="", frameworks=run.studio.frameworks()
        )
    run.finish(check, result.record, time.monotonic() - start)


def _build_hosts(run: CheckRun) -> str:
    """Build what serves every native kernel, and return the identity of it."""
    support = {
        "torch_host": (torch_host.BACKEND.id, torch_host.LIBRARY, True),
        "onnxruntime_host": (onnxruntime_host.BACKEND.id, onnxruntime_host.LIBRARY, False),
    }
    for name, (backend, library, needs_torch) in support.items():
        run.libraries[name] = _support(run, backend, library, needs_torch=needs_torch)
    run.fault_recorder = _support(run, fault_recorder.BACKEND.id, fault_recorder.LIBRARY, needs_torch=False)
    return " ".join(path.parent.name for name, path in run.libraries.items() if name != "kernel")


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


STAGE_RUNNERS: Mapping[str, Callable[[CheckRun, Check], None]] = {
    "build": run_build,
    "reference": run_reference,
}
