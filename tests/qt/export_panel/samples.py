"""Explanations made by hand, for what no real export needs to be waited for."""

from __future__ import annotations

from dataclasses import dataclass

from opstudio.model.export_debugging.eager_records import SourceLine
from opstudio.model.export_debugging.records import (
    Attempt,
    DimensionFate,
    ExportExplanation,
    Fate,
    NodeOrigin,
    OperatorFate,
    Specialization,
    Step,
    Stub,
    StubKind,
)
from opstudio.model.export_request import EagerRun, Exporter, ExportRecord, ExportRequest, Route
from opstudio.model.summary_records import ModelSummary, TensorSummary


@dataclass(frozen=True, kw_only=True)
class Made:
    """How many nodes each exporter wrote; none where it failed."""

    torchscript: int | None
    dynamo: int | None


def make_attempt(exporter: Exporter, nodes: int | None) -> Attempt:
    """Return an export with so many nodes, each from a line of its own, or one that failed."""
    summary = ModelSummary(
        ir_version=10,
        imports={"": 18},
        inputs=(TensorSummary(name="x", type=1, shape=("batch", 8)),),
        outputs=(TensorSummary(name="y", type=1, shape=("batch", 8)),),
        custom_nodes=(),
        standard_types={"Mul": nodes or 0},
        external_files=(),
        checker="",
    )
    record = ExportRecord(
        request=ExportRequest(exporter=exporter, route=Route.CUSTOM, opset=18),
        inputs=("x",),
        eager=EagerRun(inputs=((4, 8),)),
        summary=None if nodes is None else summary,
        error="" if nodes is not None else "no translation of lab::swish",
        error_type="" if nodes is not None else "DispatchError",
    )
    is_written = nodes is not None
    because = Specialization(dimension="axis 0 of x", value="4", at=line(3), said="axis 0 of x == 4")
    return Attempt(
        record=record,
        step=Step.DONE if is_written else Step.TRANSLATE,
        bytes=2048 if is_written else 0,
        seconds=1.5,
        origins=tuple(make_origin(number) for number in range(nodes or 0)),
        fates=(
            OperatorFate(
                operator="lab::swish",
                fate=Fate.DECOMPOSED if is_written else Fate.FAILED,
                calls=2,
                nodes={"Sigmoid": 2, "Mul": 2} if is_written else {},
                is_custom=True,
                lines=(line(5), line(6)),
                lost=("beta",) if is_written else (),
            ),
        ),
        dimensions=(
            DimensionFate(
                input="x",
                axis=0,
                asked="batch",
                found="4" if is_written else "",
                is_kept=False,
                because=(because,) if is_written else (),
            ),
        ),
    )


def make_origin(number: int) -> NodeOrigin:
    """Return a node."""
    return NodeOrigin(
        node=f"node_{number}", type="Mul", operator="aten::mul", module=f"layers.{number}", at=line(number + 1)
    )


def line(number: int) -> SourceLine:
    """Return a line of a file of models."""
    return SourceLine(file="/models/nets.py", line=number, text=f"line {number}")


def make_explanation(made: Made, *operators: str) -> ExportExplanation:
    """Return an explanation with a stub for each of these operators."""
    return ExportExplanation(
        model="nets.py:make",
        calls=(),
        attempts=(
            make_attempt(Exporter.TORCHSCRIPT, made.torchscript),
            make_attempt(Exporter.DYNAMO, made.dynamo),
        ),
        stubs=tuple(
            Stub(kind=StubKind.SYMBOLIC, operators=(name,), exporter=Exporter.TORCHSCRIPT, text=f"# {name}\n", todo="t")
            for name in operators
        ),
        findings=(),
    )
