"""The comparisons in the evidence of stages, whichever stage it is, and the largest errors among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from opstudio.checks.results import CallError, CaseResult
from opstudio.checks.stages.extreme import ExtremeEvidence
from opstudio.checks.stages.gradient import GradientEvidence
from opstudio.checks.stages.layout import LayoutEvidence
from opstudio.checks.stages.optimization import OptimizationEvidence
from opstudio.checks.stages.parity import ParityEvidence, ParityResult
from opstudio.checks.stages.value import ValueEvidence
from opstudio.parity.comparison import Comparison
from opstudio.workspace.build_history import ErrorFigure


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedCase:
    """One case of a stage: what was compared, by what it is called; or the error of the call."""

    name: str
    comparisons: tuple[tuple[str, Comparison], ...]
    inputs: str = ""
    """The shapes of the inputs, where the stage tells them."""
    error: str = ""


def compared_cases(evidence: Any) -> Iterator[ComparedCase]:
    """Yield the cases of a stage that compares; nothing for other evidence."""
    match evidence:
        case ValueEvidence() | ExtremeEvidence() | LayoutEvidence():
            yield from map(_case, evidence.cases)
        case ParityEvidence():
            yield from map(_parity_case, evidence.cases)
        case GradientEvidence():
            for item in evidence.cases:
                pairs = tuple((f"gradient of {name}", comparison) for name, comparison in item.comparisons.items())
                yield ComparedCase(name=item.name, comparisons=pairs, error=_message(item.error))
        case OptimizationEvidence():
            for result in evidence.results:
                pairs = (*_numbered("", result.comparisons), *_numbered("at another size", result.grown))
                yield ComparedCase(name=f"{result.file}, {result.level}", comparisons=pairs, error=result.error)
        case _:
            pass


def error_figures(stage: str, evidence: Any) -> tuple[ErrorFigure, ...]:
    """Return the largest error of a stage in each type."""
    largest: dict[str, tuple[float, float]] = {}
    for item in compared_cases(evidence):
        for _, comparison in item.comparisons:
            ratio, absolute = largest.get(comparison.type, (0.0, 0.0))
            largest[comparison.type] = (
                max(ratio, comparison.largest_ratio),
                max(absolute, comparison.largest_absolute),
            )
    return tuple(
        ErrorFigure(stage=stage, type=name, largest_ratio=ratio, largest_absolute=absolute)
        for name, (ratio, absolute) in largest.items()
    )


def _case(item: CaseResult) -> ComparedCase:
    return ComparedCase(
        name=item.name,
        comparisons=_numbered("", item.comparisons),
        inputs=render_shapes(item.inputs),
        error=_message(item.error),
    )


def _parity_case(item: ParityResult) -> ComparedCase:
    pairs = (
        *_numbered("PyTorch against the reference", item.torch_reference),
        *_numbered("ONNX Runtime against PyTorch", item.runtime_torch),
        *_numbered("ONNX Runtime against the reference", item.runtime_reference),
    )
    return ComparedCase(
        name=item.name, comparisons=pairs, inputs=render_shapes(item.inputs), error=_message(item.error)
    )


def _numbered(what: str, comparisons: tuple[Comparison, ...]) -> tuple[tuple[str, Comparison], ...]:
    if len(comparisons) == 1:
        return ((what, comparisons[0]),)
    return tuple((f"{what}, output {index}".lstrip(", "), item) for index, item in enumerate(comparisons))


def _message(error: CallError | None) -> str:
    return "" if error is None else error.message


def render_shapes(shapes: Mapping[str, Sequence[Sequence[int]]]) -> str:
    """Return the shapes of inputs as ``x [8, 512], bias [512]``; those of a variadic input follow one another."""
    texts = (f"{name} {' '.join(str(list(shape)) for shape in group)}" for name, group in shapes.items() if group)
    return ", ".join(texts)
