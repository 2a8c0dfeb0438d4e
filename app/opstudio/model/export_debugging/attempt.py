"""One exporter's export, watched from inside. Runs in a worker whose process is not needed afterwards."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from opstudio.model.eager import find_unused
from opstudio.model.errors import plain_text
from opstudio.model.expectation import differences
from opstudio.model.export import export_model
from opstudio.model.export_debugging.dynamo_watch import (
    DynamoWatch,
    captured_operators,
    failing_graph_node,
    program_of,
    target_name,
)
from opstudio.model.export_debugging.eager_records import EagerCalls, SourceLine
from opstudio.model.export_debugging.fates import Findings, count_traced, operator_fates
from opstudio.model.export_debugging.lines import UserLines
from opstudio.model.export_debugging.origins import FileNode, dynamo_nodes, torchscript_nodes
from opstudio.model.export_debugging.records import (
    Attempt,
    DimensionFate,
    ShapeFault,
    Specialization,
    Step,
    TracedOperator,
)
from opstudio.model.export_debugging.shapes import shape_faults
from opstudio.model.export_debugging.torchscript_watch import TorchScriptWatch, warned_specializations
from opstudio.model.export_request import CodeLine, Exporter, ExportRecord, ExportRequest
from opstudio.model.exportable import Exportable
from opstudio.model.registrations import lacks_fake, translated_operators

_MOST_CAUSES = 8


def attempt_export(
    exportable: Exportable, request: ExportRequest, path: Path, folder: Path, eager: EagerCalls
) -> Attempt:
    """Export and tell what became of everything; ``eager`` is what was noted of the model in PyTorch.

    Raises:
        InputError: the module does not even run in PyTorch.
        SetupError: the file cannot be written.
    """
    lines = UserLines(folder)
    observer, calls = _Observer(lines), eager.custom
    record = export_model(exportable, request, path, folder, observer)
    if record.error and (at := observer.failing_line() or _fixing_line(record, observer)) is not None:
        record = dataclasses.replace(record, at=CodeLine(file=at.file, line=at.line))
    modules = frozenset(name for name, _ in exportable.module().named_modules())
    nodes: tuple[FileNode, ...] | None = None
    faults: tuple[ShapeFault, ...] = ()
    if record.summary is not None:
        model = _loaded(path, request.exporter)
        nodes = observer.file_nodes(model, modules)
        faults = shape_faults(record, model, nodes, calls)
    operators = tuple(dict.fromkeys(call.operator for call in calls if call.schema))
    # What has a contract, and no registration of its own, has the translations that the studio derives.
    derived = {item.qualified_name for item in exportable.contracts} - exportable.registrations.keys()
    known = Findings(
        calls=calls,
        traced=observer.traced(),
        nodes=nodes,
        failed_operator=observer.failed_operator(),
        unused=_unused(exportable, record, nodes),
    )
    specializations = (*observer.specializations, *warned_specializations(record.warnings, lines))
    return Attempt(
        record=record,
        step=Step.DONE if record.summary is not None else observer.failed_step(),
        seconds=observer.seconds,
        causes=observer.causes,
        without_fake=tuple(name for name in operators if lacks_fake(name)),
        translated=(*derived, *translated_operators(exportable, request.exporter, request.opset, operators)),
        file=record.file,
        bytes=_size_of(path) if record.summary is not None else 0,
        origins=tuple(node.origin for node in nodes or ()),
        traced=known.traced,
        specializations=specializations,
        shape_faults=faults,
        differences=differences(record),
        fates=operator_fates(known),
        training_calls=eager.training,
        dimensions=tuple(_dimension_fates(record, specializations)),
    )


def _fixing_line(record: ExportRecord, observer: _Observer) -> SourceLine | None:
    """Return the line that made a number of a size, where the error has none: it comes when the trace is over."""
    lines = (item.at for item in observer.specializations if item.at is not None)
    return next(lines, None) if record.at is None else None


class _Observer:
    """What is heard of one export."""

    def __init__(self, lines: UserLines) -> None:
        self._lines = lines
        self._torchscript = TorchScriptWatch()
        self._dynamo = DynamoWatch(lines)
        self._program: Any = None
        self._error: Exception | None = None
        self._exporter = Exporter.TORCHSCRIPT
        self.seconds = 0.0

    @contextlib.contextmanager
    def during(self, exporter: Exporter) -> Iterator[None]:
        """Listen while the exporter works."""
        self._exporter = exporter
        watch = self._torchscript if exporter is Exporter.TORCHSCRIPT else self._dynamo
        start = time.perf_counter()
        try:
            with watch.watching():
                yield
        finally:
            self.seconds = time.perf_counter() - start

    def on_program(self, program: Any) -> None:
        """Take the finished program."""
        self._program = program.exported_program

    def on_error(self, error: Exception) -> None:
        """Take the error; the program that led to it is in its frames."""
        self._error = error
        if self._exporter is Exporter.DYNAMO:
            self._program = program_of(error)

    @property
    def specializations(self) -> list[Specialization]:
        return self._dynamo.specializations

    @property
    def causes(self) -> tuple[str, ...]:
        """The errors of the chain, outermost first."""
        found: list[str] = []
        current: BaseException | None = self._error
        while current is not None and len(found) < _MOST_CAUSES:
            text = plain_text(str(current))
            found.append(f"{type(current).__name__}: {text.splitlines()[0] if text else ''}".rstrip(": "))
            current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
        return tuple(found)

    def traced(self) -> tuple[TracedOperator, ...]:
        """Return the operators that the exporter saw."""
        if self._exporter is Exporter.TORCHSCRIPT:
            seen = [(item.operator, item.stack, item.written) for item in self._torchscript.nodes]
            return count_traced([item for item in seen if not item[0].startswith("prim::")], self._lines)
        program = [] if self._program is None else captured_operators(self._program)
        return count_traced([(operator, stack, ()) for operator, stack in program], self._lines)

    def file_nodes(self, model: Any, modules: frozenset[str]) -> tuple[FileNode, ...]:
        """Return the nodes of the file with their origins."""
        if self._exporter is Exporter.TORCHSCRIPT:
            return tuple(torchscript_nodes(model, self._torchscript.nodes, self._lines, modules))
        return tuple(dynamo_nodes(model, self._lines, modules))

    def failed_operator(self) -> str:
        """Return the operator whose translation failed."""
        if self._error is None:
            return ""
        if self._exporter is Exporter.TORCHSCRIPT:
            traced = self._torchscript.failed_at
            return traced.operator if traced else ""
        node = failing_graph_node(self._error)
        return "" if node is None else target_name(node)

    def failing_line(self) -> SourceLine | None:
        """Return the line of the call whose translation failed: the errors themselves do not know it."""
        if self._error is None:
            return None
        if self._exporter is Exporter.TORCHSCRIPT:
            traced = self._torchscript.failed_at
            return self._lines.of_range(traced.stack) if traced else None
        node = failing_graph_node(self._error)
        return None if node is None else self._lines.of_trace(node.meta.get("stack_trace") or "")

    def failed_step(self) -> Step:
        """Return the step that failed."""
        if self._exporter is Exporter.TORCHSCRIPT:
            if self._torchscript.failed_at is not None:
                return Step.TRANSLATE
            return Step.WRITE if self._torchscript.nodes else Step.CAPTURE
        name = type(self._error).__name__
        if name == "ConversionError":
            return Step.TRANSLATE
        return Step.WRITE if self._program is not None else Step.CAPTURE


def _loaded(path: Path, exporter: Exporter) -> Any:
    """Read the file; source lines that were kept for this only do not stay in what is delivered."""
    import onnx

    model = onnx.load(str(path), load_external_data=False)
    if exporter is Exporter.TORCHSCRIPT:
        delivered = onnx.ModelProto()
        delivered.CopyFrom(model)
        _strip(delivered.graph)
        for function in delivered.functions:
            _strip(function)
        path.write_bytes(delivered.SerializeToString())
    return model


def _strip(graph: Any) -> None:
    for node in graph.node:
        node.ClearField("doc_string")
        for attribute in node.attribute:
            for inner in [attribute.g] if attribute.HasField("g") else list(attribute.graphs):
                _strip(inner)


def _unused(exportable: Exportable, record: ExportRecord, nodes: tuple[FileNode, ...] | None) -> frozenset[str]:
    """Return the operators without nodes whose results no output depends on: the module runs once for each call."""
    present = {node.origin.operator for node in nodes or ()}
    if nodes is None or all(call.operator in present for call in record.calls):
        return frozenset()
    calls = find_unused(exportable, record.calls)
    used = {call.operator for call in calls if not call.unused}
    return frozenset(call.operator for call in calls) - used


def _dimension_fates(record: ExportRecord, said: Sequence[Specialization]) -> Iterator[DimensionFate]:
    shapes = {item.name: item.shape or () for item in record.summary.inputs} if record.summary else {}
    for item in record.request.dynamic:
        shape = shapes.get(item.input)
        found = "" if shape is None or item.axis >= len(shape) else str(shape[item.axis])
        if item.input not in record.inputs:
            found = "no such input"
        yield DimensionFate(
            input=item.input,
            axis=item.axis,
            asked=item.name,
            found=found,
            is_kept=bool(found) and not found.isdecimal() and found != "no such input",
            # TorchScript does not say of which dimension a number was.
            because=tuple(part for part in said if part.dimension in (f"axis {item.axis} of {item.input}", "")),
        )


def _size_of(path: Path) -> int:
    return sum(item.stat().st_size for item in path.parent.iterdir() if item.name.startswith(path.name))
