"""Events of the loop, made by hand."""

from __future__ import annotations

from opstudio.base.finding import Finding, Place, Severity
from opstudio.jobs.events import (
    JobEvent,
    JobFinished,
    JobOutcome,
    JobStarted,
    OutputWritten,
    StageFinished,
    StageStarted,
    StageState,
    Verdict,
    VerdictReached,
)

OPERATOR = "relu6_scale"
AT = 100.0
"""When all of it happens, in seconds since 1970."""


def a_finding(
    finding_id: str = "NUM012",
    *,
    line: int | None = 8,
    file: str = "relu6_scale/relu6_scale.cpp",
    severity: Severity = Severity.ERROR,
    title: str = "Values differ from the reference",
) -> Finding:
    return Finding(
        id=finding_id,
        stage="value",
        severity=severity,
        title=title,
        cause="12 of 64 elements differ",
        fix="Compute the element by hand",
        places=() if line is None else (Place(file=file, line=line),),
    )


def started(operator: str = OPERATOR) -> JobStarted:
    return JobStarted(job=1, key=operator, title=f"check {operator}", at=AT)


def stage_started(stage: str, operator: str = OPERATOR, *, at: float = AT) -> StageStarted:
    return StageStarted(operator=operator, stage=stage, at=at)


def stage_finished(  # noqa: PLR0913 - what tests vary
    stage: str,
    operator: str = OPERATOR,
    *,
    state: StageState = StageState.GOOD,
    seconds: float = 0.02,
    cached: bool = False,
    findings: tuple[Finding, ...] = (),
    summary: str = "12 cases",
) -> StageFinished:
    return StageFinished(
        operator=operator,
        stage=stage,
        state=state,
        seconds=seconds,
        cached=cached,
        findings=findings,
        summary=summary,
    )


def bad_stage(stage: str, *findings: Finding, operator: str = OPERATOR) -> StageFinished:
    return stage_finished(stage, operator, state=StageState.BAD, findings=findings or (a_finding(),))


def verdict(
    value: Verdict = Verdict.GOOD, operator: str = OPERATOR, *, seconds: float = 0.4, final: bool = True
) -> VerdictReached:
    return VerdictReached(operator=operator, verdict=value, seconds=seconds, final=final, at=AT)


def finished(outcome: JobOutcome = JobOutcome.SUCCEEDED, *findings: Finding, operator: str = OPERATOR) -> JobFinished:
    return JobFinished(job=1, key=operator, outcome=outcome, seconds=1.0, findings=findings)


def output(text: str, operator: str = OPERATOR, source: str = "build") -> OutputWritten:
    return OutputWritten(operator=operator, source=source, text=text, at=AT)


def good_run(operator: str = OPERATOR, *stages: str) -> list[JobEvent]:
    events: list[JobEvent] = [started(operator)]
    for stage in stages or ("build", "value"):
        events += [stage_started(stage, operator), stage_finished(stage, operator)]
    return [*events, verdict(operator=operator), finished(operator=operator)]


def bad_run(*findings: Finding, operator: str = OPERATOR) -> list[JobEvent]:
    return [
        started(operator),
        stage_finished("build", operator),
        bad_stage("value", *findings, operator=operator),
        verdict(Verdict.BAD, operator),
        finished(operator=operator),
    ]
