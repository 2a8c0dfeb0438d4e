"""Who makes a value and who uses it, with ONNX's scopes: a nested graph sees the names around it, a function does not.

Source: ONNX "Intermediate Representation" (docs/IR.md), sections "Names Within a Graph" and "Functions".
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from opstudio.model.graph.nested_paths import NestedPaths
from opstudio.model.graph.records import (
    FunctionRecord,
    GraphRecord,
    ModelRecord,
    NodeRecord,
)
from opstudio.model.graph.value_types import (
    ValueType,
)


class SourceKind(enum.StrEnum):
    """Where a value comes from."""

    NODE = "node"
    INPUT = "input"
    INITIALIZER = "initializer"


class ValueSource(NamedTuple):
    """What makes a value: output ``slot`` of a node of this scope, an input, or an initializer of the graph."""

    kind: SourceKind
    node: NodeRecord | None = None
    slot: int = 0


class ValueUse(NamedTuple):
    """An input of a node: ``slot`` counts from 0. ``scope`` is the one that the node stands in."""

    scope: Scope
    node: NodeRecord
    slot: int


@dataclass(slots=True, kw_only=True, eq=False)
class Scope:
    """The names of one graph or function.

    ``path`` leads to it from the model: empty for the main graph, ``("function dom:F",)`` for a function, and for a
    nested graph that of the graph around it with the node and the attribute. ``repeated`` are names that are made more
    than once, of which ``sources`` has the first; ``unknown`` are names that nothing makes, by their uses. ``owner`` is
    the node of ``parent`` that a nested graph belongs to.
    """

    path: tuple[str, ...]
    parent: Scope | None
    content: GraphRecord | FunctionRecord
    owner: NodeRecord | None = None
    sources: dict[str, ValueSource] = field(default_factory=dict)
    uses: dict[str, list[ValueUse]] = field(default_factory=dict)
    types: dict[str, ValueType] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    repeated: list[str] = field(default_factory=list)
    unknown: dict[str, list[ValueUse]] = field(default_factory=dict)
    children: list[Scope] = field(default_factory=list)

    def defining(self, name: str) -> Scope | None:
        """Return the scope that makes a name seen from here, the innermost first."""
        scope: Scope | None = self
        while scope is not None and name not in scope.sources:
            scope = scope.parent
        return scope

    def source(self, name: str) -> ValueSource | None:
        """Return what makes a name seen from here."""
        scope = self.defining(name)
        return scope.sources[name] if scope else None

    def all_uses(self, name: str) -> Sequence[ValueUse]:
        """Return who uses a name seen from here, also in nested graphs."""
        scope = self.defining(name)
        return scope.uses.get(name, ()) if scope else self.unknown.get(name, ())

    def type_of(self, name: str) -> ValueType | None:
        """Return what the file says of a value's type."""
        scope = self.defining(name)
        return scope.types.get(name) if scope else None

    def walk(self) -> Iterator[Scope]:
        """Yield this scope and all that are nested in it."""
        pending = [self]
        while pending:
            scope = pending.pop()
            yield scope
            pending.extend(reversed(scope.children))


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelIndex:
    """The scopes of a model: the main graph, and each function by domain, name and overload."""

    main: Scope
    functions: Mapping[tuple[str, str, str], Scope]

    def scopes(self) -> Iterator[Scope]:
        """Yield all scopes, also nested ones."""
        yield from self.main.walk()
        for scope in self.functions.values():
            yield from scope.walk()


def index_model(model: ModelRecord) -> ModelIndex:
    """Index all names of a model."""
    return ModelIndex(
        main=_graph_scope(model.graph, (), None, None),
        functions={
            (function.domain, function.name, function.overload): _function_scope(function)
            for function in model.functions
        },
    )


def _function_scope(function: FunctionRecord) -> Scope:
    path = (f"function {function.title}",)
    scope = Scope(path=path, parent=None, content=function, outputs=function.outputs)
    for name in function.inputs:
        _define(scope, name, ValueSource(kind=SourceKind.INPUT))
    scope.types.update({value.name: value.type for value in function.value_infos if value.type is not None})
    _add_nodes(scope, function.nodes)
    return scope


def _graph_scope(graph: GraphRecord, path: tuple[str, ...], parent: Scope | None, owner: NodeRecord | None) -> Scope:
    outputs = tuple(value.name for value in graph.outputs)
    scope = Scope(path=path, parent=parent, content=graph, owner=owner, outputs=outputs)
    weights = [tensor.name for tensor in graph.initializers]
    weights += [tensor.name for tensor in graph.sparse_initializers]
    for name in weights:
        _define(scope, name, ValueSource(kind=SourceKind.INITIALIZER))
    given = set(weights)
    for value in graph.inputs:
        # An input with an initializer has a default; it is one value.
        if value.name not in given:
            _define(scope, value.name, ValueSource(kind=SourceKind.INPUT))
    for value in (*graph.value_infos, *graph.outputs, *graph.inputs):
        if value.type is not None:
            scope.types[value.name] = value.type
    _add_nodes(scope, graph.nodes)
    return scope


def _add_nodes(scope: Scope, nodes: Sequence[NodeRecord]) -> None:
    # All names first: files exist whose nodes are not sorted.
    for node in nodes:
        for slot, name in enumerate(node.outputs):
            _define(scope, name, ValueSource(kind=SourceKind.NODE, node=node, slot=slot))
    paths = NestedPaths(scope.path)
    for node in nodes:
        for slot, name in enumerate(node.inputs):
            if name:
                _use(scope, name, ValueUse(scope=scope, node=node, slot=slot))
        for path, graph in paths.of(node):
            scope.children.append(_graph_scope(graph, path, scope, node))


def _define(scope: Scope, name: str, source: ValueSource) -> None:
    if name in scope.sources:
        scope.repeated.append(name)
    elif name:
        scope.sources[name] = source


def _use(scope: Scope, name: str, use: ValueUse) -> None:
    defining = scope.defining(name)
    uses = scope.unknown if defining is None else defining.uses
    uses.setdefault(name, []).append(use)
