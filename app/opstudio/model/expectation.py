"""Holds an exported file against what was asked: every difference is told, none is judged here."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from opstudio.model.export_request import ExportRecord, OperatorCall, Route
from opstudio.model.summary import ModelSummary, NodeSummary


class DifferenceKind(enum.StrEnum):
    """In which respect a file differs from the request."""

    NODE_MISSING = "node_missing"
    """An operator that the eager model calls has no node."""
    NODE_RENAMED = "node_renamed"
    """There is a node of that operator under another domain or type."""
    NODE_LEFT = "node_left"
    """A custom node is left in a file that should hold standard nodes only."""
    ATTRIBUTE_MISSING = "attribute_missing"
    ATTRIBUTE_KIND = "attribute_kind"
    ATTRIBUTE_VALUE = "attribute_value"
    INPUT_COUNT = "input_count"
    IMPORT_MISSING = "import_missing"
    IMPORT_VERSION = "import_version"
    OPSET = "opset"
    DIMENSION_FIXED = "dimension_fixed"
    INPUT_UNKNOWN = "input_unknown"
    """An axis was asked to vary of an input that the model does not have."""
    EXTERNAL_DATA = "external_data"
    INVALID = "invalid"
    """ONNX's checker refuses the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One difference: what was asked and what is there, as text. ``subject`` is the node, input or attribute."""

    kind: DifferenceKind
    subject: str
    asked: str
    found: str
    operator: str = ""


def differences(record: ExportRecord) -> tuple[Difference, ...]:
    """Return every difference between a record's file and its request; none where there is no file."""
    if record.summary is None:
        return ()
    return (
        *_file_differences(record, record.summary),
        *_dynamic_differences(record, record.summary),
        *_node_differences(record, record.summary),
    )


def _file_differences(record: ExportRecord, summary: ModelSummary) -> Iterator[Difference]:
    opset = summary.imports.get("", summary.imports.get("ai.onnx", 0))
    if opset != record.request.opset:
        yield Difference(kind=DifferenceKind.OPSET, subject="opset", asked=str(record.request.opset), found=str(opset))
    if summary.external_files:
        yield Difference(
            kind=DifferenceKind.EXTERNAL_DATA,
            subject="weights",
            asked="inside the file",
            found=", ".join(summary.external_files),
        )
    # Without its library nobody knows a custom operator, so that the checker's word counts for standard nodes only.
    if summary.checker and not _is_about_custom(summary):
        yield Difference(kind=DifferenceKind.INVALID, subject="file", asked="valid ONNX", found=summary.checker[:400])


def _is_about_custom(summary: ModelSummary) -> bool:
    return any(
        f"domain: {node.domain}" in summary.checker or "No opset import" in summary.checker
        for node in summary.custom_nodes
    )


def _dynamic_differences(record: ExportRecord, summary: ModelSummary) -> Iterator[Difference]:
    shapes = {item.name: item.shape for item in summary.inputs}
    for name, axes in record.request.dynamic.items():
        if name not in shapes:
            yield Difference(
                kind=DifferenceKind.INPUT_UNKNOWN, subject=name, asked=name, found=", ".join(shapes) or "no inputs"
            )
            continue
        for axis in axes:
            shape = shapes[name] or ()
            if axis < len(shape) and isinstance(shape[axis], int):
                yield Difference(
                    kind=DifferenceKind.DIMENSION_FIXED,
                    subject=f"axis {axis} of {name}",
                    asked="varies",
                    found=str(shape[axis]),
                )


def _node_differences(record: ExportRecord, summary: ModelSummary) -> Iterator[Difference]:
    if record.request.route is Route.STANDARD:
        for node in summary.custom_nodes:
            yield Difference(
                kind=DifferenceKind.NODE_LEFT,
                subject=_name(node),
                asked="standard nodes",
                found=f"{node.domain}:{node.type}",
            )
        return
    remaining = list(summary.custom_nodes)
    for call in record.calls:
        found = [item for item in remaining if (item.domain, item.type) == (call.domain, call.onnx_type)]
        if not found:
            yield _missing(call, summary)
            continue
        remaining.remove(found[0])
        yield from _compare_node(call, found[0])
    yield from _import_differences(record, summary)


def _missing(call: OperatorCall, summary: ModelSummary) -> Difference:
    wanted = f"{call.domain}:{call.onnx_type}"
    folded = {call.onnx_type.casefold(), call.operator.partition("::")[2].casefold()}
    alike = [node for node in summary.custom_nodes if node.type.casefold() in folded]
    if alike:
        found = f"{alike[0].domain}:{alike[0].type}"
        return Difference(
            kind=DifferenceKind.NODE_RENAMED, subject=_name(alike[0]), asked=wanted, found=found, operator=call.operator
        )
    present = ", ".join(f"{count} × {name.lstrip(':')}" for name, count in sorted(summary.standard_types.items()))
    return Difference(
        kind=DifferenceKind.NODE_MISSING, subject=wanted, asked=wanted, found=present, operator=call.operator
    )


def _compare_node(call: OperatorCall, node: NodeSummary) -> Iterator[Difference]:
    count = sum(bool(name) for name in node.inputs)
    if count != call.tensor_inputs:
        yield Difference(
            kind=DifferenceKind.INPUT_COUNT,
            subject=_name(node),
            asked=f"{call.tensor_inputs} inputs",
            found=f"{count} inputs",
            operator=call.operator,
        )
    present = {attribute.name: attribute for attribute in node.attributes}
    for name, value in call.attributes.items():
        attribute = present.get(name)
        if attribute is None:
            kind, found = DifferenceKind.ATTRIBUTE_MISSING, ", ".join(present) or "no attributes"
        elif _kind_differs(value, attribute.kind):
            kind, found = DifferenceKind.ATTRIBUTE_KIND, f"{attribute.kind} {attribute.value}"
        elif attribute.value != value:
            kind, found = DifferenceKind.ATTRIBUTE_VALUE, attribute.value
        else:
            continue
        yield Difference(kind=kind, subject=name, asked=value, found=found, operator=call.operator)


def _kind_differs(value: str, kind: str) -> bool:
    """Whether a number with a point arrived as an integer, or the reverse."""
    if kind == "INT":
        return "." in value or "e" in value or value in ("inf", "nan")
    return kind == "FLOAT" and value.lstrip("-").isdecimal()


def _import_differences(record: ExportRecord, summary: ModelSummary) -> Iterator[Difference]:
    for domain, version in sorted({(call.domain, call.version) for call in record.calls}):
        found = summary.imports.get(domain)
        if found is None and any(node.domain == domain for node in summary.custom_nodes):
            yield Difference(
                kind=DifferenceKind.IMPORT_MISSING, subject=domain, asked=f"{domain}:{version}", found="no import"
            )
        elif found is not None and found != version:
            yield Difference(
                kind=DifferenceKind.IMPORT_VERSION,
                subject=domain,
                asked=f"{domain}:{version}",
                found=f"{domain}:{found}",
            )


def _name(node: NodeSummary) -> str:
    return node.name or node.type
