"""Numbers and shapes as people read them in findings, and the evidence that goes with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from opstudio.base.finding import Json
from opstudio.checks.results import CaseResult
from opstudio.parity.axis_order import AxisOrderSearch
from opstudio.parity.comparison import Comparison, Element

_SHOWN = 5
_EXACT = 2**53
"""Up to here float64, in which elements are compared, tells all whole numbers apart."""


def describe_element(element: Element) -> str:
    """Return one differing element as text: index, value, reference."""
    index = _render_index(element.index)
    value, reference = (_render_number(number) for number in (element.value, element.reference))
    if not element.is_written:
        return f"element {index} was never written, the reference {reference}"
    if value == reference:
        value, reference = repr(element.value), repr(element.reference)
    return f"element {index} is {value}, the reference {reference}"


def describe_origin(element: Element, attributes: Mapping[str, object] | None = None) -> str:
    """Return what an element is computed from: ``x[0][2] = 2.887, limit = 1``; empty where nothing is known."""
    index = _render_index(element.index)
    values = [f"{name}{index} = {_render_number(value)}" for name, value in element.inputs.items()]
    return ", ".join([*values, *(f"{name} = {_render_attribute(value)}" for name, value in (attributes or {}).items())])


def _render_index(index: Sequence[int]) -> str:
    return "".join(f"[{position}]" for position in index) or "[]"


def _render_attribute(value: object) -> str:
    if isinstance(value, float):
        return _render_number(value)
    return repr(list(value)) if isinstance(value, tuple) else repr(value)


def _render_number(number: float) -> str:
    """Return a number with the digits that float32 holds, and whole numbers with all of theirs."""
    return str(int(number)) if abs(number) < _EXACT and float(number).is_integer() else f"{number:.9g}"


def describe_comparison(comparison: Comparison, attributes: Mapping[str, object] | None = None) -> str:
    """Return how two arrays differ as one clause, with what the worst element is computed from, where that is known."""
    if not comparison.shapes_agree:
        return f"shape {list(comparison.value_shape)} instead of {list(comparison.reference_shape)}"
    if comparison.mismatches:
        worst = f"; {describe_element(comparison.worst[0])}" if comparison.worst else ""
        if comparison.worst and (origin := describe_origin(comparison.worst[0], attributes)):
            worst += f", where {origin}"
        counts = f"{comparison.mismatches} of {comparison.count} elements differ"
        return f"{counts}, by up to {comparison.largest_absolute:.3g}{worst}"
    ours, theirs = comparison.value_statistics, comparison.reference_statistics
    if ours is not None and theirs is not None:
        means = f"mean {ours.mean:.9g} against {theirs.mean:.9g}"
        variances = f"variance {ours.variance:.9g} against {theirs.variance:.9g}"
        return f"every element is within the tolerance, the statistics are not: {means}, {variances}"
    return "one side has finite values where the other has none"


def comparison_evidence(comparison: Comparison, attributes: Mapping[str, Json] | None = None) -> dict[str, Json]:
    """Return what a comparison found, for machines."""
    return {
        "attributes": dict(attributes or {}),
        "unwritten": comparison.unwritten,
        "mismatches": comparison.mismatches,
        "count": comparison.count,
        "largest_absolute": comparison.largest_absolute,
        "largest_relative": comparison.largest_relative,
        "worst": [
            {
                "index": list(item.index),
                "value": item.value,
                "reference": item.reference,
                "allowed": item.allowed,
                "inputs": dict(item.inputs),
                "written": item.is_written,
            }
            for item in comparison.worst[:_SHOWN]
        ],
    }


def axis_order_evidence(search: AxisOrderSearch | None) -> dict[str, Json]:
    """Return what a search for another order of axes ended with, for machines; nothing where there was none."""
    if search is None:
        return {}
    orders: list[Json] = [
        {"side": item.side.value, "tensor": item.tensor, "axes": list(item.axes), "memory": item.is_memory}
        for item in search.orders
    ]
    told = {"outcome": search.outcome.value, "reason": search.reason, "cases": list(search.cases), "orders": orders}
    return {"axis_orders": told}


def first_bad(cases: Iterable[CaseResult]) -> tuple[CaseResult, Comparison] | None:
    """Return the first case with an output that does not agree, and that comparison.

    Cases of several elements come first: of a single one it does not show whether an index or the formula is wrong.
    """
    bad = [(case, comparison) for case in cases for comparison in case.comparisons if not comparison.agrees]
    return next((found for found in bad if found[1].count > 1), bad[0] if bad else None)


def join_names(names: Sequence[str]) -> str:
    """Return names as a list within a sentence, cut where it gets long."""
    shown = list(dict.fromkeys(names))
    rest = len(shown) - _SHOWN
    return ", ".join(shown[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def render_mapping(values: Mapping[str, object]) -> str:
    """Return names and values as ``scale=1.5, axis=-1``."""
    return ", ".join(f"{name}={value!r}" for name, value in values.items())
