"""Where on a box the lines of its ports start and end."""

from __future__ import annotations

import numpy as np

from opstudio.layout.arrays import Floats, Integers, number_pairs, starts_of

_MARGIN = 6.0
"""Pixels at the corners of a box where no line ends."""


def rank_ports(node: Integers, port: Integers, node_count: int) -> tuple[Integers, Integers]:
    """Return the rank of each port among those of its node that are used, and how many the node uses.

    Shapes: node, port: (ends,); results: (ends,) and (node_count,).
    """
    number = number_pairs(node, port)
    used = np.zeros(int(number.max()) + 1 if number.size else 0, dtype=np.int64)
    used[number] = node
    starts = starts_of(used, node_count)
    return number - starts[node], np.diff(starts)


def fraction_of_ports(node: Integers, port: Integers, node_count: int) -> Floats:
    """Return where each end lies on its node, from −½ at the left to ½ at the right. Shape: (ends,)."""
    rank, counts = rank_ports(node, port, node_count)
    used = np.maximum(counts[node], 1)
    return (rank - (used - 1) / 2) / used


def place_ports(
    node: Integers, rank: Integers, counts: Integers, centre: Floats, width: Floats, *, port_gap: float
) -> Floats:
    """Return how far right of its box's middle each end lies, in pixels.

    Ports stand in order, ``port_gap`` apart or as near as the box requires, with rank ``centre`` of each node in the
    middle, so that a straight line goes through the middle of its boxes.

    Shapes: node, rank: (ends,); counts, centre, width: (nodes,); result: (ends,).
    """
    room = np.maximum(width / 2 - _MARGIN, 0.0)
    furthest = np.maximum(np.maximum(centre, counts - 1 - centre), 0.5)
    gap = np.minimum(port_gap, room / furthest)
    return (rank - centre[node]) * gap[node]
