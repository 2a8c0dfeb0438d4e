"""What rules about one watched export may know beside it: its model, and the runtime that is to load the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from opstudio.base.finding import Place
from opstudio.diagnosis.rule import Context
from opstudio.diagnosis.runtime_limits import RuntimeLimit
from opstudio.model.export_debugging.eager_records import SourceLine
from opstudio.model.export_debugging.records import Attempt
from opstudio.model.export_request import Exporter


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationContext(Context):
    """The model that was exported. ``file`` is its Python file as people know it; ``runtime`` is to load the result."""

    file: str
    relative: Callable[[str], str]
    runtime: RuntimeLimit | None = None

    def place(self, at: SourceLine | None) -> Place:
        """Return a line as a place; the model's file where there is none."""
        return Place(file=self.file) if at is None else Place(file=self.relative(at.file), line=at.line)


def describe_attempt(attempt: Attempt) -> str:
    """Return which export it is."""
    request = attempt.record.request
    return f"the {request.exporter.value} exporter, {request.route.value} route, opset {request.opset}"


def other_exporter(exporter: Exporter) -> Exporter:
    """Return the other one."""
    return next(item for item in Exporter if item is not exporter)
