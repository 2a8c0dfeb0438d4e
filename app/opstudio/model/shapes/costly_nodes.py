"""Nodes that the runtime is not asked about: to answer takes it more than any answer is worth."""

from __future__ import annotations

from opstudio.model.graph.records import NodeRecord

_LONGEST_NODE = 1 << 16
"""Bytes of a node."""
_MOST_PARTS = 1 << 16
"""``num_outputs`` of a Split; the runtime makes lists of as many parts, however many outputs the node has."""


def is_long(node: NodeRecord) -> bool:
    """Whether a node takes too many bytes, or none that can be handed over, as in ONNX Runtime's own format."""
    return node.length > _LONGEST_NODE or not node.length


def is_costly(node: NodeRecord) -> bool:
    """Whether a node is long, or makes the runtime take gigabytes merely to infer shapes."""
    return is_long(node) or (
        node.type == "Split"
        and any(
            item.name == "num_outputs" and isinstance(item.value, int) and item.value > _MOST_PARTS
            for item in node.attributes
        )
    )
