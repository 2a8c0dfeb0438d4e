"""Which values flow between the nodes, inputs and outputs of one graph, before any of them are drawn together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from opstudio.layout.graph import Edges
from opstudio.model.graph.records import GraphRecord, NodeRecord
from opstudio.model.graph.value_index import Scope, SourceKind

_Ends = tuple[int, int, int, int]
_Captures = Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wiring:
    """The parts of a graph, numbered: inputs, values from around it, nodes, outputs; and the edges between them.

    Input ``k`` of a node arrives at port ``k``; what graphs nested in it read of the values around them arrives at the
    ports behind. Constants are no parts and their values have no edges. This holds for nodes as well that only give a
    constant to others: ``folded`` has these nodes, each with the first drawn one that reads it.

    Shapes: nodes: (drawn nodes,), their numbers in the graph; values: (edges,), the names of what edges carry.
    """

    inputs: Sequence[str]
    outer: Sequence[str]
    nodes: Sequence[int]
    folded: Mapping[int, int]
    outputs: Sequence[str]
    edges: Edges
    values: Sequence[str]

    @property
    def first_node(self) -> int:
        """The part that the first drawn node is."""
        return len(self.inputs) + len(self.outer)

    @property
    def first_output(self) -> int:
        """The part that the first output is."""
        return self.first_node + len(self.nodes)


def wire(scope: Scope) -> Wiring:
    """Return the parts of a graph and the edges between them. Takes time in proportion to the nodes."""
    content = scope.content
    inputs = tuple(value.name for value in content.true_inputs) if isinstance(content, GraphRecord) else content.inputs
    captures = _captures(scope)
    folded = _folded_constants(scope, captures)
    outer = tuple(dict.fromkeys(_outer_values(scope, captures)))
    nodes = [number for number in range(len(content.nodes)) if number not in folded]
    ends, values = _edges(content.nodes, nodes, captures, (*inputs, *outer), scope.outputs)
    source, source_port, target, target_port = np.array(ends, dtype=np.int64).reshape(-1, 4).T
    return Wiring(
        inputs=inputs,
        outer=outer,
        nodes=nodes,
        folded=folded,
        outputs=scope.outputs,
        edges=Edges(source=source, target=target, source_port=source_port, target_port=target_port),
        values=values,
    )


def _edges(
    all_nodes: Sequence[NodeRecord],
    drawn: Sequence[int],
    captures: _Captures,
    given: Sequence[str],
    outputs: Sequence[str],
) -> tuple[list[_Ends], list[str]]:
    """Return the ends of edges in the order in which they are read, and what each carries."""
    makers: dict[str, tuple[int, int]] = {}
    for part, name in enumerate(given):
        makers.setdefault(name, (part, 0))
    for part, number in enumerate(drawn, len(given)):
        for slot, name in enumerate(all_nodes[number].outputs):
            makers.setdefault(name, (part, slot))
    # An input that is left out has no name, and neither has an output that nobody wants.
    makers.pop("", None)
    ends: list[_Ends] = []
    values: list[str] = []
    for part, number in enumerate(drawn, len(given)):
        read = all_nodes[number].inputs
        for slot, name in enumerate((*read, *captures[number]) if number in captures else read):
            if (maker := makers.get(name)) is not None:
                ends.append((*maker, part, slot))
                values.append(name)
    for part, name in enumerate(outputs, len(given) + len(drawn)):
        if (maker := makers.get(name)) is not None:
            ends.append((*maker, part, 0))
            values.append(name)
    return ends, values


def _folded_constants(scope: Scope, captures: _Captures) -> dict[int, int]:
    """Return the nodes that only give constants to others, each with the first one that reads it."""
    nodes = scope.content.nodes
    constants: dict[str, int] = {}
    for number, node in enumerate(nodes):
        if len(node.outputs) == 1 and _gives_constant(node, scope, constants):
            constants[node.outputs[0]] = number
    for name in ("", *scope.outputs):
        constants.pop(name, None)
    if not constants:
        return {}
    folded: dict[int, int] = {}
    # Readers first, so that a constant which is only handed on is found with the node that uses it.
    for number in range(len(nodes) - 1, -1, -1):
        for name in (*nodes[number].inputs, *captures.get(number, ())):
            if name in constants:
                folded[constants[name]] = folded.get(number, number)
    return folded


def _gives_constant(node: NodeRecord, scope: Scope, constants: Mapping[str, int]) -> bool:
    if node.domain:
        return False
    if node.type == "Constant":
        return not node.inputs
    # The TorchScript exporter hands weights that several modules have in common on by such nodes.
    if node.type != "Identity" or len(node.inputs) != 1:
        return False
    source = scope.source(node.inputs[0])
    is_weight = source is not None and source.kind is SourceKind.INITIALIZER
    return is_weight or node.inputs[0] in constants


def _captures(scope: Scope) -> dict[int, tuple[str, ...]]:
    """Return by node the values around its nested graphs that these read and it does not, each name once."""
    if not scope.children:
        return {}
    nodes = scope.content.nodes
    numbers = {id(node): number for number, node in enumerate(nodes)}
    captured: dict[int, dict[str, None]] = {}
    for child in scope.children:
        names = captured.setdefault(numbers[id(child.owner)], {})
        names.update(dict.fromkeys(_names_from_around(child)))
    for number, names in captured.items():
        for name in nodes[number].inputs:
            names.pop(name, None)
    return {number: tuple(names) for number, names in captured.items()}


def _names_from_around(nested: Scope) -> Iterator[str]:
    inside = {id(scope) for scope in nested.walk()}
    for scope in nested.walk():
        for node in scope.content.nodes:
            for name in node.inputs:
                if name and _is_around(scope, name, inside):
                    yield name
        for name in scope.outputs:
            if _is_around(scope, name, inside):
                yield name


def _is_around(scope: Scope, name: str, inside: set[int]) -> bool:
    if name in scope.sources:
        return False
    defining = scope.defining(name)
    return defining is not None and id(defining) not in inside


def _outer_values(scope: Scope, captures: _Captures) -> Iterator[str]:
    """Yield the names that this graph reads and a graph around it makes, constants left out."""
    if scope.parent is None:
        return
    for number, node in enumerate(scope.content.nodes):
        for name in (*node.inputs, *captures.get(number, ())):
            if name and name not in scope.sources and _is_computed(scope, name):
                yield name
    for name in scope.outputs:
        if name and name not in scope.sources and _is_computed(scope, name):
            yield name


def _is_computed(scope: Scope, name: str) -> bool:
    source = scope.source(name)
    return source is not None and source.kind is not SourceKind.INITIALIZER
