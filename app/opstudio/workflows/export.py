"""One export on request: an operator's model or what a factory makes, and the file held against the request."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.codec import from_json
from opstudio.base.errors import ToolError
from opstudio.base.finding import Finding, Place, Severity
from opstudio.checks.stages.export import dynamic_axes, example_sample
from opstudio.contract.operator import ExportOptions
from opstudio.diagnosis.rule import RuleContext
from opstudio.jobs.lanes import JobContext
from opstudio.model.expectation import Difference, differences
from opstudio.model.export_request import DynamicAxis, Exporter, ExportRecord, ExportRequest, Route
from opstudio.worker.outcome import Ending
from opstudio.workflows.export_files import folder_beside, put_in_place
from opstudio.workflows.export_findings import export_findings
from opstudio.workflows.export_preparation import STAGE, Built, ExportPreparation, require_opset
from opstudio.workflows.operators import LoadedOperator
from opstudio.workflows.studio import Studio


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
    return _Export(ExportPreparation(studio, [operator], None, job), options).run()


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
    return _Export(ExportPreparation.of_factory(studio, file, factory, job), options).run()


class _Export:
    """One export."""

    def __init__(self, prepared: ExportPreparation, options: ExportOrder) -> None:
        self._prepared = prepared
        self._operators = prepared.operators
        self._factory = prepared.factory
        self._options = options

    def run(self) -> ExportReport:
        """Build, export, compare; then write the file, whole or not at all."""
        output = self._options.output.absolute()  # the worker has a working directory of its own
        request = request_of(self._prepared, self._options)
        require_opset(request)
        with folder_beside(output) as folder:
            built = self._prepared.build()
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

    def _export(self, built: Built, request: ExportRequest, path: Path) -> ExportRecord:
        outcome, received = self._prepared.ask("opstudio.checks.export_run:run", built, request, path)
        records = [event["data"] for event in received if event["event"] == "record"]
        if outcome.ending is Ending.FINISHED and records:
            return from_json(ExportRecord, records[0])
        raise self._prepared.failure(outcome, [operator for operator, _ in built])

    def _findings(self, record: ExportRecord, operators: Sequence[LoadedOperator]) -> tuple[Finding, ...]:
        """Let the rules look at the export, once for each operator that the model calls."""
        if not operators:
            return _plain_findings(record)
        contexts = [operator.rule_context(STAGE) for operator in operators]
        return export_findings([record], contexts, self._model_file)

    def _model_file(self, context: RuleContext) -> str:
        if self._factory is not None:
            return str(self._factory[0])
        return (context.contract.model or "").partition(":")[0]


def request_of(prepared: ExportPreparation, options: ExportOrder) -> ExportRequest:
    """Return what is asked for: what an order leaves open is the contract's."""
    contract = prepared.operators[0].contract if prepared.factory is None else None
    dynamic = options.dynamic
    if dynamic is None:
        dynamic = () if contract is None else dynamic_axes(contract)
    opset = options.opset
    if opset is None:
        opset = contract.export.opset if contract else ExportOptions().opset
    return ExportRequest(exporter=options.exporter, route=options.route, opset=opset, dynamic=dynamic)


def _plain_findings(record: ExportRecord) -> tuple[Finding, ...]:
    """Tell what went wrong with a model in a workspace without operators, to which no rule applies."""
    place = None if record.at is None else Place(file=record.at.file, line=record.at.line)
    if record.error:
        error = ToolError.of(
            "The export failed",
            cause=record.error,
            fix="Mend the model at this line; opstudio export --explain tells more",
            stage=STAGE,
            place=place,
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
