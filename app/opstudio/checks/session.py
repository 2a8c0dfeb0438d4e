"""The entry point that runs checks in a worker: loads the operator, runs the stages asked for, sends their evidence."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json, to_json
from opstudio.checks.check import Check, all_checks
from opstudio.checks.expected import Expected, ReferenceEvidence
from opstudio.checks.loading import load_subject
from opstudio.checks.subject import Subject
from opstudio.contract.operator import OperatorContract
from opstudio.worker.arrays import ArrayFolder
from opstudio.worker.context import WorkerContext


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
    subject = load_subject(
        context,
        from_json(OperatorContract, payload["contract"]),
        Path(payload["folder"]),
        payload["libraries"],
        fault_recorder=payload.get("fault_recorder"),
        options=payload.get("options"),
    )
    if payload.get("reference") is not None:
        evidence = from_json(ReferenceEvidence, payload["reference"])
        subject.expected = Expected(evidence, ArrayFolder(Path(payload["arrays"])))
    failed: set[str] = set()
    for stage in payload["stages"]:
        check = checks[stage]
        if subject.operator is None and stage != "register":
            failed.add(stage)
            context.emit("stage_skipped", stage=stage, reason="the operator is not registered")
        elif unmet := [need for need in (*check.uses, *check.needs) if need in failed]:
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
