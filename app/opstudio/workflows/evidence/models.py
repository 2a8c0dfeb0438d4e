"""Models: the sessions of a node, and the nodes of exported files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from opstudio.base.units import render_seconds
from opstudio.checks.stages.export import ExportEvidence
from opstudio.checks.stages.load import LoadEvidence
from opstudio.contract.operator import OperatorContract
from opstudio.contract.torch_schema import render_default
from opstudio.model.export_request import ExportRecord
from opstudio.model.summary_records import ModelSummary, NodeSummary
from opstudio.workflows.evidence_sections import (
    Describer,
    EvidenceContext,
    KeyValues,
    Section,
    Table,
    table,
)

_NODE_COLUMNS = ("type", "domain", "name", "inputs", "outputs", "attributes", "in")


def describe(context: EvidenceContext) -> Iterator[Section]:
    """Show sessions and nodes."""
    match context.evidence:
        case LoadEvidence():
            yield from _load(context, context.evidence)
        case ExportEvidence():
            for record in context.evidence.exports:
                title = f"{record.request.exporter.value}, {record.request.route.value}"
                yield from _export(context, title, record)
            if (alone := context.evidence.composite) is not None:
                yield from _export(context, "The operator alone, of standard nodes", alone)
        case _:
            pass


def _load(context: EvidenceContext, evidence: LoadEvidence) -> Iterator[Section]:
    entries = (
        ("library", context.workspace.relative(evidence.library) if evidence.library else "none"),
        ("providers", ", ".join(evidence.providers) or "not known"),
    )
    yield Section(title="ONNX Runtime", content=KeyValues(entries=entries))
    rows = [
        (
            session.sample,
            ", ".join(dict.fromkeys(kind.value for kind in session.types.values())),
            " ".join(map(_shape, session.inferred)),
            " ".join(map(_shape, session.expected)),
            session.error,
        )
        for session in evidence.sessions
    ]
    bad = [index for index, session in enumerate(evidence.sessions) if not session.good]
    columns = ("sample", "types", "inferred", "expected", "error")
    yield Section(title="Sessions", content=table(columns, rows, bad=bad))
    if context.operator is not None:
        yield Section(title="The model of each session", content=_one_node(context.operator.contract))


def _one_node(contract: OperatorContract) -> Table:
    attributes = (
        f"{item.name}: {item.kind.value}" + ("" if item.default is None else f" = {render_default(item.default)}")
        for item in contract.attributes
    )
    row = (
        contract.onnx_type,
        contract.domain,
        contract.name,
        ", ".join(item.name for item in contract.inputs),
        ", ".join(item.name for item in contract.outputs),
        ", ".join(attributes),
        "",
    )
    return table(_NODE_COLUMNS, [row])


def _export(context: EvidenceContext, title: str, record: ExportRecord) -> Iterator[Section]:
    entries = [
        ("file", context.workspace.relative(record.file) if record.file else "none"),
        ("asked", f"opset {record.request.opset}" + _axes(record)),
        ("exported in", render_seconds(record.seconds)),
    ]
    if record.error:
        entries.append(("error", f"{record.error_type}: {record.error}".lstrip(": ")))
    summary = record.summary
    if summary is not None:
        imports = (f"{domain or 'ai.onnx'} {version}" for domain, version in summary.imports.items())
        entries += [
            ("IR version", str(summary.ir_version)),
            ("imports", ", ".join(imports)),
            ("inputs", ", ".join(f"{item.name} {_shape(item.shape)}" for item in summary.inputs)),
            ("outputs", ", ".join(f"{item.name} {_shape(item.shape)}" for item in summary.outputs)),
            ("ONNX's checker", summary.checker or "content"),
        ]
    entries += [("warning", text) for text in record.warnings]
    yield Section(title=title, content=KeyValues(entries=tuple(entries)))
    if summary is not None:
        name = Path(record.file).name
        yield Section(title=f"Nodes of {name}", content=_nodes(summary))


def _axes(record: ExportRecord) -> str:
    return "".join(f", {item.input}[{item.axis}] varies as {item.name}" for item in record.request.dynamic)


def _nodes(summary: ModelSummary) -> Table:
    shown = summary.first_nodes or summary.custom_nodes
    total = sum(summary.standard_types.values()) + len(summary.custom_nodes)
    rows = [_node(node) for node in shown]
    found = table(_NODE_COLUMNS, rows)
    return Table(columns=found.columns, rows=found.rows, left_out=max(total - len(found.rows), 0))


def _node(node: NodeSummary) -> tuple[str, ...]:
    return (
        node.type,
        node.domain or "ai.onnx",
        node.name,
        ", ".join(node.inputs),
        ", ".join(node.outputs),
        ", ".join(f"{item.name} = {item.value}" for item in node.attributes),
        node.place,
    )


def _shape(shape: Sequence[int | str] | None) -> str:
    return "of any rank" if shape is None else f"[{', '.join(str(size) or '?' for size in shape)}]"


DESCRIBER = Describer(stages=("load", "export"), describe=describe)
