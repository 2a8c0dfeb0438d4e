"""One pass over the stages of one operator: what has ended, what it rests on, and how results are kept and told."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json, to_json
from opstudio.base.finding import Finding, Severity
from opstudio.base.hashing import content_address
from opstudio.build.records import BuildRecord
from opstudio.checks.check import Check, Part
from opstudio.diagnosis.engine import diagnose
from opstudio.jobs.events import OutputWritten, Progressed, StageFinished, StageStarted, StageState, Verdict
from opstudio.jobs.lanes import JobContext
from opstudio.workflows.operators import LoadedOperator
from opstudio.workflows.stage_keys import stage_key
from opstudio.workflows.studio import Studio
from opstudio.workspace.result_store import StageResult


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedLibraries:
    """Libraries that were built before a run, such as those of a release, and what is judged in their place.

    ``label`` tells them from the operator as it is developed: in events, and among kept results.
    """

    label: str
    libraries: Mapping[str, Path]
    record: BuildRecord


class CheckRun:
    """What the stages of one run share. The loop decides what runs; runners and sessions report here."""

    def __init__(
        self, studio: Studio, operator: LoadedOperator, job: JobContext, given: FinishedLibraries | None = None
    ) -> None:
        self.studio = studio
        self.operator = operator
        self.job = job
        self.given = given
        self.name = operator.name if given is None else f"{operator.name}@{given.label}"
        """What events and kept results call the operator of this run."""
        self.libraries: dict[str, Path] = {}
        """The libraries of the operator and of its hosts, by the names that the check session knows."""
        self.fault_recorder: Path | None = None
        self.parts: Mapping[Part, str] = {}
        """What results of this run depend on; empty before the build."""
        self.frameworks: Mapping[str, str] = {}
        """The versions that results of this run depend on; empty before the build."""
        self.finished: dict[str, StageFinished] = {}
        self.keys: dict[str, str] = {}
        """By stage the key under which its result is kept, where it is."""
        self.has_crashed = False
        """Whether a signal ended a worker in the midst of a stage."""
        self._evidence: dict[str, Any] = {}

    def evidence(self, stage: str) -> Any | None:
        """Return the evidence of a stage that ended in this run, from the store or freshly made."""
        return self._evidence.get(stage)

    def write_output(self, source: str, text: str) -> None:
        """Hand on what a tool or a worker printed."""
        self.job.emit(OutputWritten(operator=self.name, source=source, text=text))

    def start(self, stage: str) -> None:
        """Tell that a stage begins."""
        self.job.emit(StageStarted(operator=self.name, stage=stage))

    def progress(self, label: str) -> None:
        """Tell of something that takes long and is no stage."""
        self.job.emit(Progressed(label=label, operator=self.name))

    def finish(self, check: Check, evidence: Any, seconds: float, *, cached: bool = False) -> None:
        """End a stage with its evidence: the rules look at it, it is kept, it is told.

        ``cached`` says that the stage found done what it has to do.

        Raises:
            SetupError: the workspace cannot be written.
        """
        findings = diagnose(evidence, self.operator.rule_context(check.id))
        bad = any(finding.severity is Severity.ERROR for finding in findings)
        state = StageState.BAD if bad else StageState.GOOD
        summary = findings[0].title if bad else evidence.summary
        self._evidence[check.id] = evidence
        if key := self._key(check, evidence):
            self.keys[check.id] = key
            self.studio.results.put(
                StageResult(
                    operator=self.name,
                    stage=check.id,
                    key=key,
                    state=state,
                    seconds=seconds,
                    at=time.time(),
                    summary=summary,
                    findings=findings,
                    evidence=to_json(evidence),
                )
            )
        self._tell(check, state, seconds, summary, findings, cached=cached)

    def finish_broken(self, check: Check, findings: tuple[Finding, ...], seconds: float) -> None:
        """End a stage that was broken off, or whose end proved wrong; nothing is kept, so that it runs again."""
        if key := self.keys.pop(check.id, ""):
            self.studio.results.forget(self.name, check.id, key)
        self._tell(check, StageState.BAD, seconds, findings[0].title, findings)

    def finish_without(self, check: Check, state: StageState, reason: str) -> None:
        """End a stage that did not run."""
        self._tell(check, state, 0.0, reason, ())

    def reuse(self, check: Check) -> bool:
        """End a stage with its known result, if everything it looked at is the same; return whether it is."""
        key = stage_key(check, self.parts)
        known = self.studio.results.find(self.name, check.id, key)
        if known is None:
            return False
        evidence = from_json(check.evidence, known.evidence)
        # What a result points to may have been tidied away.
        if not all((self.studio.arrays / name).is_file() for name in getattr(evidence, "array_files", ())):
            return False
        self._evidence[check.id] = evidence
        self.keys[check.id] = key
        self.studio.results.touch(known)
        self._tell(check, known.state, known.seconds, known.summary, known.findings, cached=True)
        return True

    def unmet_need(self, check: Check) -> str:
        """Return why a stage cannot run, or an empty text."""
        # What runs in a session runs what the build makes, also where the stages between are left out.
        built = () if check.run is None else ("build",)
        needs = () if self.has_crashed and check.explains_crashes else check.needs
        for need in (*built, *check.uses, *needs):
            stage = self.finished.get(need)
            if stage is not None and stage.state not in (StageState.GOOD, StageState.SKIPPED):
                return f"{need} is not good"
        return ""

    def verdict(self, pending: Iterable[Check] = ()) -> Verdict:
        """Sum up all stages; those still to run count where their result is known for these very sources.

        What a stage found in other sources says nothing of these: it may be what was mended just now.
        """
        states = [stage.state for stage in self.finished.values()]
        for check in pending:
            if self.parts and not check.applies(self.operator.contract):
                known = self.studio.results.find(self.name, check.id, stage_key(check, self.parts))
                states += [] if known is None else [known.state]
        return Verdict.BAD if {StageState.BAD, StageState.NOT_RUN} & set(states) else Verdict.GOOD

    def _key(self, check: Check, evidence: Any) -> str:
        """Return the key under which a result is kept; empty where there is nothing to find it by."""
        if self.parts:
            return stage_key(check, self.parts)
        # A build that failed has no address. It is kept to be looked at, and is never found in place of a new one.
        return f"failed-{content_address(to_json(evidence))}" if isinstance(evidence, BuildRecord) else ""

    def _tell(
        self,
        check: Check,
        state: StageState,
        seconds: float,
        summary: str,
        findings: tuple[Finding, ...],
        *,
        cached: bool = False,
    ) -> None:
        event = StageFinished(
            operator=self.name,
            stage=check.id,
            state=state,
            seconds=seconds,
            cached=cached,
            summary=summary,
            findings=findings,
        )
        self.finished[check.id] = event
        self.job.emit(event)
