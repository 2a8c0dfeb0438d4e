"""The groups that nodes of a graph can be drawn in: modules as exporters note them, or blocks that repeat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from opstudio.layout.graph import Edges
from opstudio.layout.groups import SEPARATOR, groups_around
from opstudio.model.diagram.module_notes import paths_of_names, paths_of_notes
from opstudio.model.diagram.repeated_modules import group_blocks, group_rows_of_modules
from opstudio.model.diagram.wiring import Wiring
from opstudio.model.graph.records import ModelRecord
from opstudio.model.graph.value_index import Scope

_NAMED_SHARE = 0.25
"""From how many of the nodes on names are taken for paths of modules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Modules:
    """The groups of nodes.

    Equal blocks in a row lie in a group of their own, ``encoder/layer.0 … 11``, which ``repeats`` counts.
    ``classes`` are those of the modules by their groups, where exporters note them.

    Shapes: paths: (drawn nodes,), the innermost group of each with those around it, empty for none; modules: (drawn
    nodes,), the path of the module that each comes from, also where it is not worth a group.
    """

    paths: Sequence[str]
    modules: Sequence[str]
    classes: Mapping[str, str] = field(default_factory=dict)
    repeats: Mapping[str, int] = field(default_factory=dict)


def title_of(group: str) -> str:
    """Return the last name of a group."""
    return group.rpartition(SEPARATOR)[2]


def find_modules(model: ModelRecord, scope: Scope, wiring: Wiring) -> Modules:
    """Return the groups of a graph's nodes.

    A group without an edge inside is none: a single node, which stands for itself, or a module without weights that is
    called here and there, such as the activation of a block.
    """
    nodes = [scope.content.nodes[number] for number in wiring.nodes]
    classes: Mapping[str, str] = {}
    paths = paths_of_names(nodes)
    if sum(map(bool, paths)) < _NAMED_SHARE * len(nodes):
        noted, classes = paths_of_notes(model, nodes)
        paths = noted or paths
    types = [f"{node.domain}:{node.type}" for node in nodes]
    edges = _edges_of_nodes(wiring)
    modules, paths = paths, _without_loose_groups(paths, edges)
    if not any(paths):
        blocks = group_blocks(types, edges)
        return Modules(paths=blocks.paths, modules=modules, repeats=blocks.repeats)
    grouped = group_rows_of_modules(paths, types, edges)
    classes = {**classes, **{group: classes.get(module, "") for group, module in grouped.renamed.items()}}
    return Modules(paths=grouped.paths, modules=modules, classes=classes, repeats=grouped.repeats)


def _without_loose_groups(paths: Sequence[str], edges: Edges) -> list[str]:
    around = {path: groups_around(path) for path in set(paths)}
    ends = zip(edges.source.tolist(), edges.target.tolist(), strict=True)
    linked: set[str] = set()
    for source, target in {(paths[source], paths[target]) for source, target in ends}:
        linked.update(around[source] if source == target else set(around[source]).intersection(around[target]))
    kept = {path: next((group for group in reversed(groups) if group in linked), "") for path, groups in around.items()}
    return [kept[path] for path in paths]


def _edges_of_nodes(wiring: Wiring) -> Edges:
    """Return the edges between drawn nodes, numbered from 0."""
    edges, first, end = wiring.edges, wiring.first_node, wiring.first_output
    is_inner = (edges.source >= first) & (edges.target < end)
    return Edges(
        source=edges.source[is_inner] - first,
        target=edges.target[is_inner] - first,
        source_port=edges.source_port[is_inner],
        target_port=edges.target_port[is_inner],
    )
