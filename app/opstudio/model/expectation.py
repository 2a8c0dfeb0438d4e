"""Holds an exported file against what was asked: every difference is told, none is judged here."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from opstudio.model.export_request import ExportRecord, OperatorCall, Route
from opstudio.model.summary_records import ModelSummary, NodeSummary

LARGE_BYTES = 1536 * 1024 * 1024
"""From this size on PyTorch writes the weights beside the model: a file holds 2 GiB at most."""


class DifferenceKind(enum.StrEnum):
    """In which respect a file differs from the request."""

    NODE_MISSING = "node_missing"
    """An operator that the eager model calls has no node."""
    NODE_MERGED = "node_merged"
    """A call with side effects was left out, or made one with an equal one."""
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


def has_all_nodes(record: ExportRecord) -> bool:
    """Whether no call lacks its node, as far as is known by now."""
    return not any(item.kind is DifferenceKind.NODE_MISSING for item in differences(record))


def _file_differences(record: ExportRecord, summary: ModelSummary) -> Iterator[Difference]:
    opset = summary.imports.get("", summary.imports.get("ai.onnx"))
    # A file of custom nodes alone may import their domains only.
    if opset != record.request.opset and (opset is not None or summary.standard_types):
        found = "none" if opset is None else str(opset)
        yield Difference(kind=DifferenceKind.OPSET, subject="opset", asked=str(record.request.opset), found=found)
    if summary.external_files and summary.external_bytes < LARGE_BYTES:
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
    node = re.search(r"OpType: (\w+)", summary.checker)
    custom = {item.type for item in summary.custom_nodes}
    standard = {name.partition(":")[2] for name in summary.standard_types}
    domain = re.search(r"No opset import for domain '([^']+)'", summary.checker)
    return domain is not None or (node is not None and node[1] in custom - standard)


def _dynamic_differences(record: ExportRecord, summary: ModelSummary) -> Iterator[Difference]:
    shapes = {item.name: item.shape for item in summary.inputs}
    for item in record.request.dynamic:
        if item.input not in shapes:
            yield Difference(
                kind=DifferenceKind.INPUT_UNKNOWN,
                subject=item.input,
                asked=item.input,
                found=", ".join(shapes) or "no inputs",
            )
            continue
        shape = shapes[item.input] or ()
        if item.axis < len(shape) and isinstance(shape[item.axis], int):
            yield _fixed(f"axis {item.axis} of {item.input}", str(shape[item.axis]))
    resized = record.resized
    if resized is None:
        return
    if resized.error:
        names = ", ".join(dict.fromkeys(item.input for item in record.request.dynamic))
        yield _fixed(f"the sizes of {names}", f"PyTorch itself refuses {_shapes(resized.inputs)}: {resized.error}")
        return
    for output, before, after in zip(summary.outputs, record.eager.outputs, resized.outputs, strict=False):
        for axis, (old, new) in enumerate(zip(before, after, strict=False)):
            shape = output.shape or ()
            if old != new and axis < len(shape) and isinstance(shape[axis], int):
                yield _fixed(f"axis {axis} of {output.name}", str(shape[axis]))


def _fixed(subject: str, found: str) -> Difference:
    return Difference(kind=DifferenceKind.DIMENSION_FIXED, subject=subject, asked="varies", found=found)


def _shapes(sizes: Sequence[tuple[int, ...]]) -> str:
    return ", ".join(str(list(shape)) for shape in sizes)


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
    for operator in dict.fromkeys(call.operator for call in record.calls):
        calls = [call for call in record.calls if call.operator == operator]
        yield from _compare_operator(calls, summary)
    yield from _import_differences(record, summary)


def _compare_operator(calls: Sequence[OperatorCall], summary: ModelSummary) -> Iterator[Difference]:
    """Compare all calls of one operator with its nodes: what agrees is matched first, the rest in order."""
    first = calls[0]
    nodes = [item for item in summary.custom_nodes if (item.domain, item.type) == (first.domain, first.onnx_type)]
    if first.side_effects and nodes and len(nodes) != len(calls):
        yield Difference(
            kind=DifferenceKind.NODE_MERGED,
            subject=f"{first.domain}:{first.onnx_type}",
            asked=_count(len(calls), "call"),
            found=_count(len(nodes), "node"),
            operator=first.operator,
        )
    remaining, open_calls = list(nodes), []
    # Exporters make one node of equal calls and leave out what nobody reads, unless that would be seen.
    for call in sorted(calls, key=_may_be_left_out):
        match = next((node for node in remaining if not any(_compare_node(call, node))), None)
        if match is None:
            open_calls.append(call)
        elif not match.place:  # one in a loop or a function may serve many calls
            remaining.remove(match)
    for call in open_calls:
        if remaining:
            yield from _compare_node(call, remaining.pop(0))
        elif not (_may_be_left_out(call) or call.expand or (call.side_effects and nodes)):
            yield _missing(call, summary)


def _may_be_left_out(call: OperatorCall) -> bool:
    return (call.repeated or call.unused) and not call.side_effects


def _missing(call: OperatorCall, summary: ModelSummary) -> Difference:
    wanted = f"{call.domain}:{call.onnx_type}"
    folded = {call.onnx_type.casefold(), call.operator.partition("::")[2].casefold()}
    alike = [
        node
        for node in summary.custom_nodes
        if node.type.casefold() in folded and (node.domain, node.type) != (call.domain, call.onnx_type)
    ]
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
            asked=_count(call.tensor_inputs, "input"),
            found=_count(count, "input"),
            operator=call.operator,
        )
    present = {attribute.name: attribute for attribute in node.attributes}
    for name, value in call.attributes.items():
        attribute = present.get(name)
        if attribute is None:
            kind, found = DifferenceKind.ATTRIBUTE_MISSING, ", ".join(present) or "no attributes"
        elif attribute.kind != call.kinds.get(name, attribute.kind):
            kind, found = DifferenceKind.ATTRIBUTE_KIND, f"{attribute.kind} {attribute.value}"
        elif attribute.value != value:
            kind, found = DifferenceKind.ATTRIBUTE_VALUE, attribute.value
        else:
            continue
        asked = f"{call.kinds[name]} {value}" if kind is DifferenceKind.ATTRIBUTE_KIND else value
        yield Difference(kind=kind, subject=name, asked=asked, found=found, operator=call.operator)


def _import_differences(record: ExportRecord, summary: ModelSummary) -> Iterator[Difference]:
    for domain in sorted({call.domain for call in record.calls}):
        # A file imports one version of a domain: the highest of the operators that it holds.
        version = max(call.version for call in record.calls if call.domain == domain)
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


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def _name(node: NodeSummary) -> str:
    return node.name or node.type
