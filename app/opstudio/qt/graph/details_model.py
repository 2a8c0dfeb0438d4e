"""What the panel Node says while no node is selected: the model as a whole, and the graph that is looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from opstudio.base.units import render_bytes
from opstudio.model.graph.records import FileFormat, FunctionRecord, GraphRecord
from opstudio.model.graph.value_index import Scope
from opstudio.qt.graph.details_links import more_spans
from opstudio.qt.graph.details_notes import cut_spans
from opstudio.qt.graph.details_numbers import size_text
from opstudio.qt.graph.details_records import Details, Row, ScopeTarget, Section, ValueTarget, code, words
from opstudio.qt.graph.details_source import ModelSource
from opstudio.qt.models.node_rows import scope_title
from opstudio.qt.models.party_words import party_title
from opstudio.workflows.graph import origin_counts

_FEW, _MANY = 12, 1_000


def model_details(source: ModelSource, scope: Scope, expanded: frozenset[str]) -> Details:
    """Return what is said of a model and of the graph of it that is looked at."""
    model, translate = source.model, QCoreApplication.translate
    sections: list[Section] = []
    if scope.path:
        sections.append(_scope_section(source, scope))
    sections.append(_file_section(source, expanded))
    sections.append(
        Section(
            title=translate("Details", "Operator sets"),
            rows=tuple(
                Row(name=domain or "ai.onnx", spans=(code(str(version)),))
                for domain, version in source.opsets(scope).items()
            ),
            is_counted=True,
        )
    )
    sections.extend(_value_sections(source, scope, expanded))
    sections.extend(_count_sections(source, expanded))
    if model.metadata:
        rows = _rows_of_texts(model.metadata, "metadata", expanded)
        sections.append(Section(title=translate("Details", "Metadata"), rows=tuple(rows)))
    return Details(title=model.path.name, sections=tuple(section for section in sections if section.rows))


def _scope_section(source: ModelSource, scope: Scope) -> Section:
    translate = QCoreApplication.translate
    content = scope.content
    rows = [Row(name=translate("Details", "Place"), spans=(code(scope_title(scope.path)),))]
    if isinstance(content, FunctionRecord):
        title = translate("Details", "Function")
        rows.append(Row(name=translate("Details", "Name"), spans=(code(f"{content.domain}:{content.name}", "custom"),)))
        if content.overload:
            rows.append(Row(name=translate("Details", "Overload"), spans=(code(content.overload),)))
        attributes = [*content.attributes, *(item.name for item in content.defaults)]
        if attributes:
            rows.append(Row(name=translate("Details", "Attributes"), spans=(code(", ".join(attributes)),)))
    else:
        title = translate("Details", "Nested graph")
        rows.append(Row(name=translate("Details", "Name"), spans=(code(content.name),)))
    rows.append(Row(name=translate("Details", "Nodes"), spans=(code(f"{len(content.nodes):,}"),)))
    if content.doc_string:
        rows.append(Row(name=translate("Details", "Documentation"), spans=(words(content.doc_string),)))
    around = scope.parent.path if scope.parent is not None else ()
    back = words(translate("Details", "Back to the graph around it"), target=ScopeTarget(scope=around))
    if isinstance(content, FunctionRecord):
        back = words(translate("Details", "Back to the main graph"), target=ScopeTarget(scope=source.index.main.path))
    rows.append(Row(spans=(back,)))
    return Section(title=title, rows=tuple(rows))


def _file_section(source: ModelSource, expanded: frozenset[str]) -> Section:
    model, translate = source.model, QCoreApplication.translate
    written_as = "ONNX" if model.format is FileFormat.ONNX else f"ORT, ONNX Runtime {model.runtime_version}".rstrip()
    texts = {
        translate("Details", "Folder"): str(model.path.parent),
        translate("Details", "Size"): size_text(model.identity.size),
        translate("Details", "Format"): written_as,
        translate("Details", "Not checked"): ""
        if model.format is FileFormat.ONNX
        else translate("Details", "shapes and attributes; the ONNX file that it was made from can be checked in full"),
        translate("Details", "IR version"): str(model.ir_version or ""),
        translate("Details", "Producer"): f"{model.producer} {model.producer_version}".strip(),
        translate("Details", "Domain"): model.domain,
        translate("Details", "Model version"): str(model.model_version or ""),
        translate("Details", "Documentation"): model.doc_string,
        translate("Details", "Weights"): _weights(model.graph),
        translate("Details", "Graphs for training"): str(model.training_graphs or ""),
    }
    return Section(title=translate("Details", "Model"), rows=tuple(_rows_of_texts(texts, "model", expanded)))


def _weights(graph: GraphRecord) -> str:
    tensors = (*graph.initializers, *(tensor.values for tensor in graph.sparse_initializers))
    size = render_bytes(sum(tensor.byte_length for tensor in tensors))
    return (
        QCoreApplication.translate("Details", "{0} tensors, {1}").format(f"{len(tensors):,}", size) if tensors else ""
    )


def _rows_of_texts(texts: Mapping[str, str], prefix: str, expanded: frozenset[str]) -> Iterator[Row]:
    for name, text in texts.items():
        if text:
            yield Row(name=name, spans=tuple(cut_spans(text, f"{prefix} {name}", expanded)))


def _value_sections(source: ModelSource, scope: Scope, expanded: frozenset[str]) -> Iterator[Section]:
    content, translate = scope.content, QCoreApplication.translate
    if isinstance(content, FunctionRecord):
        inputs: Sequence[str] = content.inputs
    else:
        inputs = [value.name for value in content.true_inputs]
    for key, title, names in (
        ("inputs", translate("Details", "Inputs"), inputs),
        ("outputs", translate("Details", "Outputs"), scope.outputs),
    ):
        most = _MANY if key in expanded else _FEW
        rows = [_value_row(source, scope, name) for name in names[:most]]
        if len(names) > most:
            rows.append(Row(spans=tuple(more_spans(len(names), most, key, expanded))))
        yield Section(title=title, rows=tuple(rows))


def _value_row(source: ModelSource, scope: Scope, name: str) -> Row:
    link = code(name, target=ValueTarget(scope=scope.path, value=name))
    kind = source.value_type(scope, name)
    return Row(spans=(link, code(f"  {kind}", "text_2")) if kind else (link,))


def _count_sections(source: ModelSource, expanded: frozenset[str]) -> Iterator[Section]:
    translate = QCoreApplication.translate
    rows = source.nodes.rows
    domains = Counter(row.node.domain or "ai.onnx" for row in rows)
    types = Counter(f"{row.node.domain}:{row.node.type}" if row.node.domain else row.node.type for row in rows)
    parties = origin_counts(source.report.evidence) if source.report is not None else Counter()
    for key, title, counts in (
        ("parties", translate("Details", "Nodes by who implements them"), parties),
        ("domains", translate("Details", "Nodes by domain"), domains),
        ("types", translate("Details", "Nodes by operator"), types),
    ):
        most = _MANY if key in expanded else _FEW
        listed = [_count_row(name, count, len(rows)) for name, count in counts.most_common(most)]
        if len(counts) > most:
            listed.append(Row(spans=tuple(more_spans(len(counts), most, key, expanded))))
        yield Section(title=title, rows=tuple(listed), is_counted=True)


def _count_row(name: str, count: int, total: int) -> Row:
    tone = "bad" if name == "nobody" else "text"
    return Row(
        name=party_title(name), spans=(code(f"{count:,}", tone), words(f" {100 * count / total:.1f} %", "text_2"))
    )
