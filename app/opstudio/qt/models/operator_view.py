"""What the window shows of an operator, and how each event changes it. Plain records; the last result always stays."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from opstudio.base.finding import Finding, Severity
from opstudio.jobs.events import (
    JobFinished,
    JobOutcome,
    Progressed,
    StageFinished,
    StageStarted,
    StageState,
    Verdict,
    VerdictReached,
)
from opstudio.workspace.result_store import StageResult


class Activity(enum.Enum):
    """What goes on with an operator."""

    IDLE = enum.auto()
    WAITING = enum.auto()
    RUNNING = enum.auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class StageView:
    """A stage: its last result, and whether it runs now.

    ``state`` is ``None`` where there is no result. ``stale`` results are from before the present run. ``since`` is when
    the stage began, in seconds since 1970, while it runs.
    """

    stage: str
    state: StageState | None = None
    seconds: float = 0.0
    cached: bool = False
    summary: str = ""
    findings: tuple[Finding, ...] = ()
    stale: bool = False
    since: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFinding:
    """A finding with what the window knows of it."""

    finding: Finding
    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorView:
    """An operator: its stages, its verdict and what goes on.

    ``seconds`` is the time to the verdict. ``has_verdict`` tells whether the verdict is of the present run, not of an
    earlier one; ``is_final`` whether the slow stages were run as well. ``problems`` say why a check could not be done.
    """

    name: str
    activity: Activity = Activity.IDLE
    stages: Mapping[str, StageView] = field(default_factory=lambda: MappingProxyType({}))
    verdict: Verdict | None = None
    seconds: float | None = None
    has_verdict: bool = False
    is_final: bool = False
    is_cancelled: bool = False
    progress: str = ""
    """What the check waits for, where that is more than a stage; as the loop tells it, in English."""
    progress_since: float | None = None
    """When that began, in seconds since 1970."""
    problems: tuple[Finding, ...] = ()

    @property
    def running_stage(self) -> StageView | None:
        """The stage that runs now."""
        return next((stage for stage in self.stages.values() if stage.since is not None), None)

    def first_bad_stage(self, order: Sequence[str]) -> str:
        """Return the first stage, in their order, that is bad in the present run; an empty text where none is."""
        stages = (self.stages.get(name) for name in order)
        bad = (stage.stage for stage in stages if stage and stage.state is StageState.BAD and not stage.stale)
        return next(bad, "")

    def findings(self, order: Sequence[str] = ()) -> Iterator[ShownFinding]:
        """Yield all findings: why it could not be checked, then those of the stages in their order."""
        for problem in self.problems:
            yield ShownFinding(finding=problem, stale=self.activity is Activity.RUNNING)
        places = {stage: place for place, stage in enumerate(order)}
        for stage in sorted(self.stages.values(), key=lambda stage: places.get(stage.stage, -1)):
            for finding in stage.findings:
                yield ShownFinding(finding=finding, stale=stage.stale)

    @property
    def first_id(self) -> str:
        """The id of the first finding that makes the verdict bad, or an empty text."""
        found = (shown.finding for shown in self.findings())
        return next((finding.id for finding in found if finding.severity is Severity.ERROR), "")


def request(view: OperatorView) -> OperatorView:
    """A check was queued."""
    return view if view.activity is Activity.RUNNING else replace(view, activity=Activity.WAITING)


def begin(view: OperatorView) -> OperatorView:
    """A check began: what is known stays, as of an earlier run."""
    stages = {name: replace(stage, stale=True, since=None) for name, stage in view.stages.items()}
    return replace(
        view,
        activity=Activity.RUNNING,
        stages=MappingProxyType(stages),
        has_verdict=False,
        is_final=False,
        is_cancelled=False,
        progress="",
        progress_since=None,
    )


def take(view: OperatorView, event: StageStarted | StageFinished | VerdictReached | Progressed) -> OperatorView:
    """Apply what happened to an operator."""
    match event:
        case Progressed():
            # One wait after another is one wait for the person.
            return replace(view, progress=event.label, progress_since=view.progress_since or event.at)
        case StageStarted():
            stage = view.stages.get(event.stage, StageView(stage=event.stage, stale=True))
            return _with_stage(view, replace(stage, since=event.at))
        case StageFinished():
            ended = StageView(
                stage=event.stage,
                state=event.state,
                seconds=event.seconds,
                cached=event.cached,
                summary=event.summary,
                findings=event.findings,
            )
            return replace(_with_stage(view, ended), problems=(), progress="", progress_since=None)
        case VerdictReached():
            # The time to the verdict is that of the first one of a run; the slow stages only amend it.
            seconds = view.seconds if view.has_verdict else event.seconds
            return replace(view, verdict=event.verdict, seconds=seconds, has_verdict=True, is_final=event.final)


def end(view: OperatorView, event: JobFinished) -> OperatorView:
    """A check ended, however."""
    stages = {name: replace(stage, since=None) for name, stage in view.stages.items() if _is_worth_keeping(stage)}
    return replace(
        view,
        activity=Activity.IDLE,
        stages=MappingProxyType(stages),
        is_cancelled=event.outcome is JobOutcome.CANCELLED,
        progress="",
        progress_since=None,
        problems=event.findings if event.outcome is JobOutcome.FAILED else (),
    )


def recall(view: OperatorView, results: Sequence[StageResult]) -> OperatorView:
    """Show results of earlier sessions where this one has none yet."""
    if view.stages or not results:
        return view
    stages = {
        result.stage: StageView(
            stage=result.stage,
            state=result.state,
            seconds=result.seconds,
            cached=True,
            summary=result.summary,
            findings=result.findings,
            stale=True,
        )
        for result in results
    }
    return replace(view, stages=MappingProxyType(stages))


def _with_stage(view: OperatorView, stage: StageView) -> OperatorView:
    return replace(view, stages=MappingProxyType({**view.stages, stage.stage: stage}))


def _is_worth_keeping(stage: StageView) -> bool:
    """Whether anything is known of a stage, beside that it was running when the check ended."""
    return stage.state is not None
