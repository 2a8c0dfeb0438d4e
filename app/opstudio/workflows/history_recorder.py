"""Writes what a check found out into the history of the operator: behind its verdict, and never in its way.

What reads evidence knows all stages; it is imported where it is used, when they have been imported anyway.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from opstudio import __version__
from opstudio.base.codec import to_json
from opstudio.base.errors import StudioError
from opstudio.base.hashing import content_address
from opstudio.base.machine import describe_machine
from opstudio.build.compile_flags import kernel_include
from opstudio.checks.check import all_checks
from opstudio.jobs.events import OutputWritten, StageFinished, StageState, Verdict, VerdictReached
from opstudio.jobs.lanes import JobContext
from opstudio.workflows.built_libraries import describe_library
from opstudio.workflows.check_run import CheckRun
from opstudio.workflows.operator_build import own_libraries
from opstudio.workflows.studio import FRAMEWORKS, Studio
from opstudio.workspace.artifact_store import Artifact
from opstudio.workspace.build_history import BuildHistory, HistoryRecord, KernelTime, StageMark
from opstudio.workspace.folder import OperatorFolder
from opstudio.workspace.source_snapshot import Snapshot, joined, snapshot_of, take_snapshot

OUTPUT_SOURCE = "history"
"""Whose output says why a record was not written."""


@dataclass(slots=True)
class HistoryRecorder:
    """Follows one check. Sources are read when it begins: the next save may come before its verdict."""

    studio: Studio
    folder: OperatorFolder
    job: JobContext
    _own: Snapshot = field(init=False)

    def __post_init__(self) -> None:
        self._own = take_snapshot(self.folder.path)

    def keep(self, reached: VerdictReached, stages: Sequence[StageFinished], run: CheckRun | None = None) -> None:
        """Add a record, or amend the newest one where the sources are still the same.

        ``run`` is absent where the contract could not be read. What goes wrong here is said, and nothing more.
        """
        try:
            self._keep(reached, stages, run)
        except (StudioError, OSError, ValueError) as error:
            text = f"The history of {self.folder.name} was not written: {error}\n"
            self.job.emit(OutputWritten(operator=self.folder.name, source=OUTPUT_SOURCE, text=text))

    def _keep(self, reached: VerdictReached, stages: Sequence[StageFinished], run: CheckRun | None) -> None:
        history = BuildHistory(self.studio.workspace.state)
        earlier = history.latest(self.folder.name)
        artifacts = () if run is None else tuple(_artifacts(run))
        snapshot = joined(self._own, self._headers_beside(artifacts, earlier))
        if not _were_built(self.folder.path, artifacts, snapshot):
            return  # saved meanwhile: the check of the newer text is on its way
        record = self._record(reached, stages, run, snapshot, artifacts)
        if earlier is not None and earlier.sources_address == snapshot.address:
            history.amend(_amended(earlier, record))
        else:
            history.add(record, snapshot.contents)

    def _headers_beside(self, artifacts: Sequence[Artifact], earlier: HistoryRecord | None) -> Snapshot:
        """Read the headers of the workspace outside of the folder: those of the build, else those of the last one."""
        folder, workspace = self.folder.path, self.studio.workspace
        if artifacts:
            paths = {Path(path) for artifact in artifacts for path in artifact.record.inputs}
        else:
            paths = {(folder / file.name).resolve() for file in (earlier.sources if earlier is not None else ())}
        others = (
            path
            for path in paths
            if path.is_relative_to(workspace.root)
            and not any(path.is_relative_to(inside) for inside in (folder, workspace.state, kernel_include()))
        )
        return snapshot_of({Path(os.path.relpath(path, folder)).as_posix(): path for path in others})

    def _record(
        self,
        reached: VerdictReached,
        stages: Sequence[StageFinished],
        run: CheckRun | None,
        snapshot: Snapshot,
        artifacts: Sequence[Artifact],
    ) -> HistoryRecord:
        from opstudio.workflows.comparisons import error_figures

        contract = None if run is None else run.operator.contract
        evidence = {} if run is None else {stage.stage: run.evidence(stage.stage) for stage in stages}
        flags = () if contract is None else (*self.studio.workspace.settings.flags, *contract.kernel.flags)
        return HistoryRecord(
            number=0,
            operator=self.folder.name,
            at=reached.at,
            amended_at=reached.at,
            verdict=reached.verdict,
            final=reached.final,
            verdict_seconds=reached.seconds,
            stages=_in_order(_mark(stage, {} if run is None else run.keys) for stage in stages),
            sources=snapshot.files,
            errors=tuple(figure for stage, item in evidence.items() for figure in error_figures(stage, item)),
            kernel_time=_kernel_time(evidence.get("speed")),
            libraries=tuple(describe_library(artifact) for artifact in artifacts),
            contract="" if contract is None else content_address(to_json(contract)),
            flags=flags,
            versions=self._versions(run),
            machine=describe_machine(),
        )

    def _versions(self, run: CheckRun | None) -> dict[str, str]:
        versions = {"opstudio": __version__}
        if run is not None and run.frameworks:
            versions |= {name: run.frameworks[name] for name in ("python", *FRAMEWORKS)}
            versions["compiler"] = self.studio.compiler.version
        return versions


def _artifacts(run: CheckRun) -> Iterator[Artifact]:
    """Yield what the operator's own sources became; its hosts are the studio's."""
    for name, (kind, _) in own_libraries(run.operator.contract).items():
        if (path := run.libraries.get(name)) is not None:
            artifact = run.studio.artifacts.read(kind, path.parent.name)
            if artifact is not None:
                yield artifact


def _were_built(folder: Path, artifacts: Sequence[Artifact], snapshot: Snapshot) -> bool:
    """Whether the sources that were read are those that the compiler read."""
    read = {str((folder / file.name).resolve()): file.address for file in snapshot.files}
    inputs = {str(Path(path).resolve()): address for item in artifacts for path, address in item.record.inputs.items()}
    return all(read[path] == inputs[path] for path in read.keys() & inputs.keys())


def _mark(stage: StageFinished, keys: Mapping[str, str]) -> StageMark:
    return StageMark(
        stage=stage.stage,
        state=stage.state,
        seconds=stage.seconds,
        cached=stage.cached,
        summary=stage.summary,
        key=keys.get(stage.stage, ""),
        findings=tuple(finding.id for finding in stage.findings),
    )


def _in_order(marks: Iterable[StageMark]) -> tuple[StageMark, ...]:
    order = {check.id: check.order for check in all_checks()}
    return tuple(sorted(marks, key=lambda mark: order.get(mark.stage, 0)))


def _kernel_time(evidence: object) -> KernelTime | None:
    from opstudio.checks.stages.speed import OPERATOR, SpeedEvidence

    if not isinstance(evidence, SpeedEvidence):
        return None
    timing = next((item for item in evidence.timings if item.name == OPERATOR), None)
    if timing is None:
        return None
    return KernelTime(
        median=timing.median,
        low=timing.low,
        high=timing.high,
        runs=timing.runs,
        sample=evidence.sample,
        type=evidence.type,
        threads=evidence.threads,
    )


def _amended(earlier: HistoryRecord, later: HistoryRecord) -> HistoryRecord:
    """Return a record with what a later check of the same sources found; stages that it did not run stay."""
    ran = {mark.stage for mark in later.stages}
    stages = _in_order((*later.stages, *(mark for mark in earlier.stages if mark.stage not in ran)))
    is_bad = any(mark.state in (StageState.BAD, StageState.NOT_RUN) for mark in stages)
    return replace(
        later,
        number=earlier.number,
        at=earlier.at,
        amended_at=time.time(),
        verdict=Verdict.BAD if is_bad else later.verdict,
        final=earlier.final or later.final,
        verdict_seconds=earlier.verdict_seconds,
        stages=stages,
        errors=(*later.errors, *(figure for figure in earlier.errors if figure.stage not in ran)),
        kernel_time=later.kernel_time if "speed" in ran else earlier.kernel_time,
        libraries=later.libraries or earlier.libraries,
        versions=later.versions if len(later.versions) > 1 else earlier.versions,
    )
