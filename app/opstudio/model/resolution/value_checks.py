"""What ONNX Runtime asks of the names of values: each is made once, before it is used, by something that is there.

Source: observed of ONNX Runtime 1.32 with files that have one fault each. Nodes of the main graph may stand in any
order, those of nested graphs and functions may not; initializers may have one name; inputs and initializers of a nested
graph may hide names around it, outputs of its nodes may not.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from opstudio.model.graph.records import GraphRecord, ModelRecord, NodeRecord
from opstudio.model.graph.value_index import Scope, ValueUse, index_model
from opstudio.model.graph.value_types import TensorType
from opstudio.model.resolution.near_names import NearBudget, NearNames


class ValueFault(enum.StrEnum):
    """What is wrong with the name of a value."""

    UNKNOWN = "unknown"
    REPEATED = "repeated"
    CYCLE = "cycle"
    ORDER = "order"
    """A nested graph or a function uses it before it is made."""
    PASSED_OUT = "passed_out"
    """A nested graph hands out what is made around it."""
    UNTYPED = "untyped"
    """An input of the model has no type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueProblem:
    """A value that keeps a session from being made. ``path`` leads to the graph; ``node`` uses or makes the value.

    ``candidates`` are names that come near one that nothing makes.
    """

    kind: ValueFault
    value: str
    path: tuple[str, ...]
    node: NodeRecord | None = None
    candidates: tuple[str, ...] = ()


def check_values(model: ModelRecord) -> tuple[ValueProblem, ...]:
    """Return all values whose names do not fit, in the order of the graphs."""
    budget = NearBudget()
    return tuple(problem for scope in index_model(model).scopes() for problem in _problems(scope, budget))


def _problems(scope: Scope, budget: NearBudget) -> Iterator[ValueProblem]:
    yield from _unknown(scope, NearNames(scope.sources, budget))
    yield from _repeated(scope)
    if isinstance(scope.content, GraphRecord) and scope.parent is None:
        yield from _untyped(scope.content)
    else:
        yield from _in_wrong_order(scope)
    for node in _in_cycles(scope):
        yield ValueProblem(kind=ValueFault.CYCLE, value=next(iter(node.outputs), ""), path=scope.path, node=node)
        return  # all of a cycle are one fault


def _untyped(graph: GraphRecord) -> Iterator[ValueProblem]:
    for value in graph.true_inputs:
        if value.type is None or (isinstance(value.type, TensorType) and not value.type.element_type):
            yield ValueProblem(kind=ValueFault.UNTYPED, value=value.name, path=())


def _unknown(scope: Scope, near: NearNames) -> Iterator[ValueProblem]:
    for name, uses in scope.unknown.items():
        yield _unknown_value(scope, name, uses[0].node, near)
    for name in scope.outputs:
        if name and scope.defining(name) is None:
            yield _unknown_value(scope, name, None, near)
        elif name and name not in scope.sources:
            yield ValueProblem(kind=ValueFault.PASSED_OUT, value=name, path=scope.path)


def _unknown_value(scope: Scope, name: str, node: NodeRecord | None, near: NearNames) -> ValueProblem:
    return ValueProblem(kind=ValueFault.UNKNOWN, value=name, path=scope.path, node=node, candidates=near.nearest(name))


def _repeated(scope: Scope) -> Iterator[ValueProblem]:
    content = scope.content
    inputs: list[str] = []
    if isinstance(content, GraphRecord):
        inputs.extend(value.name for value in content.inputs)
    else:
        inputs.extend(content.inputs)
    for name, count in Counter(inputs).items():
        if count > 1 and name:
            yield ValueProblem(kind=ValueFault.REPEATED, value=name, path=scope.path)
    given = set(inputs)
    if isinstance(content, GraphRecord):
        given.update(tensor.name for tensor in content.initializers)
        given.update(tensor.name for tensor in content.sparse_initializers)
    for node in content.nodes:
        for name in filter(None, node.outputs):
            if name in given or _hides(scope, name):
                yield ValueProblem(kind=ValueFault.REPEATED, value=name, path=scope.path, node=node)
            given.add(name)


def _hides(scope: Scope, name: str) -> bool:
    """Whether a name is one that was made around a nested graph before it."""
    owner, around = scope.owner, scope.parent
    while owner is not None and around is not None:
        if (source := around.sources.get(name)) is not None:
            # In a file, offsets are in the order of nodes.
            return source.node is None or source.node.offset < owner.offset
        owner, around = around.owner, around.parent
    return False


def _in_wrong_order(scope: Scope) -> Iterator[ValueProblem]:
    made = {name for name, source in scope.sources.items() if source.node is None}
    for node in scope.content.nodes:
        for name in node.inputs:
            if name in scope.sources and name not in made:
                yield ValueProblem(kind=ValueFault.ORDER, value=name, path=scope.path, node=node)
        made.update(node.outputs)


def _in_cycles(scope: Scope) -> Iterator[NodeRecord]:
    """Yield the nodes of a graph that wait for one another; those behind them wait as well and come later."""
    makers = {name: node for node in scope.content.nodes for name in node.outputs if name}
    waits: dict[int, int] = {id(node): 0 for node in scope.content.nodes}
    readers: dict[int, list[NodeRecord]] = {}
    for name, maker in makers.items():
        for use in scope.uses.get(name, ()):
            if (reader := _node_here(scope, use)) is not None:
                readers.setdefault(id(maker), []).append(reader)
                waits[id(reader)] += 1
    ready = [node for node in scope.content.nodes if not waits[id(node)]]
    while ready:
        done = ready.pop()
        for reader in readers.get(id(done), ()):
            waits[id(reader)] -= 1
            if not waits[id(reader)]:
                ready.append(reader)
    yield from (node for node in scope.content.nodes if waits[id(node)] > 0)


def _node_here(scope: Scope, use: ValueUse) -> NodeRecord | None:
    """Return the node of a graph that uses a value, itself or through a graph that is nested in it."""
    node, current = use.node, use.scope
    while current is not scope:
        if current.owner is None or current.parent is None:
            return None
        node, current = current.owner, current.parent
    return node
