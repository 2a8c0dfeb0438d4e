"""An order in which edges lead forwards. A valid model has one; a damaged file may hold cycles, which are cut."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from opstudio.layout.arrays import Flags, Integers, starts_of


def topological_order(count: int, source: Integers, target: Integers) -> tuple[Sequence[int], Flags]:
    """Return an order of the nodes, and the edges that lead backwards in it.

    The order as given is kept where it fits, as it does for the nodes of a valid ONNX file. Otherwise a search in
    depth decides, from nodes without inputs first; edges that close a cycle are those that lead backwards. Edges from
    a node to itself must not be among them. Takes time in proportion to nodes and edges.
    """
    if bool((source < target).all()):
        return range(count), np.zeros(source.size, dtype=np.bool_)
    by_source = np.argsort(source, kind="stable")
    starts = starts_of(source, count).tolist()
    targets = target[by_source].tolist()
    has_inputs = np.bincount(target, minlength=count) > 0
    roots = [*np.flatnonzero(~has_inputs).tolist(), *np.flatnonzero(has_inputs).tolist()]
    finished: list[int] = []
    seen = bytearray(count)
    following = starts[:-1]
    for root in roots:
        if seen[root]:
            continue
        seen[root] = 1
        path = [root]
        while path:
            node = path[-1]
            edge = following[node]
            if edge == starts[node + 1]:
                finished.append(path.pop())
                continue
            following[node] = edge + 1
            if not seen[targets[edge]]:
                seen[targets[edge]] = 1
                path.append(targets[edge])
    finished.reverse()
    rank = np.empty(count, dtype=np.int64)
    rank[finished] = np.arange(count)
    return finished, rank[source] > rank[target]
