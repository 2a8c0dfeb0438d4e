"""What the panel Node says of a node: its operator, who implements it, attributes, inputs, outputs, notes."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from opstudio.model.graph.records import NodeRecord
from opstudio.model.graph.value_index import Scope
from opstudio.qt.graph.details_attributes import attribute_section
from opstudio.qt.graph.details_links import more_spans, producer_spans, reader_spans
from opstudio.qt.graph.details_notes import notes_section
from opstudio.qt.graph.details_party import party_section
from opstudio.qt.graph.details_reading import NodeReading
from opstudio.qt.graph.details_records import (
    Details,
    Row,
    ScopeTarget,
    Section,
    Span,
    ValueTarget,
    code,
    words,
)
from opstudio.qt.graph.details_source import ModelSource, parameter_name
from opstudio.qt.models.node_rows import scope_title

FEW_VALUES, MANY_VALUES = 40, 2_000


def node_details(
    source: ModelSource, scope: Scope, index: int, reading: NodeReading, expanded: frozenset[str], waiting: str
) -> Details:
    """Return what is said of a node.

    Args:
        source: the model.
        scope: the graph that the node stands in.
        index: its number there.
        reading: what was read from the file besides.
        expanded: the keys of what is shown in full.
        waiting: what is said of who implements it while nobody knows.
    """
    node = scope.content.nodes[index]
    schema = source.schema(node)
    sections = (
        _operator_section(source, scope, index),
        party_section(source, scope, index, waiting),
        attribute_section(node, scope, schema, reading, expanded),
        _inputs_section(source, scope, node, expanded),
        _outputs_section(source, scope, node, expanded),
        notes_section(reading, expanded),
    )
    return Details(
        title=f"{node.domain}:{node.type}" if node.domain else node.type,
        name=node.name or f"#{index}",
        tone="custom" if node.domain else "text",
        sections=tuple(section for section in sections if section is not None),
    )


def _operator_section(source: ModelSource, scope: Scope, index: int) -> Section:
    node = scope.content.nodes[index]
    translate = QCoreApplication.translate
    rows = [
        Row(name=translate("Details", "Domain"), spans=(code(node.domain or "ai.onnx"),)),
        Row(name=translate("Details", "Version"), spans=tuple(_version(source, scope, node))),
    ]
    if node.overload:
        rows.append(Row(name=translate("Details", "Overload"), spans=(code(node.overload),)))
    if scope.path:
        title = code(scope_title(scope.path), target=ScopeTarget(scope=scope.path))
        rows.append(Row(name=translate("Details", "Graph"), spans=(title,)))
    number = f"{index + 1:,} / {len(scope.content.nodes):,}"
    rows.append(Row(name=translate("Details", "Number"), spans=(code(number),)))
    if node.provider:
        rows.append(Row(name=translate("Details", "Given to"), spans=(code(node.provider),)))
    return Section(title=translate("Details", "Operator"), rows=tuple(rows))


def _version(source: ModelSource, scope: Scope, node: NodeRecord) -> Iterator[Span]:
    imported = source.opsets(scope).get(node.domain)
    if imported is None:
        yield words(QCoreApplication.translate("Details", "the file does not import the domain"), "warn")
    else:
        yield code(str(imported))
    schema = source.schema(node)
    if schema is not None:
        text = QCoreApplication.translate("Details", "defined since {0}").format(schema.since_version)
        yield words(f"  {text}", "text_2")


def _inputs_section(source: ModelSource, scope: Scope, node: NodeRecord, expanded: frozenset[str]) -> Section | None:
    schema = source.schema(node)
    parameters = schema.inputs if schema is not None else ()
    most = MANY_VALUES if "inputs" in expanded else FEW_VALUES
    rows = [
        Row(name=_slot_title(slot, parameter_name(parameters, slot)), spans=tuple(_input(source, scope, name)))
        for slot, name in enumerate(node.inputs[:most])
    ]
    if len(node.inputs) > most:
        rows.append(Row(spans=tuple(more_spans(len(node.inputs), most, "inputs", expanded))))
    return Section(title=QCoreApplication.translate("Details", "Inputs"), rows=tuple(rows)) if rows else None


def _input(source: ModelSource, scope: Scope, name: str) -> Iterator[Span]:
    translate = QCoreApplication.translate
    if not name:
        yield words(translate("Details", "left out"), "text_2")
        return
    yield code(name, target=ValueTarget(scope=scope.path, value=name))
    if kind := source.value_type(scope, name):
        yield code(f"\n{kind}", "text_2")
    yield words("\n")
    yield from producer_spans(source, scope, name)


def _outputs_section(source: ModelSource, scope: Scope, node: NodeRecord, expanded: frozenset[str]) -> Section | None:
    schema = source.schema(node)
    parameters = schema.outputs if schema is not None else ()
    most = MANY_VALUES if "outputs" in expanded else FEW_VALUES
    rows = [
        Row(
            name=_slot_title(slot, parameter_name(parameters, slot)),
            spans=tuple(_output(source, scope, name, expanded)),
        )
        for slot, name in enumerate(node.outputs[:most])
    ]
    if len(node.outputs) > most:
        rows.append(Row(spans=tuple(more_spans(len(node.outputs), most, "outputs", expanded))))
    return Section(title=QCoreApplication.translate("Details", "Outputs"), rows=tuple(rows)) if rows else None


def _output(source: ModelSource, scope: Scope, name: str, expanded: frozenset[str]) -> Iterator[Span]:
    translate = QCoreApplication.translate
    if not name:
        yield words(translate("Details", "left out"), "text_2")
        return
    yield code(name, target=ValueTarget(scope=scope.path, value=name))
    if kind := source.value_type(scope, name):
        yield code(f"\n{kind}", "text_2")
    yield words("\n")
    yield from reader_spans(source, scope, name, expanded, to=translate("Details", "to "))


def _slot_title(slot: int, name: str) -> str:
    return f"{slot}  {name}".rstrip()
