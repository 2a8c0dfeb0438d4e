"""What is known of an export by both exporters, as plain records: the window and the terminal show the same."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from opstudio.base.codec import to_json
from opstudio.base.finding import Finding, Json, Severity
from opstudio.model.expectation import Difference
from opstudio.model.export_debugging.eager_records import CustomCall, SourceLine, TrainingCall
from opstudio.model.export_request import Exporter, ExportRecord


class Step(enum.StrEnum):
    """The steps of an export, in order."""

    CAPTURE = "capture"
    """The model is run once and becomes a graph of PyTorch operators."""
    TRANSLATE = "translate"
    """Operators become nodes."""
    WRITE = "write"
    """The graph is optimised and written."""
    DONE = "done"


class Fate(enum.StrEnum):
    """What became of an operator in a file."""

    KEPT = "kept"
    """Each call is one node of a domain of its own."""
    TRANSLATED = "translated"
    """Each call is one standard node."""
    DECOMPOSED = "decomposed"
    """A call is several nodes."""
    MERGED = "merged"
    """Equal calls share nodes."""
    FOLDED = "folded"
    """Its result is a constant of the file."""
    UNUSED = "unused"
    """No output of the model depends on it, so that it was left out."""
    TRACED_THROUGH = "traced_through"
    """The exporter never saw it: it took what the operator computes with."""
    LEFT_OUT = "left_out"
    """There is no node of it, and nothing tells why."""
    FAILED = "failed"
    """The export ended at it."""
    NOT_REACHED = "not_reached"
    """The export ended before it, or at something else."""


class StubKind(enum.StrEnum):
    """What a stub registers."""

    SYMBOLIC = "symbolic"
    """``register_custom_op_symbolic``, read by the TorchScript exporter."""
    TRANSLATION = "translation"
    """An entry of ``custom_translation_table``, read by the dynamo exporter."""
    FAKE = "fake"
    """The Meta kernel, by ``register_fake``."""
    OPERATOR = "operator"
    """``torch.library.custom_op`` around a function that the dispatcher does not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeOrigin:
    """A node of a file and what it was in PyTorch.

    ``operator`` is the PyTorch operator (``aten::linear``), ``module`` the path of the module that called it
    (``layers.0.attention``; empty for the model itself), ``at`` the line of the person's files. Nodes that an exporter
    adds by itself, such as constants, have none of them.
    """

    node: str
    type: str
    operator: str = ""
    module: str = ""
    at: SourceLine | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedOperator:
    """An operator as an exporter saw it: how often, from which lines, and which nodes it wrote for it.

    ``nodes`` are those written, not those left in the file.
    """

    operator: str
    calls: int
    lines: tuple[SourceLine, ...] = ()
    nodes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorFate:
    """What one exporter made of one operator.

    ``calls`` counts what the model calls, ``nodes`` what the file holds of it by type. ``lost`` are attributes of the
    call that none of its nodes has; ``writes`` says that the operator changes an argument in place.
    """

    operator: str
    fate: Fate
    calls: int
    nodes: Mapping[str, int]
    is_custom: bool
    writes: bool = False
    lines: tuple[SourceLine, ...] = ()
    lost: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Specialization:
    """A size that became a number. ``dimension`` is what it was of, as far as the exporter says."""

    dimension: str
    value: str
    at: SourceLine | None
    said: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionFate:
    """A dimension that was asked to vary and what the file says of it; ``found`` is empty where there is no file."""

    input: str
    axis: int
    asked: str
    found: str
    is_kept: bool
    because: tuple[Specialization, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeFault:
    """A value of the file whose shape is missing or contradicts the run in PyTorch. ``found`` is empty if missing."""

    value: str
    node: str
    found: str
    expected: str
    operator: str = ""
    is_rank: bool = False
    """The file has no rank or another one; else a size or its name is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One exporter's export. ``ending`` says how the worker died, where it did.

    ``seconds`` is what the exporter took. ``causes`` are the errors of the chain, outermost first; the deepest is the
    record's error. ``bytes`` is the size of the file with its weights. ``without_fake`` are operators that have no Meta
    kernel, ``translated`` those for which this exporter has a translation of the person's own.
    """

    record: ExportRecord
    step: Step
    ending: str = ""
    seconds: float = 0.0
    causes: tuple[str, ...] = ()
    without_fake: tuple[str, ...] = ()
    translated: tuple[str, ...] = ()
    file: str = ""
    bytes: int = 0
    origins: tuple[NodeOrigin, ...] = ()
    traced: tuple[TracedOperator, ...] = ()
    specializations: tuple[Specialization, ...] = ()
    shape_faults: tuple[ShapeFault, ...] = ()
    differences: tuple[Difference, ...] = ()
    fates: tuple[OperatorFate, ...] = ()
    training_calls: tuple[TrainingCall, ...] = ()
    dimensions: tuple[DimensionFate, ...] = ()

    @property
    def exporter(self) -> Exporter:
        """Which exporter it is of."""
        return self.record.request.exporter

    @property
    def has_file(self) -> bool:
        """Whether the exporter wrote a file."""
        return self.record.summary is not None

    @property
    def node_types(self) -> dict[str, int]:
        """How many nodes of each type the file holds."""
        counts: dict[str, int] = {}
        for origin in self.origins:
            counts[origin.type] = counts.get(origin.type, 0) + 1
        return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Stub:
    """Code to paste: ``text`` registers something for ``operators``, for ``exporter`` (both exporters where ``None``).

    ``todo`` says what is left to the person; empty where the text does as it is.
    """

    kind: StubKind
    operators: tuple[str, ...]
    exporter: Exporter | None
    text: str
    todo: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportExplanation:
    """Both exports of one model, side by side."""

    model: str
    calls: tuple[CustomCall, ...]
    attempts: tuple[Attempt, ...]
    stubs: tuple[Stub, ...]
    findings: tuple[Finding, ...]

    @property
    def good(self) -> bool:
        """Whether both exporters wrote what was asked for, and nothing speaks against it."""
        errors = any(item.severity is Severity.ERROR for item in self.findings)
        return not errors and all(item.has_file and not item.differences for item in self.attempts)

    def attempt(self, exporter: Exporter) -> Attempt:
        """Return the export by one exporter."""
        return next(item for item in self.attempts if item.exporter is exporter)

    def as_document(self) -> dict[str, Json]:
        """Return everything as JSON values: the part ``explanation`` of the document ``opstudio/export/1``."""
        document = _object(self)
        document["attempts"] = [
            {
                "exporter": item.exporter.value,
                "succeeded": item.has_file,
                "nodes": len(item.origins),
                "node_types": item.node_types,
                **_object(item),
            }
            for item in self.attempts
        ]
        return document


def _object(record: object) -> dict[str, Json]:
    document = to_json(record)
    assert isinstance(document, dict), "a record is an object"
    return document
