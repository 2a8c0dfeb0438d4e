"""From a graph of a model to the boxes and lines of its picture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import numpy as np

from opstudio.base.checkpoint import go_on
from opstudio.layout.arrays import Integers
from opstudio.layout.groups import SEPARATOR, CollapsedGraph, assign_groups, collapse
from opstudio.model.diagram.choosing import choose_closed
from opstudio.model.diagram.modules import Modules, find_modules, title_of
from opstudio.model.diagram.node_details import NodeDetails
from opstudio.model.diagram.records import Box, BoxKind, Diagram
from opstudio.model.diagram.type_details import type_detail
from opstudio.model.diagram.wiring import Wiring, wire
from opstudio.model.graph.records import ModelRecord
from opstudio.model.graph.value_index import Scope

_TOLD_NAMES = 2
_CONTROL = dict.fromkeys((*range(32), *range(127, 160), 0x2028, 0x2029), " ")


def build_diagram(
    model: ModelRecord,
    scope: Scope,
    collapsed: Collection[str] | None = None,
    *,
    checkpoint: Callable[[], None] = go_on,
) -> Diagram:
    """Return the boxes of one graph of a model and the values between them.

    Args:
        model: the model
        scope: the graph or function
        collapsed: the groups to draw as one box each; ``None`` chooses so that the picture can be read
        checkpoint: called between the steps; what it raises ends the work
    """
    checkpoint()
    wiring = wire(scope)
    checkpoint()
    modules = find_modules(model, scope, wiring)
    checkpoint()
    others = wiring.first_node + len(wiring.outputs)
    closed = choose_closed(modules.paths, others, modules.repeats) if collapsed is None else frozenset(collapsed)
    groups = assign_groups(modules.paths, closed)
    drawn = collapse([*[None] * wiring.first_node, *groups, *[None] * len(wiring.outputs)], wiring.edges)
    checkpoint()
    box_of_node = _box_of_node(wiring, drawn, len(scope.content.nodes))
    return Diagram(
        scope=scope.path,
        boxes=tuple(_Boxes(scope, wiring, modules, drawn, box_of_node).all()),
        edges=drawn.edges,
        values=_values(wiring, drawn),
        box_of_node=box_of_node,
        collapsed=closed,
    )


def _place(module: str) -> str:
    """Return the last two names of a module's path, which tell its nodes from others."""
    return SEPARATOR.join(module.split(SEPARATOR)[-_TOLD_NAMES:])


def _one_line(text: str) -> str:
    """Return a text without line breaks and tabs, which names may hold and for which a box has no room."""
    return text.translate(_CONTROL)


def _box_of_node(wiring: Wiring, drawn: CollapsedGraph, count: int) -> Integers:
    box = np.empty(count, dtype=np.int64)
    box[np.array(wiring.nodes, dtype=np.int64)] = drawn.box[wiring.first_node : wiring.first_output]
    for constant, reader in wiring.folded.items():
        box[constant] = box[reader]
    return box


def _values(wiring: Wiring, drawn: CollapsedGraph) -> tuple[str, ...]:
    """Return what each drawn edge carries: the first of the edges that became one."""
    number, first = np.unique(drawn.edge, return_index=True)
    return tuple(wiring.values[edge] for edge in first[number >= 0].tolist())


class _Boxes:
    """Writes the boxes of a picture."""

    def __init__(
        self, scope: Scope, wiring: Wiring, modules: Modules, drawn: CollapsedGraph, box_of_node: Integers
    ) -> None:
        self._scope = scope
        self._wiring = wiring
        self._modules = modules
        self._details = NodeDetails(scope)
        self._drawn = drawn
        self._by_box = np.argsort(box_of_node, kind="stable")
        self._starts = np.searchsorted(box_of_node[self._by_box], np.arange(drawn.box_count + 1))

    def all(self) -> Iterator[Box]:
        """Yield the boxes in their order."""
        first_parts = self._drawn.members[self._drawn.member_starts[:-1]].tolist()
        for number, (group, part) in enumerate(zip(self._drawn.group, first_parts, strict=True)):
            yield self._part(part) if group is None else self._group(group, number)

    def _group(self, group: str, number: int) -> Box:
        nodes = self._by_box[self._starts[number] : self._starts[number + 1]]
        return Box(
            kind=BoxKind.GROUP,
            title=_one_line(title_of(group)),
            name=_one_line(self._modules.classes.get(group, "")),
            detail=f"{nodes.size:,} nodes",
            nodes=tuple(nodes.tolist()),
            group=group,
            repeats=self._modules.repeats.get(group, 1),
            around=group.rpartition(SEPARATOR)[0],
        )

    def _part(self, part: int) -> Box:
        wiring = self._wiring
        if part >= wiring.first_output:
            return self._value(BoxKind.OUTPUT, wiring.outputs[part - wiring.first_output])
        if part >= wiring.first_node:
            return self._node(part - wiring.first_node)
        if part >= len(wiring.inputs):
            return self._value(BoxKind.OUTER, wiring.outer[part - len(wiring.inputs)])
        return self._value(BoxKind.INPUT, wiring.inputs[part])

    def _value(self, kind: BoxKind, name: str) -> Box:
        return Box(
            kind=kind, title=_one_line(name), detail=_one_line(type_detail(self._scope.type_of(name))), value=name
        )

    def _node(self, place: int) -> Box:
        number = self._wiring.nodes[place]
        node = self._scope.content.nodes[number]
        return Box(
            kind=BoxKind.NODE,
            title=_one_line(node.type),
            name=_one_line(_place(self._modules.modules[place]) or node.name),
            detail=_one_line(self._details.of(node)),
            domain=_one_line(node.domain),
            nodes=(number,),
            around=self._modules.paths[place],
        )
