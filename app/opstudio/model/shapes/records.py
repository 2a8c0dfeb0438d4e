"""What the runtime says of the nodes of a model, one at a time, as plain records.

Nodes are known by where they stand in the file (``NodeRecord.offset``). Types are ONNX's texts: ``tensor(float)``.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

Shape = tuple[int | str | None, ...]
"""Sizes; names of sizes that vary; nothing where a size is not known."""

ASKING = "ask about "
"""How the labels of a worker's progress begin while the runtime looks at a node."""


class ValueOrigin(enum.StrEnum):
    """Who says what a value is. What the file declares stands in the file and is not repeated."""

    INFERRED = "inferred"
    """The runtime's own inference, or the inference of the operator's library."""
    CONTRACT = "contract"
    """The shape rules of a contract."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InferredValue:
    """Output ``slot`` of a node, of which more is known than the file declares. ``shape`` may be of unknown rank."""

    node: int
    slot: int
    type: str
    shape: Shape | None
    origin: ValueOrigin


class RefusalKind(enum.StrEnum):
    """What the runtime refuses of a node."""

    UNREADABLE = "unreadable"
    """The node is damaged; the runtime does not read a file with such a node at all."""
    TYPES = "types"
    SHAPES = "shapes"
    KERNEL = "kernel"
    """There is none for these types."""
    CREATION = "creation"
    """The kernel does not let itself be made: it asks for an attribute that the definition leaves open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRefusal:
    """A node that no session takes, and why in words.

    ``tensor`` is the value that it is about, where it is one; ``remark`` tells the shapes of the inputs.
    """

    node: int
    kind: RefusalKind
    reason: str
    tensor: str = ""
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeContradiction:
    """A value of which the file declares another shape than its node makes; sessions drop the sizes that differ."""

    node: int
    slot: int
    tensor: str
    declared: Shape
    inferred: Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelShapes:
    """All that was found out.

    ``taken`` are nodes that the runtime takes with the types and shapes that reach them. ``blind`` are nodes that leave
    the rank of an output open though their inputs are known, with the number of nodes behind them that therefore are
    not known. ``left_out`` counts nodes that were not asked about because the model has too many different ones.
    ``ended`` says how the process ended, and at which node, where it did not come to the end.
    """

    values: tuple[InferredValue, ...] = ()
    refusals: tuple[NodeRefusal, ...] = ()
    contradictions: tuple[ShapeContradiction, ...] = ()
    taken: tuple[int, ...] = ()
    blind: tuple[tuple[int, int], ...] = ()
    sessions: int = 0
    left_out: int = 0
    ended: str = ""


def shape_text(shape: Shape) -> str:
    """Return a shape as people write it: ``[n, 3, ?]``."""
    return f"[{', '.join('?' if size is None else str(size) for size in shape)}]"
