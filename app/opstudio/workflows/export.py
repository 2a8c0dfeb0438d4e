"""One export on request: an operator's model or what a factory makes, and the file held against the request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json, to_json
from opstudio.base.errors import InputError, ToolError
from opstudio.base.files import write_atomic
from opstudio.base.finding import Finding, Place
from opstudio.checks.stages.export import ExportEvidence, dynamic_axes
from opstudio.contract.operator import ExportOptions
from opstudio.diagnosis.engine import diagnose
from opstudio.jobs.events import OutputWritten
from opstudio.jobs.lanes import JobContext
from opstudio.model.expectation import Difference, differences
from opstudio.model.export_request import Exporter, ExportRecord, ExportRequest, Route
from opstudio.worker.monitor import Limits, Listener
from opstudio.worker.outcome import Ending
from opstudio.worker.pool import Request
from opstudio.workflows.operator_build import BuiltOperator, build_fault_recorder, build_operator
from opstudio.workflows.operators import LoadedOperator, load_operator
from opstudio.workflows.studio import Studio

STAGE = "export"
_QUIET_SECONDS = 300.0
"""Exporters are silent while they work, on large models for minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOrder:
    """What to export. ``opset`` and ``dynamic`` are the contract's where they are not given."""

    exporter: Exporter
    route: Route
    opset: int | None
    dynamic: dict[str, dict[int, str]] | None
    output: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """What came of an export. ``file`` is empty where the exporter failed."""

    record: ExportRecord
    differences: tuple[Difference, ...]
    findings: tuple[Finding, ...]
    file: Path | None

    @property
    def good(self) -> bool:
        """Whether the file holds what was asked for."""
        return self.file is not None and not self.differences


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
    operators: list[LoadedOperator] = []
    for folder in studio.workspace.operators():
        try:
            operators.append(load_operator(studio.workspace, folder))
        except InputError:
            continue  # a model that calls it will say that it is missing
    return _Export(studio, operators, (file.resolve(), factory), options, job).run()


class _Export:
    """One export."""

    def __init__(
        self,
        studio: Studio,
        operators: Sequence[LoadedOperator],
        factory: tuple[Path, str] | None,
        options: ExportOrder,
        job: JobContext,
    ) -> None:
        self._studio = studio
        self._operators = operators
        self._factory = factory
        self._options = options
        self._job = job

    def run(self) -> ExportReport:
        """Build, export, compare; then write the file."""
        built = self._build()
        request = self._request()
        scratch = self._studio.workspace.state / "exports" / "requested.onnx"
        scratch.parent.mkdir(parents=True, exist_ok=True)
        scratch.unlink(missing_ok=True)
        record = self._export(built, request, scratch)
        found = () if record.error else differences(record)
        findings = self._findings(record, [operator for operator, _ in built])
        if record.error:
            return ExportReport(record=record, differences=found, findings=findings, file=None)
        write_atomic(self._options.output, scratch.read_bytes())
        scratch.unlink(missing_ok=True)
        return ExportReport(record=record, differences=found, findings=findings, file=self._options.output)

    def _build(self) -> list[tuple[LoadedOperator, BuiltOperator]]:
        built = [
            (
                operator,
                build_operator(self._studio, operator, cancel=self._job.cancel, on_output=self._write_output),
            )
            for operator in self._operators
        ]
        if self._factory is None and not built[0][1].succeeded:
            operator, result = built[0]
            raise ToolError(diagnose(result.records[-1], operator.rule_context("build")))
        return [(operator, result) for operator, result in built if result.succeeded]

    def _request(self) -> ExportRequest:
        options = self._options
        contract = self._operators[0].contract if self._factory is None else None
        dynamic = options.dynamic
        if dynamic is None:
            dynamic = {} if contract is None else dynamic_axes(contract)
        opset = options.opset or (contract.export.opset if contract else ExportOptions().opset)
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
            "folder": str(folder),
            "factory": None if self._factory is None else f"{self._factory[0].name}:{self._factory[1]}",
            "request": to_json(request),
            "path": str(path),
            "fault_recorder": recorder,
        }
        limits = Limits(
            memory_bytes=self._studio.workspace.settings.memory_bytes, quiet_seconds=lambda _label: _QUIET_SECONDS
        )
        outcome = self._studio.workers.run(
            Request(entry="opstudio.checks.export_run:run", payload=payload, limits=limits, fault_recorder=recorder),
            cancel=self._job.cancel,
            listener=Listener(received.append, self._write_output),
        )
        records = [event["data"] for event in received if event["event"] == "record"]
        if outcome.ending is Ending.FINISHED and records:
            return from_json(ExportRecord, records[0])
        if outcome.findings:
            raise InputError(outcome.findings)
        if self._operators:
            raise ToolError(diagnose(outcome, self._operators[0].rule_context(STAGE)))
        raise ToolError.of(
            "The worker ended before the export was done",
            cause=outcome.error or outcome.last_words or outcome.ending.value,
            fix="Run the model in PyTorch first",
            stage=STAGE,
        )

    def _findings(self, record: ExportRecord, operators: list[LoadedOperator]) -> tuple[Finding, ...]:
        called = {call.operator for call in record.calls}
        chosen = next((item for item in operators if item.contract.qualified_name in called), None)
        operator = chosen or (operators[0] if operators else None)
        if operator is None:
            return _plain_findings(record)
        evidence = ExportEvidence(
            exports=(record,),
            composite=None,
            generated=False,
            registration=operator.contract.export.registration or "",
        )
        return diagnose(evidence, operator.rule_context(STAGE))

    def _write_output(self, text: str) -> None:
        self._job.emit(OutputWritten(operator="", source=STAGE, text=text))


def _plain_findings(record: ExportRecord) -> tuple[Finding, ...]:
    """Tell what went wrong with a model in a workspace without operators, to which no rule applies."""
    place = Place(file=record.user_file, line=record.user_line) if record.user_file else None
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
