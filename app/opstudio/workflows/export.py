"""One export on request: an operator's model or what a factory makes, and the file held against the request."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json, to_json
from opstudio.base.errors import InputError, StudioError, ToolError
from opstudio.base.finding import Finding, Place, Severity
from opstudio.checks.stages.export import ExportEvidence, dynamic_axes, example_sample
from opstudio.contract.operator import ExportOptions
from opstudio.diagnosis.engine import diagnose
from opstudio.diagnosis.exports import OPSETS
from opstudio.jobs.events import OutputWritten
from opstudio.jobs.lanes import JobContext
from opstudio.model.expectation import Difference, differences
from opstudio.model.export_request import DynamicAxis, Exporter, ExportRecord, ExportRequest, Route
from opstudio.worker.monitor import Limits, Listener
from opstudio.worker.outcome import Ending, Outcome
from opstudio.worker.pool import Request
from opstudio.workflows.export_files import folder_beside, put_in_place
from opstudio.workflows.operator_build import BuiltOperator, build_fault_recorder, build_operator
from opstudio.workflows.operators import LoadedOperator, load_operator
from opstudio.workflows.studio import Studio
from opstudio.workspace.trust import workspace_around

STAGE = "export"
_OPSETS = {Exporter.DYNAMO: (7, 25), Exporter.TORCHSCRIPT: (7, 20)}
"""The first and the last opset that each exporter writes of some model; of most, dynamo begins at 18."""
_QUIET_SECONDS = 300.0
"""Exporters are silent while they work, on large models for minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOrder:
    """What to export. ``opset`` and ``dynamic`` are the contract's where they are not given."""

    exporter: Exporter
    route: Route
    opset: int | None
    dynamic: tuple[DynamicAxis, ...] | None
    output: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """What came of an export. ``files`` are the model and, where it is large, its weights; empty if it failed.

    ``sample`` is the one whose shapes an operator without a model was exported with; empty for models.
    """

    record: ExportRecord
    differences: tuple[Difference, ...]
    findings: tuple[Finding, ...]
    files: tuple[Path, ...]
    sample: str = ""

    @property
    def good(self) -> bool:
        """Whether the file holds what was asked for, and nothing speaks against it."""
        errors = any(finding.severity is Severity.ERROR for finding in self.findings)
        return bool(self.files) and not self.differences and not errors


def export_operator(studio: Studio, operator: LoadedOperator, options: ExportOrder, job: JobContext) -> ExportReport:
    """Export an operator's model, or the operator alone where the contract names no model.

    Raises:
        InputError: the model cannot be made.
        SetupError: a tool is missing, or a folder cannot be written.
        ToolError: the operator does not build, or the worker ended early.
        CancelledError: the job was cancelled; no file was written.
    """
    return _Export(studio, [operator], None, options, job).run()


def export_factory(studio: Studio, file: Path, factory: str, options: ExportOrder, job: JobContext) -> ExportReport:
    """Export what a factory makes: ``factory()`` returns the module, ``example_inputs()`` of the same file its inputs.

    It may call every operator of the workspace that builds.

    Raises:
        InputError: the file or the factory cannot be used.
        SetupError: a tool is missing, or a folder cannot be written.
        UntrustedError: the file lies in another workspace, which is not trusted.
        ToolError: the worker ended early.
        CancelledError: the job was cancelled; no file was written.
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
    return _Export(studio, operators, (file.resolve(), factory), options, job, unread).run()


class _Export:
    """One export."""

    def __init__(
        self,
        studio: Studio,
        operators: Sequence[LoadedOperator],
        factory: tuple[Path, str] | None,
        options: ExportOrder,
        job: JobContext,
        unread: dict[str, str] | None = None,
    ) -> None:
        self._studio = studio
        self._operators = operators
        self._factory = factory
        self._options = options
        self._job = job
        self._absent = {name: f"its contract is wrong: {cause}" for name, cause in (unread or {}).items()}

    def run(self) -> ExportReport:
        """Build, export, compare; then write the file, whole or not at all."""
        output = self._options.output.absolute()  # the worker has a working directory of its own
        request = self._request()
        _require_opset(request)
        with folder_beside(output) as folder:
            built = self._build()
            record = self._export(built, request, folder / output.name)
            findings = self._findings(record, [operator for operator, _ in built])
            files = () if record.error else put_in_place(folder, output)
        if files:
            record = dataclasses.replace(record, file=str(output))
        return ExportReport(
            record=record, differences=differences(record), findings=findings, files=files, sample=self._sample()
        )

    def _sample(self) -> str:
        contract = self._operators[0].contract if self._factory is None else None
        return "" if contract is None or contract.model is not None else example_sample(contract).name

    def _build(self) -> list[tuple[LoadedOperator, BuiltOperator]]:
        built: list[tuple[LoadedOperator, BuiltOperator]] = []
        for operator in self._operators:
            result = build_operator(self._studio, operator, cancel=self._job.cancel, on_output=self._write_output)
            if result.succeeded:
                built.append((operator, result))
                continue
            findings = diagnose(result.records[-1], operator.rule_context("build"))
            if self._factory is None:
                raise ToolError(findings)
            self._absent[operator.contract.qualified_name] = f"{operator.name} does not build: {findings[0].cause}"
        return built

    def _request(self) -> ExportRequest:
        options = self._options
        contract = self._operators[0].contract if self._factory is None else None
        dynamic = options.dynamic
        if dynamic is None:
            dynamic = () if contract is None else dynamic_axes(contract)
        opset = options.opset
        if opset is None:
            opset = contract.export.opset if contract else ExportOptions().opset
        return ExportRequest(exporter=options.exporter, route=options.route, opset=opset, dynamic=dynamic)

    def _export(
        self, built: list[tuple[LoadedOperator, BuiltOperator]], request: ExportRequest, path: Path
    ) -> ExportRecord:
        recorder = str(build_fault_recorder(self._studio, cancel=self._job.cancel, on_output=self._write_output))
        received: list[dict[str, Any]] = []
        folder = self._operators[0].folder.path if self._factory is None else self._factory[0].parent
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
            "folder": str(folder),
            "factory": None if self._factory is None else f"{self._factory[0].name}:{self._factory[1]}",
            "request": to_json(request),
            "path": str(path),
            "fault_recorder": recorder,
        }
        limits = Limits(
            memory_bytes=max(self._studio.workspace.settings.memory_bytes, _machine_bytes()),
            quiet_seconds=lambda _label: _QUIET_SECONDS,
        )
        outcome = self._studio.workers.run(
            Request(entry="opstudio.checks.export_run:run", payload=payload, limits=limits, fault_recorder=recorder),
            cancel=self._job.cancel,
            listener=Listener(received.append, self._write_output),
        )
        records = [event["data"] for event in received if event["event"] == "record"]
        if outcome.ending is Ending.FINISHED and records:
            return from_json(ExportRecord, records[0])
        raise self._failure(outcome, [operator for operator, _ in built])

    def _failure(self, outcome: Outcome, operators: Sequence[LoadedOperator]) -> StudioError:
        """Return the error of a worker that ended before the export was done."""
        if outcome.findings:
            return InputError(outcome.findings)
        contexts = [operator.rule_context(STAGE) for operator in operators]
        frames = [trace.frames for trace in outcome.traces]
        guilty = [item for item in contexts if any(item.place_of_frames(frame) for frame in frames)]
        # The memory of an export is the model's, whose kernels are the last to blame.
        if guilty or (contexts and self._factory is None and outcome.ending is not Ending.OUT_OF_MEMORY):
            return ToolError(diagnose(outcome, (guilty or contexts)[0]))
        reason = outcome.error or outcome.last_words or outcome.ending.value.replace("_", " ")
        return ToolError.of(
            "The worker ended before the export was done",
            cause=f"{reason}, while it was at {outcome.label}" if outcome.label else reason,
            fix="Run the model in PyTorch first, on a machine with room for twice its weights",
            stage=STAGE,
        )

    def _findings(self, record: ExportRecord, operators: Sequence[LoadedOperator]) -> tuple[Finding, ...]:
        """Let the rules look at the export, once for each operator that the model calls."""
        if not operators:
            return _plain_findings(record)
        called = {call.operator for call in record.calls}
        chosen = [item for item in operators if item.contract.qualified_name in called] or operators[:1]
        blamed = [item for item in chosen if _names(record.error, item.contract.qualified_name)]
        found: dict[tuple[str, str, str], Finding] = {}
        for operator in blamed or chosen:
            own = tuple(call for call in record.calls if call.operator == operator.contract.qualified_name)
            part = dataclasses.replace(record, eager=dataclasses.replace(record.eager, calls=own))
            evidence = ExportEvidence(
                exports=(part,),
                composite=None,
                model=self._model_file(operator),
                registration=operator.contract.export.registration or "",
                delivered=True,
            )
            for finding in diagnose(evidence, operator.rule_context(STAGE)):
                found.setdefault((finding.id, finding.title, finding.cause), finding)
        return tuple(found.values())

    def _model_file(self, operator: LoadedOperator) -> str:
        if self._factory is not None:
            return str(self._factory[0])
        return (operator.contract.model or "").partition(":")[0]

    def _write_output(self, text: str) -> None:
        self._job.emit(OutputWritten(operator="", source=STAGE, text=text))


def _require_opset(request: ExportRequest) -> None:
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


def _names(error: str, operator: str) -> bool:
    return operator in error or operator.replace("::", ".") in error


def _plain_findings(record: ExportRecord) -> tuple[Finding, ...]:
    """Tell what went wrong with a model in a workspace without operators, to which no rule applies."""
    place = None if record.at is None else Place(file=record.at.file, line=record.at.line)
    if record.error:
        error = ToolError.of(
            "The export failed", cause=record.error, fix="Mend the model at this line", stage=STAGE, place=place
        )
        return error.findings
    return tuple(
        ToolError.of(
            f"{item.subject} is not as asked",
            cause=f"asked: {item.asked}; found: {item.found}",
            fix="Try the other exporter",
            stage=STAGE,
        ).findings[0]
        for item in differences(record)
    )
