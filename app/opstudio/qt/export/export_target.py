"""What is exported and explained, how, and what came of it."""

from __future__ import annotations

import enum
import hashlib
import time
from dataclasses import dataclass, field
from pathlib import Path

from opstudio.base.finding import Finding
from opstudio.model.export_debugging.records import ExportExplanation
from opstudio.model.export_request import DynamicAxis, Route

_DIGEST_LETTERS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportTarget:
    """An operator of the workspace, or a factory of a Python file: one of the two."""

    operator: str = ""
    file: Path | None = None
    factory: str = ""

    @property
    def title(self) -> str:
        """What people call it: ``relu6_scale``, ``nets.py:make``."""
        return self.operator if self.file is None else f"{self.file.name}:{self.factory}"

    @property
    def folder_name(self) -> str:
        """The name of the folder that its files are kept in; files of one name in two folders differ."""
        if self.file is None:
            return self.operator
        digest = hashlib.sha256(str(self.file).encode()).hexdigest()[:_DIGEST_LETTERS]
        return f"{self.file.stem}-{self.factory}-{digest}"


class Varying(enum.Enum):
    """Which dimensions are to vary in the file."""

    CONTRACT = enum.auto()
    """Those that the contract names; none of a factory's."""
    NONE = enum.auto()
    FIRST_AXES = enum.auto()
    """The first axis of every input, whose names are known from an earlier explanation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """How to export. ``opset`` is the contract's where there is none."""

    route: Route = Route.CUSTOM
    opset: int | None = None
    varying: Varying = Varying.CONTRACT


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportResult:
    """What came of it: an explanation, or the findings that say why there is none."""

    target: ExportTarget
    options: ExportOptions
    explanation: ExportExplanation | None = None
    failure: tuple[Finding, ...] = ()
    at: float = field(default_factory=time.time)
    """Seconds since 1970."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong."""
        return self.failure if self.explanation is None else self.explanation.findings

    @property
    def good(self) -> bool:
        """Whether both exporters did what was asked for."""
        return self.explanation is not None and self.explanation.good


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningExport:
    """An explanation under way. ``step`` is the exporter that works, or empty before the first of them."""

    target: ExportTarget
    options: ExportOptions
    is_begun: bool = False
    """Whether the studio is open by now, so that it runs."""
    step: str = ""
    since: float
    """When the step began, by ``time.monotonic``."""


def first_axes(result: ExportResult | None) -> tuple[DynamicAxis, ...] | None:
    """Return the first axis of every input; ``None`` where the inputs are not known.

    One name says that the sizes are equal, so that inputs of other sizes get names of their own.
    """
    if result is None or result.explanation is None:
        return None
    for attempt in result.explanation.attempts:
        record = attempt.record
        if record.inputs and len(record.inputs) == len(record.eager.inputs):
            sized = [(name, sizes[0]) for name, sizes in zip(record.inputs, record.eager.inputs, strict=True) if sizes]
            names = {size: "batch" if not number else f"batch_{number + 1}" for number, size in _numbered(sized)}
            return tuple(DynamicAxis(input=name, axis=0, name=names[size]) for name, size in sized)
    return None


def _numbered(sized: list[tuple[str, int]]) -> list[tuple[int, int]]:
    return list(enumerate(dict.fromkeys(size for _, size in sized)))
