"""Which line, module and operator of PyTorch each node of an exported file came from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from opstudio.model.export_debugging.lines import UserLines
from opstudio.model.export_debugging.records import NodeOrigin
from opstudio.model.export_debugging.torchscript_watch import TracedNode

_PREFIX = "pkg.torch.onnx."
_TARGET = re.compile(r"target=torch\.ops\.(?P<namespace>\w+)\.(?P<name>\w+)")
_WRAPPED = re.compile(r"target=torch\.ops\.higher_order\.auto_functionalized\w*\]\(args = \((?P<name>\w+\.\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNode:
    """A node of the file with its origin and the whole stack that led to it, as the exporter wrote it."""

    origin: NodeOrigin
    stack: str
    attributes: frozenset[str]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def is_custom(self) -> bool:
        """Whether the node is of a domain of its own."""
        return ":" in self.origin.type


def torchscript_nodes(
    model: Any, traced: Sequence[TracedNode], lines: UserLines, modules: frozenset[str]
) -> list[FileNode]:
    """Return the nodes of a file that TorchScript wrote with source lines.

    ``traced`` are the nodes that it translated, ``modules`` the paths of the model's modules.
    """
    waiting = _by_stack(traced)
    found: list[FileNode] = []
    for node in all_nodes(model):
        kind = type_name(node)
        source = _source_of(node, kind, waiting)
        operator = source.operator if source else ""
        origin = NodeOrigin(
            node=node.name,
            type=kind,
            operator="" if operator.startswith("prim::") else operator,
            module=module_path(source.scope if source else "", modules),
            at=lines.of_range(node.doc_string),
        )
        found.append(_file_node(node, origin, node.doc_string))
    return found


_Waiting = dict[tuple[str, str], list[TracedNode]]
"""Traced nodes by their stack and a type that they wrote."""


def _by_stack(traced: Sequence[TracedNode]) -> _Waiting:
    waiting: _Waiting = {}
    for item in traced:
        for kind in dict.fromkeys(item.written):
            waiting.setdefault((item.stack, kind), []).append(item)
    return waiting


def _source_of(node: Any, kind: str, waiting: _Waiting) -> TracedNode | None:
    """Return the traced node that a node of the file came from: that of the same stack which wrote its type."""
    alike = waiting.get((node.doc_string, kind), []) if node.doc_string else []
    scope = node.name.rpartition("/")[0].strip("/")
    here = [item for item in alike if "/".join(_parts(item.scope)) == scope]
    source = next(iter([*here, *alike]), None)
    # One that writes several nodes of a kind serves as often; equal calls on one line are served in order.
    if source is not None and len(alike) > 1 and source.written.count(kind) == 1:
        alike.remove(source)
    return source


def dynamo_nodes(model: Any, lines: UserLines, modules: frozenset[str]) -> list[FileNode]:
    """Return the nodes of a file that the dynamo exporter wrote."""
    found: list[FileNode] = []
    for node in all_nodes(model):
        notes = {item.key: item.value for item in node.metadata_props}
        stack = notes.get(f"{_PREFIX}stack_trace", "")
        scopes = _strings(notes.get(f"{_PREFIX}name_scopes", ""))
        origin = NodeOrigin(
            node=node.name,
            type=type_name(node),
            operator=_operator(notes.get(f"{_PREFIX}fx_node", "")),
            # Nodes of the exporter's own have scopes that are no modules.
            module=scopes[-2] if len(scopes) > 1 and scopes[-2] in modules else "",
            at=lines.of_trace(stack),
        )
        found.append(_file_node(node, origin, stack))
    return found


def _file_node(node: Any, origin: NodeOrigin, stack: str) -> FileNode:
    return FileNode(
        origin=origin,
        stack=stack,
        attributes=frozenset(item.name for item in node.attribute),
        inputs=tuple(node.input),
        outputs=tuple(node.output),
    )


def _operator(text: str) -> str:
    wrapped = _WRAPPED.search(text)
    if wrapped is not None:
        return wrapped["name"].replace(".", "::", 1)
    found = _TARGET.search(text)
    return f"{found['namespace']}::{found['name']}" if found else ""


def _strings(text: str) -> list[str]:
    """Return a list that an exporter wrote as Python text."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return []
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _parts(scope: str) -> list[str]:
    """Return the names in a scope of TorchScript: ``a``, ``a.0`` of ``Net::/Sequential::a/Unit::a.0``."""
    return [name for part in scope.split("/") if (name := part.rpartition("::")[2])]


def module_path(scope: str, modules: frozenset[str]) -> str:
    """Return the path of the module that a scope of TorchScript is: members of a sequence repeat its name there."""
    path = ""
    for part in _parts(scope):
        # A module that is called again has a number behind its name.
        names = (part, part.rpartition(".")[2], part.rpartition("_")[0])
        candidates = [f"{path}.{name}" if path else name for name in names if name]
        path = next((item for item in candidates if item in modules), path)
    return path


def type_name(node: Any) -> str:
    """Return a node's type: ``Gemm``, ``lab:Swish``."""
    return node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}:{node.op_type}"


def all_nodes(model: Any) -> Iterator[Any]:
    """Yield the nodes of a file, those of subgraphs and of its own functions included."""
    for graph in (model.graph, *model.functions):
        yield from _nodes_of(graph)


def _nodes_of(graph: Any) -> Iterator[Any]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in [attribute.g] if attribute.HasField("g") else list(attribute.graphs):
                yield from _nodes_of(inner)
