"""Both exporters on one model, side by side: what became of each operator, and why what failed did."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.base.errors import InputError
from opstudio.base.finding import Finding, Severity
from opstudio.base.toml_document import TomlDocument
from opstudio.build.symbols import source_lines
from opstudio.checks.explain_run import EXPORTING, MAKING
from opstudio.checks.export_run import REGISTER
from opstudio.contract.operator import OperatorContract
from opstudio.diagnosis.engine import diagnose
from opstudio.diagnosis.explanations import ExplanationContext
from opstudio.diagnosis.rule import RuleContext
from opstudio.diagnosis.runtime_limits import RuntimeLimit, runtime_limit, runtime_limits
from opstudio.jobs.events import Progressed
from opstudio.jobs.lanes import JobContext
from opstudio.model.export_debugging.eager_records import CustomCall
from opstudio.model.export_debugging.records import Attempt, ExportExplanation, Step
from opstudio.model.export_debugging.schema_contract import contract_of_model
from opstudio.model.export_debugging.stubs.choose import choose_stubs
from opstudio.model.export_request import DynamicAxis, EagerRun, Exporter, ExportRecord, Route
from opstudio.worker.outcome import Ending
from opstudio.workflows.export import ExportOrder, request_of
from opstudio.workflows.export_files import folder_beside, put_in_place, working_folder
from opstudio.workflows.export_findings import export_findings
from opstudio.workflows.export_preparation import (
    QUIET_SECONDS,
    STAGE,
    Built,
    ExportPreparation,
    describe_ending,
    require_opset,
)
from opstudio.workflows.operators import LoadedOperator
from opstudio.workflows.studio import Studio

_ENTRY = "opstudio.checks.explain_run:run"
_LAST_RESORT = "EXP021"
"""What is said of a failed export where no rule knows more."""
_MAKING_FACTOR = 30.0
"""How much longer than a kernel the person's code may be silent while it makes a model: it reads weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainOrder:
    """What to explain. The files of both exporters are left in ``folder``; nowhere where there is none.

    ``runtime`` is to load the files: what it does not take is told.
    """

    route: Route = Route.CUSTOM
    opset: int | None = None
    dynamic: tuple[DynamicAxis, ...] | None = None
    folder: Path | None = None
    runtime: RuntimeLimit | None = None


def explain_operator(
    studio: Studio, operator: LoadedOperator, order: ExplainOrder, job: JobContext
) -> ExportExplanation:
    """Export an operator's model, or the operator alone, with both exporters.

    Raises:
        InputError: the model cannot be made, or does not run in PyTorch.
        SetupError: a tool is missing, or a folder cannot be written.
        ToolError: the operator does not build, or the worker died before it came to the export.
        CancelledError: the job was cancelled.
    """
    return _Explanation(ExportPreparation(studio, [operator], None, job), order).run()


def explain_factory(
    studio: Studio, file: Path, factory: str, order: ExplainOrder, job: JobContext
) -> ExportExplanation:
    """Export what a factory makes with both exporters. Its file may define operators of its own.

    Where the file has a function ``register``, it registers their symbolics and returns the table for dynamo.

    Raises:
        InputError: the file or the factory cannot be used, or the model does not run in PyTorch.
        SetupError: a tool is missing, or a folder cannot be written.
        UntrustedError: the file lies in another workspace, which is not trusted.
        ToolError: the worker died before it came to the export.
        CancelledError: the job was cancelled.
    """
    return _Explanation(ExportPreparation.of_factory(studio, file, factory, job), order).run()


def target_runtime(studio: Studio, release: str | None) -> RuntimeLimit | None:
    """Return what is known of the runtime that is to load a file: the workspace's own where none is named.

    Raises:
        InputError: nothing is known of the release that was named.
    """
    if release is None:
        return runtime_limit(studio.frameworks()["onnxruntime"])
    limit = runtime_limit(release)
    if limit is None:
        raise InputError.of(
            f"Nothing is known of ONNX Runtime {release}",
            cause=f"the table has {', '.join(runtime_limits())}",
            fix="Name the release next to it",
            stage=STAGE,
        )
    return limit


class _Explanation:
    """One explanation."""

    def __init__(self, prepared: ExportPreparation, order: ExplainOrder) -> None:
        self._prepared = prepared
        self._order = order
        self._contracts: dict[str, OperatorContract] = {}
        self._calls: tuple[CustomCall, ...] = ()

    def run(self) -> ExportExplanation:
        """Build, export twice, compare; then leave the files where they were asked for."""
        for exporter in Exporter:
            require_opset(request_of(self._prepared, self._export_order(exporter, Path())))
        built = self._prepared.build()
        with working_folder(self._order.folder) as folder:
            attempts = tuple(self._attempt(exporter, built, folder / f"{exporter.value}.onnx") for exporter in Exporter)
            if self._order.folder is not None:
                attempts = tuple(self._delivered(item, self._order.folder) for item in attempts)
            else:
                attempts = tuple(dataclasses.replace(item, file="") for item in attempts)
        operators = [operator for operator, _ in built]
        return ExportExplanation(
            model=self._title,
            calls=self._calls,
            attempts=attempts,
            stubs=choose_stubs(self._calls, attempts, has_register=self._has_register),
            findings=self._findings(attempts, operators),
        )

    @property
    def _title(self) -> str:
        factory = self._prepared.factory
        return self._prepared.operators[0].name if factory is None else f"{factory[0].name}:{factory[1]}"

    @property
    def _file(self) -> Path:
        """The person's Python file that the model is written in."""
        if self._prepared.factory is not None:
            return self._prepared.factory[0]
        operator = self._prepared.operators[0]
        model = (operator.contract.model or operator.contract.reference).partition(":")[0]
        return operator.folder.path / model

    @property
    def _has_register(self) -> bool:
        """Whether the file that registers translations has a function for it, which a stub must not replace."""
        file = self._file
        if self._prepared.factory is None:
            operator = self._prepared.operators[0]
            file = operator.folder.path / (operator.contract.export.registration or file.name)
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        return f"def {REGISTER}(" in text

    def _export_order(self, exporter: Exporter, output: Path) -> ExportOrder:
        order = self._order
        return ExportOrder(
            exporter=exporter, route=order.route, opset=order.opset, dynamic=order.dynamic, output=output
        )

    def _attempt(self, exporter: Exporter, built: Built, path: Path) -> Attempt:
        request = request_of(self._prepared, self._export_order(exporter, path))
        path.parent.mkdir(exist_ok=True)
        self._prepared.job.emit(Progressed(label=exporter.value))
        outcome, received = self._prepared.ask(_ENTRY, built, request, path, self._quiet_seconds)
        answers = [event["data"] for event in received if event["event"] == "attempt"]
        if outcome.ending is Ending.FINISHED and answers:
            return self._take(answers[0])
        if outcome.findings or not outcome.label.startswith(EXPORTING):
            raise self._prepared.failure(outcome, [operator for operator, _ in built])
        # The exporter itself took the worker with it; the other one may do better.
        ending = describe_ending(outcome)
        record = ExportRecord(
            request=request, inputs=(), eager=EagerRun(), error=f"the exporter ended its process: {ending}"
        )
        return Attempt(record=record, step=Step.CAPTURE, ending=outcome.ending.value)

    def _take(self, answer: dict[str, Any]) -> Attempt:
        self._calls = tuple(from_json(CustomCall, item) for item in answer["calls"])
        for item in answer["contracts"]:
            contract = from_json(OperatorContract, item)
            self._contracts[contract.qualified_name] = contract
        return from_json(Attempt, answer["attempt"])

    def _quiet_seconds(self, label: str) -> float:
        if label == MAKING:
            return self._prepared.studio.workspace.settings.quiet_seconds * _MAKING_FACTOR
        return QUIET_SECONDS

    def _delivered(self, attempt: Attempt, folder: Path) -> Attempt:
        if not attempt.has_file:
            return dataclasses.replace(attempt, file="")
        source = Path(attempt.file)
        with folder_beside(folder / source.name) as beside:
            for path in source.parent.iterdir():
                if path.name.startswith(source.name):
                    path.replace(beside / path.name)
            put_in_place(beside, folder / source.name)
        return dataclasses.replace(attempt, file=str(folder / source.name))

    def _findings(self, attempts: Sequence[Attempt], operators: Sequence[LoadedOperator]) -> tuple[Finding, ...]:
        contexts = [operator.rule_context(STAGE) for operator in operators]
        contexts += [self._library_context(contract) for contract in self._contracts.values()]
        if not contexts:
            opset = attempts[0].record.request.opset
            contexts = [self._library_context(contract_of_model(self._file.name, opset=opset))]
        about = ExplanationContext(
            stage=STAGE,
            file=self._relative(str(self._file)),
            relative=self._relative,
            runtime=self._order.runtime,
        )
        found: list[Finding] = []
        for attempt in attempts:
            watched = diagnose(attempt, about)
            # Each for itself: the same fault shows in other words, and needs another remedy, with each exporter.
            plain = () if attempt.ending else export_findings([attempt.record], contexts, self._model_file)
            is_known = any(item.severity is Severity.ERROR for item in watched)
            found += [item for item in plain if not (is_known and item.id == _LAST_RESORT)]
            found += watched
        return tuple({(item.id, item.title, item.cause): item for item in found}.values())

    def _relative(self, path: str) -> str:
        return self._prepared.studio.workspace.relative(path)

    def _model_file(self, context: RuleContext) -> str:
        if self._prepared.factory is not None:
            return str(self._prepared.factory[0])
        return (context.contract.model or "").partition(":")[0]

    def _library_context(self, contract: OperatorContract) -> RuleContext:
        """Return what rules may know of an operator that a file of models defines."""
        return RuleContext(
            stage=STAGE,
            folder=self._file.parent,
            contract=contract,
            document=TomlDocument(self._file, STAGE, "", {}),
            locate=functools.cache(source_lines),
            relative=self._relative,
        )
