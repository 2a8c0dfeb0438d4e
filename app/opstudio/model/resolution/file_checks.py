"""What ONNX Runtime asks of a file as a whole, apart from its nodes: versions, names, weights.

Source: observed of ONNX Runtime 1.32 with files that have one fault each.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opstudio.model.graph.element_types import element_type_name
from opstudio.model.graph.records import FileFormat, FunctionRecord, GraphRecord, ModelRecord, NodeRecord
from opstudio.model.graph.tensor_records import ExternalBytes, ExternalProblem, TensorRecord
from opstudio.model.resolution.locales import has_locale
from opstudio.model.runtime.records import RuntimeTables


class FileProblemKind(enum.StrEnum):
    """What is wrong with a file."""

    NO_IR_VERSION = "no_ir_version"
    IR_VERSION = "ir_version"
    NO_OPSETS = "no_opsets"
    OPSET = "opset"
    FUNCTION_OPSET = "function_opset"
    """An import of a function, which the runtime looks at as well."""
    FUNCTION_DOMAIN = "function_domain"
    """A function that imports the standard domain under its long name."""
    NODE_NAMES = "node_names"
    WEIGHTS_BESIDE = "weights_beside"
    WEIGHTS = "weights"
    LOCALE = "locale"


_LAST_TYPE_OF_ORT_FORMAT = 20
"""``FLOAT8E5M2FNUZ``. Source: ``TensorDataType`` in ONNX Runtime's ``ort.fbs``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProblem:
    """Why a runtime refuses a file. ``subject`` is what it is about: a domain, the name of a node or of a tensor.

    ``found`` and ``limit`` are versions, where it is about one. ``external`` says what is wrong with weights beside it.
    """

    kind: FileProblemKind
    reason: str
    subject: str = ""
    found: int = 0
    limit: int = 0
    external: ExternalProblem | None = None


def check_file(model: ModelRecord, tables: RuntimeTables) -> tuple[FileProblem, ...]:
    """Return everything for which the runtime refuses a file, whatever its nodes are."""
    if model.format is FileFormat.ORT:
        return tuple(_unheld_types(model))
    return (*_versions(model, tables), *_node_names(model), *_weights(model), *_locales(model))


def has_wrong_versions(model: ModelRecord, tables: RuntimeTables) -> bool:
    """Whether the runtime refuses the file for its versions alone."""
    return any(True for _ in _versions(model, tables))


def _versions(model: ModelRecord, tables: RuntimeTables) -> Iterator[FileProblem]:
    newest = tables.newest_ir_version
    if not model.ir_version:
        yield FileProblem(kind=FileProblemKind.NO_IR_VERSION, reason="it does not say which IR version it is")
    elif model.ir_version > newest:
        yield FileProblem(
            kind=FileProblemKind.IR_VERSION,
            reason=f"it has IR version {model.ir_version}; ONNX Runtime {tables.release} reads up to {newest}",
            found=model.ir_version,
            limit=newest,
        )
    if not model.opsets:
        yield FileProblem(kind=FileProblemKind.NO_OPSETS, reason="it imports no operator set")
    for domain, version in model.opsets.items():
        limit = tables.newest_opsets.get(domain)
        if limit is not None and version > limit:
            yield FileProblem(
                kind=FileProblemKind.OPSET,
                reason=f"it imports {domain or 'ai.onnx'} {version}; ONNX Runtime {tables.release} knows up to {limit}",
                subject=domain,
                found=version,
                limit=limit,
            )
    for function in model.functions:
        yield from _function_versions(function, tables)


def _function_versions(function: FunctionRecord, tables: RuntimeTables) -> Iterator[FileProblem]:
    """Yield the imports of a function that the runtime refuses, whether anybody calls it or not."""
    if function.spells_standard and any(not node.domain for node in _nodes_within(function.nodes)):
        reason = (
            f"the function {function.title} imports the standard domain as ai.onnx, which is another one in functions"
        )
        yield FileProblem(kind=FileProblemKind.FUNCTION_DOMAIN, reason=reason, found=function.opsets[""])
    for domain, version in function.opsets.items():
        limit = tables.newest_opsets.get(domain)
        told = f"the function {function.title} imports {domain or 'ai.onnx'} {version}"
        if limit is not None and version > limit:
            reason = f"{told}; ONNX Runtime {tables.release} knows up to {limit}"
        elif version < 1:
            reason, limit = f"{told}; versions begin with 1", limit or 1
        else:
            continue
        yield FileProblem(
            kind=FileProblemKind.FUNCTION_OPSET, reason=reason, subject=domain, found=version, limit=limit
        )


def _node_names(model: ModelRecord) -> Iterator[FileProblem]:
    names = Counter(node.name for node in model.graph.nodes if node.name)
    for name, count in names.items():
        if count > 1:
            yield FileProblem(
                kind=FileProblemKind.NODE_NAMES, reason=f"{count} nodes have the name {name}", subject=name
            )


def _weights(model: ModelRecord) -> Iterator[FileProblem]:
    for tensor in _tensors(model):
        if not tensor.problem:
            continue
        external = tensor.data.problem if isinstance(tensor.data, ExternalBytes) else None
        yield FileProblem(
            kind=FileProblemKind.WEIGHTS if external is None else FileProblemKind.WEIGHTS_BESIDE,
            reason=f"{tensor.name}: {tensor.problem}",
            subject=tensor.name,
            external=external,
        )


def _unheld_types(model: ModelRecord) -> Iterator[FileProblem]:
    """Yield the weights that ONNX Runtime writes into its own format and does not read from there."""
    for tensor in _tensors(model):
        if tensor.element_type > _LAST_TYPE_OF_ORT_FORMAT:
            reason = f"{tensor.name}: {element_type_name(tensor.element_type)} is read from files in ONNX's format only"
            yield FileProblem(kind=FileProblemKind.WEIGHTS, reason=reason, subject=tensor.name)


def _locales(model: ModelRecord) -> Iterator[FileProblem]:
    for node in _all_nodes(model.graph):
        if node.type == "StringNormalizer" and not node.domain:
            attributes = {item.name: item.value for item in node.attributes}
            wanted = attributes.get("locale", "en_US")
            changes = attributes.get("case_change_action", "NONE") != "NONE"
            compares = attributes.get("stopwords") and not attributes.get("is_case_sensitive")
            name = f"{wanted}.UTF-8" if isinstance(wanted, str) else ""
            if (changes or compares) and not has_locale(name):
                yield FileProblem(
                    kind=FileProblemKind.LOCALE,
                    reason=f"{node.name or node.type} needs the locale {name}, which this system does not have",
                    subject=name,
                )


def _tensors(model: ModelRecord) -> Iterator[TensorRecord]:
    for graph in _graphs(model.graph):
        yield from graph.initializers
        yield from (tensor.values for tensor in graph.sparse_initializers)


def _nodes_within(nodes: Iterable[NodeRecord]) -> Iterator[NodeRecord]:
    for node in nodes:
        yield node
        for _, graph in node.subgraphs:
            yield from _all_nodes(graph)


def _graphs(graph: GraphRecord) -> Iterator[GraphRecord]:
    pending = [graph]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(inner for node in current.nodes for _, inner in node.subgraphs)


def _all_nodes(graph: GraphRecord) -> Iterable[NodeRecord]:
    return (node for current in _graphs(graph) for node in current.nodes)
