"""What was asked of an export, and what it must therefore hold."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from opstudio.model.summary import ModelSummary


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
class ExportRequest:
    """One export. ``dynamic`` names the axes that vary, by input and axis."""

    exporter: Exporter
    route: Route
    opset: int
    dynamic: Mapping[str, Mapping[int, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorCall:
    """A call of a custom operator in the eager model: what the file must hold a node for.

    ``attributes`` are the values that the call passes or leaves at their default, as text.
    """

    domain: str
    operator: str
    onnx_type: str
    version: int
    tensor_inputs: int
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRecord:
    """What came of an export.

    ``error`` is the deepest cause of a failure; ``warnings`` are what the exporter said beside. ``calls`` is what the
    eager model called, ``standard_calls`` the standard operators that matter for opsets.
    """

    request: ExportRequest
    inputs: tuple[str, ...]
    calls: tuple[OperatorCall, ...]
    standard_calls: Mapping[str, int]
    file: str = ""
    summary: ModelSummary | None = None
    error: str = ""
    error_type: str = ""
    user_file: str = ""
    user_line: int | None = None
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
