"""What was asked of an export, and what it must therefore hold."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from opstudio.model.summary_records import ModelSummary


class Exporter(enum.StrEnum):
    """PyTorch's two exporters."""

    TORCHSCRIPT = "torchscript"
    DYNAMO = "dynamo"


class Route(enum.StrEnum):
    """What becomes of a custom operator in the file."""

    STANDARD = "standard"
    """It is composed of standard nodes: any runtime loads it."""
    CUSTOM = "custom"
    """It stays one node of its own domain: the runtime needs an operator library."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicAxis:
    """An axis of an input that varies, and the name of its dimension in the file."""

    input: str
    axis: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """One export. ``dynamic`` are the axes that vary."""

    exporter: Exporter
    route: Route
    opset: int
    dynamic: tuple[DynamicAxis, ...] = ()

    def axes_of(self, name: str) -> dict[int, str]:
        """Return the axes of an input that vary, with the names of their dimensions."""
        return {item.axis: item.name for item in self.dynamic if item.input == name}


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorCall:
    """A call of a custom operator in the eager model: what the file must hold a node for.

    ``attributes`` are the values that the call passes or leaves at their default, as text; ``kinds`` are theirs in
    ONNX's words (FLOAT, INTS …).
    """

    domain: str
    operator: str
    onnx_type: str
    version: int
    tensor_inputs: int
    attributes: Mapping[str, str]
    kinds: Mapping[str, str] = field(default_factory=dict)
    repeated: bool = False
    """An earlier call has the same attributes and inputs of the same values: one node may serve both."""
    unused: bool = False
    """The model's outputs do not depend on it: exporters leave it out."""
    side_effects: bool = False
    expand: bool = False
    """The contract lets a translation take the operator apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeLine:
    """A line of the person's own files."""

    file: str
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EagerRun:
    """What the model did in PyTorch, before it was exported.

    ``standard_calls`` counts the standard operators that matter for opsets; ``lines`` are where operators of any kind
    were first called from. ``inputs`` are the sizes of the tensors and ``outputs`` those of the results, whose names
    in the file are ``output_names``.
    """

    calls: tuple[OperatorCall, ...] = ()
    standard_calls: Mapping[str, int] = field(default_factory=dict)
    lines: Mapping[str, CodeLine] = field(default_factory=dict)
    inputs: tuple[tuple[int, ...], ...] = ()
    outputs: tuple[tuple[int, ...], ...] = ()
    output_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResizedRun:
    """What the model does in PyTorch where the axes that vary have other sizes: its outputs' sizes, or why it fails."""

    inputs: tuple[tuple[int, ...], ...]
    outputs: tuple[tuple[int, ...], ...] = ()
    error: str = ""
    at: CodeLine | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRecord:
    """What came of an export.

    ``inputs`` are the names of the model's inputs. ``eager`` is the model in PyTorch, ``resized`` the same at other
    sizes, where some vary. ``error`` is the deepest cause of a failure and ``at`` the line that led to it; ``warnings``
    are what the exporter said beside. ``translated_elsewhere`` are operators for which only the other exporter has a
    translation, told of failures.
    """

    request: ExportRequest
    inputs: tuple[str, ...]
    eager: EagerRun
    resized: ResizedRun | None = None
    file: str = ""
    summary: ModelSummary | None = None
    error: str = ""
    error_type: str = ""
    at: CodeLine | None = None
    warnings: tuple[str, ...] = ()
    translated_elsewhere: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def calls(self) -> tuple[OperatorCall, ...]:
        """The calls of custom operators: what the file must hold nodes for."""
        return self.eager.calls
