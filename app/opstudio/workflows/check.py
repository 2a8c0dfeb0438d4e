"""The loop, once: build an operator, run its stages, reach a verdict; then the slow stages, which may amend it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.base.names import did_you_mean
from opstudio.checks.check import Check, Pace, all_checks
from opstudio.jobs.events import StageFinished, StageState, Verdict, VerdictReached
from opstudio.jobs.lanes import JobContext
from opstudio.workflows.check_run import CheckRun, FinishedLibraries
from opstudio.workflows.check_session import run_session
from opstudio.workflows.history_recorder import HistoryRecorder
from opstudio.workflows.operators import load_operator
from opstudio.workflows.stage_runners import STAGE_RUNNERS
from opstudio.workflows.studio import Studio
from opstudio.workspace.folder import OperatorFolder

CONTRACT_STAGE = "contract"
_GROUND = ("contract", "build", "reference")
"""Stages that every other one stands on; they run, or are found to hold, even when others are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """Which stages to run. ``only`` names some, ``skip`` leaves some out, ``fresh`` runs all whatever is known."""

    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    fresh: bool = False

    def __post_init__(self) -> None:
        """Refuse names that are no stages, and to leave out what makes the libraries.

        Raises:
            InputError: a name is unknown, or cannot be left out.
        """
        known = [check.id for check in all_checks()]
        for name in (*self.only, *self.skip):
            if name not in known:
                raise InputError.of(
                    f"There is no stage {name}", cause=did_you_mean(name, known), fix="Correct the name", stage="check"
                )
        if "build" in self.skip:
            raise InputError.of(
                "The build cannot be left out",
                cause="every other stage runs what it makes; where nothing changed it costs nothing",
                fix="Leave build out of --skip",
                stage="check",
            )

    @classmethod
    def of(cls, *, only: str = "", skip: str = "", fresh: bool = False) -> Self:
        """Return options from names joined by commas.

        Raises:
            InputError: a name is unknown.
        """
        return cls(only=_names(only), skip=_names(skip), fresh=fresh)

    def wants(self, check: Check) -> bool:
        """Whether a stage is to run."""
        if check.id in self.skip:
            return False
        if not self.only or check.id in self.only or check.id in _GROUND:
            return True
        # What a stage cannot run without comes with it.
        return any(check.id in other.uses for other in all_checks() if other.id in self.only)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorReport:
    """All that a check found out about an operator. ``readable`` is false where the contract itself is wrong."""

    name: str
    domain: str
    verdict: Verdict
    stages: tuple[StageFinished, ...]
    seconds: float
    readable: bool = True

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all stages."""
        return tuple(finding for stage in self.stages for finding in stage.findings)


def check_operator(
    studio: Studio,
    folder: OperatorFolder,
    options: CheckOptions,
    job: JobContext,
    given: FinishedLibraries | None = None,
) -> OperatorReport:
    """Run the loop on one operator, or on finished libraries of it.

    Raises:
        SetupError: a tool or framework is missing, or the workspace cannot be written.
        CancelledError: the job was cancelled; what had ended by then is kept.
    """
    start = time.monotonic()
    # The history is that of the operator as it is developed.
    recorder = HistoryRecorder(studio, folder, job) if given is None else None
    try:
        operator = load_operator(studio.workspace, folder)
    except InputError as error:
        return _report_unreadable(folder.name, error.findings, time.monotonic() - start, job, recorder)
    run = CheckRun(studio, operator, job, given)
    wanted = [check for check in all_checks() if options.wants(check)]
    slow = [check for check in wanted if check.pace is Pace.SLOW]
    _run_stages(run, [check for check in wanted if check.pace is Pace.FAST], options)
    _announce(run, slow, time.monotonic() - start, recorder)
    if slow:
        _run_stages(run, slow, options)
        _announce(run, (), time.monotonic() - start, recorder)
    order = {check.id: check.order for check in all_checks()}
    return OperatorReport(
        name=run.name,
        domain=operator.contract.domain,
        verdict=run.verdict(),
        stages=tuple(sorted(run.finished.values(), key=lambda stage: order[stage.stage])),
        seconds=time.monotonic() - start,
    )


def _report_unreadable(
    name: str, findings: tuple[Finding, ...], seconds: float, job: JobContext, recorder: HistoryRecorder | None
) -> OperatorReport:
    stage = StageFinished(
        operator=name,
        stage=CONTRACT_STAGE,
        state=StageState.BAD,
        seconds=seconds,
        summary=findings[0].title,
        findings=findings,
    )
    job.emit(stage)
    reached = VerdictReached(operator=name, verdict=Verdict.BAD, seconds=seconds, final=True)
    job.emit(reached)
    if recorder is not None:
        recorder.keep(reached, (stage,))
    return OperatorReport(name=name, domain="", verdict=Verdict.BAD, stages=(stage,), seconds=seconds, readable=False)


def _run_stages(run: CheckRun, checks: Sequence[Check], options: CheckOptions) -> None:
    """Run stages in their order; neighbours that run in a worker share one session."""
    session: list[Check] = []
    for check in checks:
        if check.run is None and session:
            run_session(run, session)
            session = []
        run.job.cancel.check()
        if not _is_due(run, check, options):
            continue
        if check.run is not None:
            session.append(check)
        else:
            _run_own(run, check)
    if session:
        run_session(run, session)


def _is_due(run: CheckRun, check: Check, options: CheckOptions) -> bool:
    """Whether a stage must run; one that need not is ended here."""
    if reason := check.applies(run.operator.contract):
        run.finish_without(check, StageState.SKIPPED, reason)
    elif left_out := [used for used in check.uses if used in options.skip]:
        run.finish_without(check, StageState.SKIPPED, f"{left_out[0]} was left out")
    elif reason := run.unmet_need(check):
        run.finish_without(check, StageState.NOT_RUN, reason)
    else:
        return options.fresh or not run.parts or not run.reuse(check)
    return False


def _run_own(run: CheckRun, check: Check) -> None:
    run.start(check.id)
    start = time.monotonic()
    try:
        STAGE_RUNNERS[check.id](run, check)
    except InputError as error:
        run.finish_broken(check, error.findings, time.monotonic() - start)


def _announce(run: CheckRun, pending: Sequence[Check], seconds: float, recorder: HistoryRecorder | None) -> None:
    reached = VerdictReached(operator=run.name, verdict=run.verdict(pending), seconds=seconds, final=not pending)
    run.job.emit(reached)
    if recorder is not None:
        recorder.keep(reached, tuple(run.finished.values()), run)
