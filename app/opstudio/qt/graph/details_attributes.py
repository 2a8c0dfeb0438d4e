"""The attributes of a node: those it has with their values, and those that its definition has besides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QCoreApplication

from opstudio.model.graph.records import (
    AttributeKind,
    AttributeRecord,
    AttributeValue,
    BulkValue,
    GraphRecord,
    NodeRecord,
)
from opstudio.model.graph.tensor_records import SparseTensorRecord, TensorRecord
from opstudio.model.graph.value_index import Scope
from opstudio.model.graph.value_types import TensorType
from opstudio.model.runtime.records import OperatorSchema
from opstudio.qt.graph.details_numbers import float32_text
from opstudio.qt.graph.details_reading import NodeReading
from opstudio.qt.graph.details_records import MoreTarget, Row, ScopeTarget, Section, Span, code, words

SHORT_ITEMS, LONG_ITEMS = 12, 2_000
SHORT_TEXT, LONG_TEXT = 160, 20_000


def attribute_section(
    node: NodeRecord, scope: Scope, schema: OperatorSchema | None, reading: NodeReading, expanded: frozenset[str]
) -> Section | None:
    """Return the attributes of a node.

    Args:
        node: the node.
        scope: the graph that it stands in.
        schema: the runtime's definition, where it has one.
        reading: what was read from the file besides.
        expanded: the names of those that are shown in full.
    """
    rows = [
        Row(
            name=f"{attribute.name}  {attribute.kind.name}",
            spans=tuple(_value(attribute, scope, reading, is_long=attribute.name in expanded)),
        )
        for attribute in node.attributes
    ]
    given = {attribute.name for attribute in node.attributes}
    for formal in schema.attributes if schema is not None else ():
        if formal.name not in given:
            text = (
                QCoreApplication.translate("Details", "not given, though it must be")
                if formal.required
                else QCoreApplication.translate("Details", "not given")
            )
            rows.append(
                Row(name=f"{formal.name}  {formal.kind}", spans=(words(text, "bad" if formal.required else "text_2"),))
            )
    if not rows:
        return None
    return Section(title=QCoreApplication.translate("Details", "Attributes"), rows=tuple(rows))


def _value(attribute: AttributeRecord, scope: Scope, reading: NodeReading, *, is_long: bool) -> Iterator[Span]:
    if attribute.reference:
        text = QCoreApplication.translate("Details", "that of the function's attribute {0}")
        yield words(text.format(attribute.reference), "text_2")
        return
    value: AttributeValue = reading.values.get(attribute.name, attribute.value)
    if isinstance(value, BulkValue):
        yield words(QCoreApplication.translate("Details", "being read"), "text_2")
        return
    items = value if isinstance(value, tuple) else (value,)
    if any(isinstance(item, GraphRecord) for item in items):
        for item in items:
            inner = next((child for child in scope.children if child.content is item), None)
            if isinstance(item, GraphRecord) and inner is not None:
                nodes = QCoreApplication.translate("Details", "{0} nodes").format(f"{len(item.nodes):,}")
                yield code(item.name or attribute.name, target=ScopeTarget(scope=inner.path))
                yield words(f"  {nodes}", "text_2")
        return
    if any(isinstance(item, TensorRecord | SparseTensorRecord) for item in items):
        yield from _tensors(attribute, items, reading)
        return
    yield from _plain(attribute, value, is_long=is_long)


def _tensors(attribute: AttributeRecord, items: Sequence[object], reading: NodeReading) -> Iterator[Span]:
    previews = reading.previews.get(attribute.name, ())
    for number, item in enumerate(items[:SHORT_ITEMS]):
        tensor = item.values if isinstance(item, SparseTensorRecord) else item
        if not isinstance(tensor, TensorRecord):
            continue
        shape = item.shape if isinstance(item, SparseTensorRecord) else tensor.shape
        kind = TensorType(element_type=tensor.element_type, shape=shape, is_sparse=item is not tensor)
        yield code(f"{chr(10) if number else ''}{kind}")
        if number < len(previews):
            yield code(f"\n{previews[number]}", "text_2")
    if len(items) > SHORT_ITEMS:
        more = QCoreApplication.translate("Details", "and {0} more").format(f"{len(items) - SHORT_ITEMS:,}")
        yield words(f"\n{more}", "text_2")


def _plain(attribute: AttributeRecord, value: AttributeValue, *, is_long: bool) -> Iterator[Span]:
    most_items, most_text = (LONG_ITEMS, LONG_TEXT) if is_long else (SHORT_ITEMS, SHORT_TEXT)
    left_out = 0
    if isinstance(value, tuple):
        left_out = max(len(value) - most_items, 0)
        text = f"[{', '.join(_item(item, attribute.kind) for item in value[:most_items])}{', …' if left_out else ''}]"
    else:
        text = _item(value, attribute.kind)
    is_cut = len(text) > most_text
    yield code(f"{text[:most_text]} …" if is_cut else text)
    if left_out or is_cut:
        count = f" ({len(value):,})" if isinstance(value, tuple) else f" ({len(text):,})"
        if is_long:
            yield words(QCoreApplication.translate("Details", "  the rest is left out") + count, "text_2")
        else:
            yield words("  ", "text_2")
            label = QCoreApplication.translate("Details", "all") + count
            yield words(label, target=MoreTarget(key=attribute.name))


def _item(item: object, kind: AttributeKind) -> str:
    if isinstance(item, float):
        return float32_text(item)
    if isinstance(item, str):
        return f'"{item}"' if kind in (AttributeKind.STRINGS, AttributeKind.STRING) else item
    return str(item)
