"""Which layer a node stands in, and which nodes belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from opstudio.layout.arrays import Integers, follow

_FAR = 8
"""Layers between a chain and its reader; nearer chains, such as those of one attention, begin side by side."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layers:
    """The layer of each node, and how many edges the longest path from an input and to an output has.

    Shapes: layer, above, below: (nodes,).
    """

    layer: Integers
    above: Integers
    below: Integers


def assign_layers(order: Sequence[int], upper: Integers, lower: Integers) -> Layers:
    """Return the layer of each node: below everything that it depends on, by the longest path.

    Nodes that depend on no input of the graph but feed one node only, such as constants and what is computed from
    them, stand right above their first reader, so that their lines are short. A chain from a value that others read
    too to one far reader stands right above that as well: chains that begin together, such as the keys of all layers
    that attend to one memory, would each draw a line of its own all the way, while the value that they read needs one.

    Shapes: order: (nodes,); upper, lower: (edges,), edges that lead forwards in ``order``.
    """
    count = len(order)
    if isinstance(order, range):
        rank = upper
    else:
        position = np.empty(count, dtype=np.int64)
        position[list(order)] = np.arange(count)
        rank = position[upper]
    forwards = np.argsort(rank, kind="stable")
    edges = list(zip(upper[forwards].tolist(), lower[forwards].tolist(), strict=True))
    readers = np.bincount(upper, minlength=count).tolist()
    layer = [0] * count
    read = np.bincount(lower, minlength=count).tolist()
    is_anchored, is_chain = bytearray(count), bytearray(count)
    for above, below in edges:
        if layer[below] <= layer[above]:
            layer[below] = layer[above] + 1
        if readers[above] > 1 or is_anchored[above]:
            is_anchored[below] = 1
        if read[below] == readers[below] == 1 and (readers[above] > 1 or is_chain[above]):
            is_chain[below] = 1
    longest = np.array(layer, dtype=np.int64)
    height = _pull_down(layer, edges, is_anchored, is_chain)
    return Layers(layer=np.array(layer, dtype=np.int64), above=longest, below=np.array(height, dtype=np.int64))


def _pull_down(
    layer: list[int], edges: list[tuple[int, int]], is_anchored: bytearray, is_chain: bytearray
) -> list[int]:
    """Move what is not anchored and chains down, and return the longest path from each node to an output."""
    is_pulled = bytearray(len(layer))
    height = [0] * len(layer)
    # From the last upper node to the first, so that what is asked for of a lower node is final.
    for above, below in reversed(edges):
        if height[above] <= height[below]:
            height[above] = height[below] + 1
        if not is_anchored[above] and (not is_pulled[above] or layer[below] <= layer[above]):
            layer[above] = layer[below] - 1
            is_pulled[above] = 1
        elif is_chain[above] and layer[below] - layer[above] > _FAR:
            layer[above] = layer[below] - 1
    return height


def find_components(count: int, source: Integers, target: Integers) -> Integers:
    """Return a number for each node, the same for nodes that edges connect: 0 for the largest part, then downwards.

    Parts of the same size are numbered by their first node.
    """
    root = np.arange(count, dtype=np.int64)
    one, other = source, target
    while one.size:
        low, high = np.minimum(one, other), np.maximum(one, other)
        np.minimum.at(root, high, low)
        root = follow(root)
        one, other = root[one], root[other]
        apart = one != other
        one, other = one[apart], other[apart]
    first, part, sizes = np.unique(root, return_inverse=True, return_counts=True)
    number = np.empty(first.size, dtype=np.int64)
    number[np.lexsort((first, -sizes))] = np.arange(first.size)
    return number[part]
