"""Graphs in which groups of nodes are drawn as one box.

A group is a scope of the model, such as ``encoder/layer.0/attention``: a prefix of the path of each node in it that
ends where a name ends. Paths that begin with a stroke, as exporters write them, have groups that do as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from opstudio.layout.arrays import Integers, number_pairs, starts_of
from opstudio.layout.graph import NO_PORT, Edges

SEPARATOR = "/"


def groups_around(path: str) -> tuple[str, ...]:
    """Return the groups that a path lies in, from the outermost to the path itself."""
    groups = []
    end = path.find(SEPARATOR, 1)
    while end > 0:
        groups.append(path[:end])
        end = path.find(SEPARATOR, end + 1)
    groups.append(path)
    if path[:1] in ("", SEPARATOR):
        return tuple(group for group in groups if group.strip(SEPARATOR))
    return tuple(groups)


def count_members(paths: Iterable[str]) -> dict[str, int]:
    """Return how many nodes each group holds, those of inner groups included, outer groups before inner ones."""
    members: dict[str, int] = {}
    for path, count in Counter(paths).items():
        for group in groups_around(path):
            members[group] = members.get(group, 0) + count
    return members


def assign_groups(paths: Sequence[str], collapsed: Collection[str]) -> list[str | None]:
    """Return for each node the outermost of the collapsed groups that it lies in, or ``None``."""
    chosen = frozenset(collapsed)
    known: dict[str, str | None] = {}
    for path in set(paths):
        known[path] = next((group for group in groups_around(path) if group in chosen), None)
    return [known[path] for path in paths]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CollapsedGraph:
    """Boxes, each a node or a group, and the edges between them.

    Boxes stand in the order of their first nodes. Edges that lead from the same port to the same port, or between
    the same groups, are one; an end at a group names no port. Boxes may form a cycle even where nodes do not.

    Shapes:
        box: (nodes,), the box of each node
        group: (boxes,), its name, ``None`` for a node that stands for itself
        members: (nodes,), the nodes of box ``b`` are ``members[member_starts[b]:member_starts[b + 1]]``
        edge: (edges of nodes,), for each that of ``edges``, −1 where both ends lie in one group
    """

    box: Integers
    group: tuple[str | None, ...]
    members: Integers
    member_starts: Integers
    edges: Edges
    edge: Integers

    @property
    def box_count(self) -> int:
        """How many boxes there are."""
        return len(self.group)

    def members_of(self, box: int) -> Integers:
        """Return the nodes of a box, ascending."""
        return self.members[self.member_starts[box] : self.member_starts[box + 1]]


def collapse(groups: Sequence[str | None], edges: Edges) -> CollapsedGraph:
    """Return the graph in which nodes of the same group are one box.

    Edges from a node to itself remain, those within a group do not.

    Shapes: groups: (nodes,), ``None`` for nodes that stand for themselves.
    """
    numbers: dict[str, int] = {}
    names: list[str | None] = []
    box = np.empty(len(groups), dtype=np.int64)
    for node, group in enumerate(groups):
        if group is None or group not in numbers:
            if group is not None:
                numbers[group] = len(names)
            box[node] = len(names)
            names.append(group)
        else:
            box[node] = numbers[group]
    is_group = np.array([name is not None for name in names], dtype=np.bool_)
    upper, lower = box[edges.source], box[edges.target]
    upper_port = np.where(is_group[upper], NO_PORT, edges.source_port)
    lower_port = np.where(is_group[lower], NO_PORT, edges.target_port)
    outer = np.flatnonzero((upper != lower) | ~is_group[upper])
    number = number_pairs(number_pairs(upper[outer], upper_port[outer]), number_pairs(lower[outer], lower_port[outer]))
    _, first, number = np.unique(number, return_index=True, return_inverse=True)
    # In the order of the edges of nodes, not of their numbers.
    by_first = np.argsort(first, kind="stable")
    rank = np.empty(by_first.size, dtype=np.int64)
    rank[by_first] = np.arange(by_first.size)
    edge = np.full(edges.count, -1, dtype=np.int64)
    edge[outer] = rank[number]
    merged = outer[first[by_first]]
    return CollapsedGraph(
        box=box,
        group=tuple(names),
        members=np.argsort(box, kind="stable"),
        member_starts=starts_of(box, len(names)),
        edges=Edges(
            source=upper[merged],
            target=lower[merged],
            source_port=upper_port[merged],
            target_port=lower_port[merged],
        ),
        edge=edge,
    )
