"""Values: how far every case is from what it is held against, and the worst elements with their inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opstudio.checks.stages.gradient import GradientEvidence
from opstudio.checks.stages.optimization import OptimizationEvidence
from opstudio.parity.comparison import Comparison, Element
from opstudio.workflows.comparisons import ComparedCase, compared_cases
from opstudio.workflows.evidence_sections import Describer, EvidenceContext, Section, Table, table

_SHOWN_ELEMENTS = 20


def describe(context: EvidenceContext) -> Iterator[Section]:
    """Show the statistics of every comparison, then elements."""
    cases = tuple(compared_cases(context.evidence))
    if cases:
        yield Section(title="Errors", content=_errors(cases))
        elements = _elements(cases)
        if elements.rows:
            yield Section(title="Worst elements" if elements.bad else "Largest errors", content=elements)
    if isinstance(context.evidence, GradientEvidence):
        yield from _witnesses(context.evidence)
    if isinstance(context.evidence, OptimizationEvidence):
        yield _levels(context.evidence)


def _errors(cases: Sequence[ComparedCase]) -> Table:
    rows: list[tuple[str, ...]] = []
    bad: list[int] = []
    for case in cases:
        for what, comparison in case.comparisons:
            if not comparison.agrees:
                bad.append(len(rows))
            rows.append((case.name, what, *_statistics(comparison)))
        if case.error:
            bad.append(len(rows))
            rows.append((case.name, case.error, *("",) * 6))
    columns = ("case", "what", "differ", "largest", "of tolerance", "relative", "elements", "mean, and the reference's")
    is_plain = not any(row[1] for row in rows)
    shown = [(row[0], *row[2:]) for row in rows] if is_plain else rows
    titles = (columns[0], *columns[2:]) if is_plain else columns
    return table(titles, shown, numbers=columns[2:7], bad=bad)


def _statistics(comparison: Comparison) -> tuple[str, ...]:
    if not comparison.shapes_agree:
        shapes = f"shape {list(comparison.value_shape)}, not {list(comparison.reference_shape)}"
        return (str(comparison.mismatches), "", "", "", str(comparison.count), shapes)
    ours, theirs = comparison.value_statistics, comparison.reference_statistics
    return (
        str(comparison.mismatches),
        f"{comparison.largest_absolute:.3g}",
        f"{comparison.largest_ratio:.3g}",
        f"{comparison.largest_relative:.3g}",
        str(comparison.count),
        "" if ours is None or theirs is None else f"{ours.mean:.6g}, {theirs.mean:.6g}",
    )


def _elements(cases: Sequence[ComparedCase]) -> Table:
    """Return the elements that do not agree, the worst first; where all agree, those that come closest to that."""
    wrong = [(case, item) for case in cases for _, comparison in case.comparisons for item in comparison.worst]
    closest = [
        (case, comparison.critical)
        for case in cases
        for _, comparison in case.comparisons
        if comparison.critical is not None
    ]
    chosen = sorted(wrong or closest, key=lambda pair: -_part(pair[1]))[:_SHOWN_ELEMENTS]
    rows = [
        (
            case.name,
            str(list(item.index)),
            f"{item.reference:.9g}",
            f"{item.value:.9g}",
            f"{item.allowed:.3g}",
            ", ".join(f"{name} = {value:.9g}" for name, value in item.inputs.items()) or case.inputs,
        )
        for case, item in chosen
    ]
    columns = ("case", "element", "expected", "got", "allowed", "inputs there")
    return table(columns, rows, numbers=columns[2:5], bad=range(len(rows)) if wrong else ())


def _part(element: Element) -> float:
    """Return the difference as a part of what is allowed; what is not finite on one side only comes first."""
    difference = abs(element.value - element.reference)
    if difference != difference:  # noqa: PLR0124 - NaN on one side
        return float("inf")
    return difference / element.allowed if element.allowed else float("inf")


def _witnesses(evidence: GradientEvidence) -> Iterator[Section]:
    rows = [
        (
            case.name,
            case.numerical or "none",
            "" if case.worst is None else f"{case.worst.input}{list(case.worst.index)}",
            "" if case.worst is None else f"{case.worst.analytical:.9g}",
            "" if case.worst is None else f"{case.worst.numerical:.9g}",
            ", ".join(
                (*(f"no gradient of {name}" for name in case.missing), *([case.warning] if case.warning else []))
            ),
        )
        for case in evidence.cases
    ]
    columns = ("case", "second witness", "disagrees at", "backward kernel", "numerical", "beside")
    bad = [index for index, case in enumerate(evidence.cases) if not case.good]
    yield Section(title="Second witness", content=table(columns, rows, numbers=columns[3:5], bad=bad))
    if evidence.instead:
        content = table(("operator",), [(name,) for name in evidence.instead], bad=range(len(evidence.instead)))
        yield Section(title="Run below autograd, in place of the operator", content=content)


def _levels(evidence: OptimizationEvidence) -> Section:
    rows = [
        (item.file, item.level, str(item.custom_nodes_asked), str(item.custom_nodes), item.error)
        for item in evidence.results
    ]
    columns = ("file", "level", "custom nodes", "left", "error")
    bad = [index for index, item in enumerate(evidence.results) if not item.good]
    return Section(title="Levels", content=table(columns, rows, numbers=columns[2:4], bad=bad))


DESCRIBER = Describer(stages=("value", "layout", "extreme", "gradient", "parity", "optimization"), describe=describe)
