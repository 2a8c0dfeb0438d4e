"""What a picture of a graph shows, before and after it is placed: plain records."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from opstudio.layout.arrays import Integers
from opstudio.layout.graph import Edges, Graph, Layout

ScopePath = tuple[str, ...]
"""Leads to a graph of a model: empty for the main one; see ``model.graph.value_index.Scope.path``."""


class BoxKind(enum.StrEnum):
    """What a box stands for."""

    NODE = "node"
    GROUP = "group"
    """Nodes of one module, or of a block that repeats, drawn as one box."""
    INPUT = "input"
    OUTPUT = "output"
    OUTER = "outer"
    """A value of a graph around a nested one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box.

    ``title`` stands in its header: an operator's type, a group's last name, a value's name. ``name`` stands below,
    where there is one to tell: the module that a node comes from or else the node's name, the class of a group's
    module; ``detail`` is the most telling attribute or shape, such as ``3×3, stride 2``.
    ``domain`` is empty for the standard one. ``nodes`` are the nodes of the scope that it stands for, none for values.
    """

    kind: BoxKind
    title: str
    name: str = ""
    detail: str = ""
    domain: str = ""
    nodes: tuple[int, ...] = ()
    value: str = ""
    group: str = ""
    """The whole name of a group, which opens and closes it."""
    repeats: int = 1
    """How many equal blocks in a row the group stands for."""
    around: str = ""
    """The innermost group that the box lies in, which can be closed."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Diagram:
    """The boxes of one graph or function and the values that flow between them.

    Constants are no boxes; they belong to the nodes that read them, and so do nodes that only give a
    constant, which have the box of the first of these. ``values`` names what each edge carries (the first
    of several between groups).

    Shapes: box_of_node: (nodes of the scope,); values: (edges,).
    """

    scope: ScopePath
    boxes: tuple[Box, ...]
    edges: Edges
    values: tuple[str, ...]
    box_of_node: Integers
    collapsed: frozenset[str]
    """The groups that are drawn as one box, and those inside of them that stay closed when one is opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A rectangle around the boxes of an open group, in the pixels of zoom 1."""

    group: str
    title: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlacedDiagram:
    """A diagram with sizes and places. All pixels are those of zoom 1."""

    diagram: Diagram
    graph: Graph
    """The sizes of the boxes."""
    layout: Layout
    frames: tuple[Frame, ...] = ()
    """Outer ones before inner ones."""


class NodeState(enum.StrEnum):
    """What is known of who implements a node."""

    UNKNOWN = "unknown"
    """Nobody has asked yet."""
    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeMark:
    """The state of a node and who implements it, in one word: a provider, a library's file name, ``function``."""

    state: NodeState
    party: str = ""


Marks = Mapping[int, NodeMark]
"""By the index of a node in its scope."""
