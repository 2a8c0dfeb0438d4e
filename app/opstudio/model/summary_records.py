"""What a model file holds, as plain records that any part of the studio may know; no weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Dimension = int | str
"""A size, or the name of a dimension that varies; an empty name where the file says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeSummary:
    """An attribute of a node: its kind in ONNX's words (FLOAT, INTS …) and its value as text.

    Inside of a function a value may be that of the function's own attribute: ``@name``.
    """

    name: str
    kind: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSummary:
    """A node. ``place`` tells in which function or subgraph it stands; empty for the main graph."""

    name: str
    domain: str
    type: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: tuple[AttributeSummary, ...]
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorSummary:
    """An input or output of the model. ``shape`` is ``None`` where the rank is unknown."""

    name: str
    type: int
    shape: tuple[Dimension, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSummary:
    """A model file.

    ``custom_nodes`` are the nodes outside of ONNX's own domains; the others are counted by ``domain:type``. The
    standard domain, which files call ``ai.onnx`` or nothing at all, has no name here. ``external_files`` hold weights
    beside the model, ``external_bytes`` of them. ``checker`` is what ONNX's own checker says, empty where it is
    content. ``first_nodes`` are the nodes that people look at, of any domain, in the order of the file.
    """

    ir_version: int
    imports: Mapping[str, int]
    inputs: tuple[TensorSummary, ...]
    outputs: tuple[TensorSummary, ...]
    custom_nodes: tuple[NodeSummary, ...]
    standard_types: Mapping[str, int]
    external_files: tuple[str, ...]
    checker: str
    external_bytes: int = 0
    first_nodes: tuple[NodeSummary, ...] = ()
