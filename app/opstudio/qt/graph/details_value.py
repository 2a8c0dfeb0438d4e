"""What the panel Node says of a value: its type, who makes and who reads it; of a constant where and what it is."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from opstudio.model.graph.records import GraphRecord
from opstudio.model.graph.tensor_records import ExternalBytes, RawBytes, SparseTensorRecord, TensorRecord, TypedField
from opstudio.model.graph.tensor_statistics import TensorStatistics
from opstudio.model.graph.value_index import Scope
from opstudio.qt.graph.details_links import producer_spans, reader_spans
from opstudio.qt.graph.details_numbers import number_text, size_text
from opstudio.qt.graph.details_reading import TensorReading
from opstudio.qt.graph.details_records import Details, MoreTarget, Row, ScopeTarget, Section, Span, code, words
from opstudio.qt.graph.details_source import ModelSource
from opstudio.qt.models.node_rows import scope_title

FEW_ELEMENTS, MANY_ELEMENTS = 64, 2_000
MOST_AT_ONCE = 256 * 2**20
"""Bytes of a tensor whose statistics are computed without being asked for."""
STATISTICS, ELEMENTS = "statistics", "elements"
"""The keys of what is shown when it is asked for."""
_ROW_WIDTHS = range(4, 17)
"""Sizes of a last dimension whose elements stand in one line."""


def value_details(
    source: ModelSource, scope: Scope, name: str, reading: TensorReading | None, expanded: frozenset[str]
) -> Details:
    """Return what is said of a value.

    Args:
        source: the model.
        scope: the graph that it is seen from.
        name: its name.
        reading: its elements, once they are read; of constants only.
        expanded: the keys of what is shown in full.
    """
    tensor = source.nodes.tensor(scope, name)
    sections = [_value_section(source, scope, name, expanded)]
    if tensor is not None:
        stored = tensor.values if isinstance(tensor, SparseTensorRecord) else tensor
        sections.append(_storage_section(stored, tensor))
        sections.extend(_element_sections(stored, reading, expanded))
    translate = QCoreApplication.translate
    title = translate("Details", "Value") if tensor is None else translate("Details", "Constant")
    return Details(title=title, name=name, sections=tuple(sections))


def needs_asking(tensor: TensorRecord) -> bool:
    """Whether a tensor is so large that its statistics are computed only when they are asked for."""
    return tensor.byte_length > MOST_AT_ONCE


def _value_section(source: ModelSource, scope: Scope, name: str, expanded: frozenset[str]) -> Section:
    translate = QCoreApplication.translate
    kind = source.value_type(scope, name)
    unknown = words(translate("Details", "not known"), "text_2")
    rows = [
        Row(name=translate("Details", "Type"), spans=(code(kind) if kind else unknown,)),
        Row(name=translate("Details", "Made by"), spans=tuple(producer_spans(source, scope, name))),
        Row(name=translate("Details", "Read by"), spans=tuple(reader_spans(source, scope, name, expanded))),
    ]
    defining = scope.defining(name)
    if defining is not None and defining.path:
        title = code(scope_title(defining.path), target=ScopeTarget(scope=defining.path))
        rows.append(Row(name=translate("Details", "Graph"), spans=(title,)))
    if defining is not None and isinstance(defining.content, GraphRecord):
        rows.extend(
            Row(name=key, spans=(code(value),)) for key, value in defining.content.quantization.get(name, {}).items()
        )
    return Section(title=translate("Details", "Value"), rows=tuple(rows))


def _storage_section(stored: TensorRecord, tensor: TensorRecord | SparseTensorRecord) -> Section:
    translate = QCoreApplication.translate
    count = f"{stored.element_count:,}"
    if isinstance(tensor, SparseTensorRecord):
        count = translate("Details", "{0} stored").format(count)
    rows = [
        Row(name=translate("Details", "Elements"), spans=(code(count),)),
        Row(name=translate("Details", "Size"), spans=(code(size_text(stored.byte_length)),)),
        Row(name=translate("Details", "Stored"), spans=tuple(_storage(stored))),
    ]
    if stored.problem:
        text = translate("Details", "The values cannot be read: {0}").format(stored.problem)
        rows.append(Row(name=translate("Details", "Problem"), spans=(words(text, "bad"),)))
    return Section(title=translate("Details", "Storage"), rows=tuple(rows))


def _storage(stored: TensorRecord) -> Iterator[Span]:
    translate = QCoreApplication.translate
    match stored.data:
        case None:
            yield words(translate("Details", "nowhere"), "text_2")
        case RawBytes(offset=offset):
            yield words(translate("Details", "in the model file, from byte {0}").format(f"{offset:,}"))
        case TypedField(field=field, offset=offset):
            text = translate("Details", "in the model file, as {0}, from byte {1}")
            yield words(text.format(field, f"{offset:,}"))
        case ExternalBytes(location=location, offset=offset):
            text = translate("Details", "from byte {0}").format(f"{offset:,}")
            yield code(location)
            yield words(f"\n{text}", "text_2")


def _element_sections(
    stored: TensorRecord, reading: TensorReading | None, expanded: frozenset[str]
) -> Iterator[Section]:
    translate = QCoreApplication.translate
    if stored.problem or not stored.element_count:
        return
    if reading is None:
        waiting = Row(spans=(words(translate("Details", "being read"), "text_2"),))
        yield Section(title=translate("Details", "Elements"), rows=(waiting,))
        return
    if reading.problem is not None:
        problem = reading.problem
        text = words(f"{problem.cause}\n", "bad"), words(problem.fix, "text_2")
        yield Section(title=translate("Details", "Elements"), rows=(Row(spans=text),))
        return
    if reading.statistics is not None:
        yield Section(
            title=translate("Details", "Statistics"),
            rows=tuple(_statistics_rows(reading.statistics)),
            statistics=reading.statistics,
            is_whole=reading.is_whole,
        )
    elif needs_asking(stored):
        ask = words(translate("Details", "Compute them from all elements"), target=MoreTarget(key=STATISTICS))
        yield Section(title=translate("Details", "Statistics"), rows=(Row(spans=(ask,)),))
    yield Section(
        title=translate("Details", "Elements"), rows=(Row(spans=tuple(_elements(stored, reading, expanded))),)
    )


def _statistics_rows(found: TensorStatistics) -> Iterator[Row]:
    translate = QCoreApplication.translate
    for name, value in (
        (translate("Details", "Minimum"), found.minimum),
        (translate("Details", "Maximum"), found.maximum),
        (translate("Details", "Mean"), found.mean),
        (translate("Details", "Standard deviation"), found.standard_deviation),
    ):
        if value is not None:
            yield Row(name=name, spans=(code(number_text(value)),))
    share = f"{100 * found.zeros / found.count:.3g} %"
    yield Row(name=translate("Details", "Zeros"), spans=(code(f"{found.zeros:,}  ({share})"),))
    for name, count in (
        ("NaN", found.nans),
        ("+inf", found.positive_infinities),
        ("−inf", found.negative_infinities),
    ):
        yield Row(name=name, spans=(code(f"{count:,}", "bad" if count else "text"),))


def _elements(stored: TensorRecord, reading: TensorReading, expanded: frozenset[str]) -> Iterator[Span]:
    most = MANY_ELEMENTS if ELEMENTS in expanded else FEW_ELEMENTS
    shown = reading.values[:most]
    is_table = len(stored.shape) > 1 and stored.shape[-1] in _ROW_WIDTHS
    width = stored.shape[-1] if is_table else len(shown) or 1
    lines = [", ".join(shown[start : start + width]) for start in range(0, len(shown), width)]
    is_cut = stored.element_count > len(shown)
    yield code("\n".join(lines) + (", …" if is_cut else ""))
    if is_cut:
        count = stored.element_count
        if ELEMENTS in expanded:
            text = QCoreApplication.translate("Details", "and {0} more").format(f"{count - len(shown):,}")
            yield words(f"\n{text}", "text_2")
        else:
            text = QCoreApplication.translate("Details", "more of {0}").format(f"{count:,}")
            yield words("  ")
            yield words(text, target=MoreTarget(key=ELEMENTS))
