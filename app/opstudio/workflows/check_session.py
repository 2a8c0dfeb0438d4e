"""Runs stages in a worker, and turns what comes back into the ends of stages."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from opstudio.base.codec import from_json, to_json
from opstudio.base.errors import SetupError
from opstudio.base.finding import Finding
from opstudio.checks.check import Check, all_checks
from opstudio.checks.loading import LOADING
from opstudio.diagnosis.engine import UNEXPLAINED, diagnose
from opstudio.jobs.events import StageState
from opstudio.worker.monitor import Limits, Listener
from opstudio.worker.outcome import Ending, Outcome
from opstudio.worker.protocol import ProtocolError
from opstudio.worker.request import Request
from opstudio.workflows.check_run import CheckRun
from opstudio.workflows.operators import relative_finding
from opstudio.workflows.studio import worker_threads

_COLD_FACTOR = 3.0
"""A worker that was not warmed up imports and compiles during its first calls."""
_SLACK_FACTOR = 5.0
"""A stage may be silent for this many times its last good run."""
_LOAD_SECONDS = 10.0
"""What is no stage, such as loading libraries, may be silent for so long."""


def run_session(run: CheckRun, checks: Sequence[Check]) -> None:
    """Run stages in one worker, one after another.

    Raises:
        SetupError: what was built for this run is gone.
        CancelledError: the job was cancelled.
    """
    if gone := next((path for path in run.libraries.values() if not path.exists()), None):
        raise SetupError.of(
            "Files of the build are gone",
            cause=f"{gone} was removed while the checks ran",
            fix="Run the check again: what is missing is built anew",
        )
    session = _Session(run, checks)
    payload = {
        "libraries": {name: str(path) for name, path in run.libraries.items()},
        "stages": [check.id for check in checks],
        "reference": None if (evidence := run.evidence("reference")) is None else to_json(evidence),
        "options": _check_options(run),
    }
    outcome = run_in_worker(run, "opstudio.checks.session:run", payload, session.take)
    if outcome.ending is not Ending.FINISHED:
        session.break_off(outcome)
    session.close()


def run_in_worker(run: CheckRun, entry: str, payload: Mapping[str, Any], on_event: Any) -> Outcome:
    """Run an entry point on the operator; what every entry point needs to know is added to the payload.

    Raises:
        SetupError: the worker cannot be started.
        CancelledError: the job was cancelled.
    """
    run.studio.confirm_frameworks()
    recorder = None if run.fault_recorder is None else str(run.fault_recorder)
    common = {
        "contract": to_json(run.operator.contract),
        "folder": str(run.operator.folder.path),
        "threads": worker_threads(),
        "arrays": str(run.studio.arrays),
        "fault_recorder": recorder,
    }
    return run.studio.workers.run(
        Request(entry=entry, payload={**common, **payload}, limits=_limits(run), fault_recorder=recorder),
        cancel=run.job.cancel,
        listener=Listener(on_event, lambda text: run.write_output("worker", text)),
    )


def findings_of(run: CheckRun, stage: str, outcome: Outcome) -> tuple[Finding, ...]:
    """Return what is to be told of a worker that broke off: what the rules say, else what it said itself."""
    told = diagnose(outcome, run.operator.rule_context(stage))
    if outcome.findings and all(finding.id == UNEXPLAINED for finding in told):
        return tuple(relative_finding(finding, run.studio.workspace) for finding in outcome.findings)
    return told


def _limits(run: CheckRun) -> Limits:
    settings = run.studio.workspace.settings
    base = settings.quiet_seconds * (1.0 if run.studio.is_warm and run.studio.workers.is_warm else _COLD_FACTOR)
    allowed: dict[str, float] = {}
    for check in all_checks():
        last = run.studio.results.latest(run.name, check.id)
        earlier = last.seconds * _SLACK_FACTOR if last is not None and last.state is StageState.GOOD else 0.0
        allowed[check.id] = max(base, check.quiet_seconds, earlier)
    return Limits(
        memory_bytes=settings.memory_bytes,
        quiet_seconds=lambda label: allowed.get(label.partition(":")[0], max(base, _LOAD_SECONDS)),
    )


def _check_options(run: CheckRun) -> dict[str, Any]:
    """Return what single checks need of the results of others."""
    options: dict[str, Any] = {"exports": str(run.studio.workspace.state / "exports" / run.name)}
    if (export := run.evidence("export")) is not None:
        options["export"] = to_json(export)
    return options


class _Session:
    """Follows the events of one worker session."""

    def __init__(self, run: CheckRun, checks: Sequence[Check]) -> None:
        self._run = run
        self._pending = {check.id: check for check in checks}
        self._current: Check | None = None
        self._last: Check | None = None
        self._since = time.monotonic()

    def take(self, event: dict[str, Any]) -> None:
        """Handle one event of the worker.

        Raises:
            ProtocolError: it is about a stage that is not to be run, or has ended.
        """
        match event["event"]:
            case "stage_started":
                self._current = self._pending_stage(event)
                self._since = time.monotonic()
                self._run.start(event["stage"])
            case "stage_skipped":
                check = self._pending_stage(event)
                del self._pending[check.id]
                self._run.finish_without(check, StageState.NOT_RUN, event["reason"])
            case "evidence":
                check = self._pending_stage(event)
                del self._pending[check.id]
                self._current, self._last = None, check
                self._run.finish(check, from_json(check.evidence, event["data"]), event["seconds"])

    def _pending_stage(self, event: dict[str, Any]) -> Check:
        check = self._pending.get(event["stage"])
        if check is None:
            message = f"{event['event']} of {event['stage']}, which is not to be run now"
            raise ProtocolError(message)
        return check

    def break_off(self, outcome: Outcome) -> None:
        """End the stage that ran when the worker ended; where all had ended, the last one was told too early."""
        check = self._current or (self._loading_stage(outcome) if self._pending else self._last)
        if check is None:
            return
        if self._current is None:
            self._run.start(check.id)
        self._pending.pop(check.id, None)
        findings = findings_of(self._run, check.id, outcome)
        self._run.has_crashed |= outcome.ending is Ending.CRASHED
        self._run.finish_broken(check, findings, time.monotonic() - self._since)

    def _loading_stage(self, outcome: Outcome) -> Check:
        """Return the stage that a worker which ended between stages belongs to: loading is part of registering."""
        if outcome.label == LOADING:
            return next(check for check in all_checks() if check.id == "register")
        return next(iter(self._pending.values()))

    def close(self) -> None:
        """End the stages that never started."""
        for check in self._pending.values():
            self._run.finish_without(check, StageState.NOT_RUN, "the worker ended before")
