"""What every export on request begins with: its operators built, one worker asked, and why it ended early told."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from opstudio.base.codec import to_json
from opstudio.base.errors import InputError, StudioError, ToolError
from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.engine import diagnose
from opstudio.diagnosis.exports import OPSETS
from opstudio.jobs.events import OutputWritten
from opstudio.jobs.lanes import JobContext
from opstudio.model.export_request import Exporter, ExportRequest
from opstudio.worker.monitor import Limits, Listener
from opstudio.worker.outcome import Ending, Outcome
from opstudio.worker.request import Request
from opstudio.workflows.operator_build import BuiltOperator, build_fault_recorder, build_operator
from opstudio.workflows.operators import LoadedOperator, load_operator
from opstudio.workflows.studio import Studio
from opstudio.workspace.trust import workspace_around

STAGE = "export"
_OPSETS = {Exporter.DYNAMO: (7, 25), Exporter.TORCHSCRIPT: (7, 20)}
"""The first and the last opset that each exporter writes of some model; of most, dynamo begins at 18."""
QUIET_SECONDS = 300.0
"""Exporters are silent while they work, on large models for minutes."""

Built = Sequence[tuple[LoadedOperator, BuiltOperator]]


class ExportPreparation:
    """An operator of the workspace, or a factory that may call any of them, before it is exported."""

    def __init__(
        self,
        studio: Studio,
        operators: Sequence[LoadedOperator],
        factory: tuple[Path, str] | None,
        job: JobContext,
        unread: dict[str, str] | None = None,
    ) -> None:
        self.studio = studio
        self.operators = operators
        self.factory = factory
        self.job = job
        self._absent = {name: f"its contract is wrong: {cause}" for name, cause in (unread or {}).items()}

    @classmethod
    def of_factory(cls, studio: Studio, file: Path, factory: str, job: JobContext) -> ExportPreparation:
        """Prepare what a factory of a file makes, with all operators of the workspace.

        Raises:
            InputError: there is no such file.
            UntrustedError: the file lies in another workspace, which is not trusted.
        """
        if not file.is_file():
            raise InputError.of(
                f"{file} is not there",
                cause="the model is named as FILE.py:FACTORY, or as an operator of the workspace",
                fix="Correct the path",
                stage=STAGE,
                place=Place(file=str(file)),
            )
        if (around := workspace_around(file)) is not None:
            studio.trust.require(around)
        operators: list[LoadedOperator] = []
        unread: dict[str, str] = {}
        for folder in studio.workspace.operators():
            try:
                operators.append(load_operator(studio.workspace, folder))
            except InputError as error:
                unread[folder.name] = error.findings[0].cause
        return cls(studio, operators, (file.resolve(), factory), job, unread)

    @property
    def folder(self) -> Path:
        """The folder whose lines are the person's."""
        return self.operators[0].folder.path if self.factory is None else self.factory[0].parent

    def build(self) -> Built:
        """Build the operators.

        Raises:
            ToolError: the only one does not build.
            SetupError: a tool is missing.
            CancelledError: the job was cancelled.
        """
        built: list[tuple[LoadedOperator, BuiltOperator]] = []
        for operator in self.operators:
            result = build_operator(self.studio, operator, cancel=self.job.cancel, on_output=self.write_output)
            if result.succeeded:
                built.append((operator, result))
                continue
            findings = diagnose(result.records[-1], operator.rule_context("build"))
            if self.factory is None:
                raise ToolError(findings)
            self._absent[operator.contract.qualified_name] = f"{operator.name} does not build: {findings[0].cause}"
        return built

    def ask(
        self,
        entry: str,
        built: Built,
        request: ExportRequest,
        path: Path,
        quiet_seconds: Callable[[str], float] = lambda _label: QUIET_SECONDS,
    ) -> tuple[Outcome, list[dict[str, Any]]]:
        """Let a worker export to ``path``; return how it ended and what it sent.

        Raises:
            SetupError: the worker cannot be started.
            CancelledError: the job was cancelled.
        """
        recorder = str(build_fault_recorder(self.studio, cancel=self.job.cancel, on_output=self.write_output))
        received: list[dict[str, Any]] = []
        payload = {
            "operators": [
                {
                    "contract": to_json(operator.contract),
                    "folder": str(operator.folder.path),
                    "libraries": {name: str(library) for name, library in result.libraries.items()},
                }
                for operator, result in built
            ],
            "absent": self._absent,
            "folder": str(self.folder),
            "factory": None if self.factory is None else f"{self.factory[0].name}:{self.factory[1]}",
            "request": to_json(request),
            "path": str(path),
            "fault_recorder": recorder,
        }
        limits = Limits(
            memory_bytes=max(self.studio.workspace.settings.memory_bytes, _machine_bytes()),
            quiet_seconds=quiet_seconds,
        )
        outcome = self.studio.workers.run(
            Request(entry=entry, payload=payload, limits=limits, fault_recorder=recorder),
            cancel=self.job.cancel,
            listener=Listener(received.append, self.write_output),
        )
        return outcome, received

    def failure(self, outcome: Outcome, operators: Sequence[LoadedOperator]) -> StudioError:
        """Return the error of a worker that ended before the export was done."""
        if outcome.findings:
            return InputError(outcome.findings)
        contexts = [operator.rule_context(STAGE) for operator in operators]
        frames = [trace.frames for trace in outcome.traces]
        guilty = [item for item in contexts if any(item.place_of_frames(frame) for frame in frames)]
        # The memory of an export is the model's, whose kernels are the last to blame.
        if guilty or (contexts and self.factory is None and outcome.ending is not Ending.OUT_OF_MEMORY):
            return ToolError(diagnose(outcome, (guilty or contexts)[0]))
        reason = describe_ending(outcome)
        is_memory = outcome.ending is Ending.OUT_OF_MEMORY
        return ToolError.of(
            "The worker ended before the export was done",
            cause=f"{reason}, while it was at {outcome.label}" if outcome.label else reason,
            fix="Run the model in PyTorch first, on a machine with room for twice its weights"
            if is_memory
            else "Make and run the model in Python first: what ends that process ends this one",
            stage=STAGE,
            place=None if self.factory is None else Place(file=str(self.factory[0])),
        )

    def write_output(self, text: str) -> None:
        """Hand on what tools and workers print."""
        self.job.emit(OutputWritten(operator="", source=STAGE, text=text))


def describe_ending(outcome: Outcome) -> str:
    """Return in a few words how a worker ended that should not have."""
    return outcome.error or outcome.signal or outcome.last_words or outcome.ending.value.replace("_", " ")


def require_opset(request: ExportRequest) -> None:
    """Refuse an opset that the exporter writes of no model.

    Raises:
        InputError: it is one of those.
    """
    least, most = _OPSETS[request.exporter]
    if not least <= request.opset <= most:
        finding = Finding(
            id="EXP017",
            stage=STAGE,
            title=f"There is no export to opset {request.opset}",
            cause=f"the {request.exporter.value} exporter writes opsets up to {most}"
            if request.opset > most
            else f"the {request.exporter.value} exporter writes no opset before {least}",
            fix=f"Ask for an opset {OPSETS}",
        )
        raise InputError(finding)


def _machine_bytes() -> int:
    """Return the memory that an export may take: nearly all, since a model is as large as it is."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 9 // 10
