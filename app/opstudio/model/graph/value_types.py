"""Types of values: tensors and what holds them, as the file states them.

Element types are ONNX's numbers; :mod:`opstudio.model.graph.element_types` has their names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from opstudio.model.graph.element_types import element_type_name

Dimension: TypeAlias = "int | str | None"
"""A size, the name of a size that varies, or nothing where the file says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorType:
    """A tensor of ``element_type`` (ONNX's number). ``shape`` is ``None`` where the rank is unknown."""

    element_type: int
    shape: tuple[Dimension, ...] | None
    is_sparse: bool = False

    def __str__(self) -> str:
        name = f"{'sparse ' if self.is_sparse else ''}{element_type_name(self.element_type)}"
        if self.shape is None:
            return name
        return f"{name}[{', '.join('?' if size is None else str(size) for size in self.shape)}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceType:
    """A list of values of one type."""

    element: ValueType | None

    def __str__(self) -> str:
        return f"sequence({self.element or '?'})"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionalType:
    """A value that may be absent."""

    element: ValueType | None

    def __str__(self) -> str:
        return f"optional({self.element or '?'})"


@dataclass(frozen=True, slots=True, kw_only=True)
class MapType:
    """A dictionary. ``key_type`` is an element type."""

    key_type: int
    value: ValueType | None

    def __str__(self) -> str:
        return f"map({element_type_name(self.key_type)}, {self.value or '?'})"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpaqueType:
    """A type that only its own domain knows."""

    domain: str
    name: str

    def __str__(self) -> str:
        return f"opaque({self.domain}, {self.name})"


ValueType: TypeAlias = TensorType | SequenceType | OptionalType | MapType | OpaqueType


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRecord:
    """A named value and what the file says of its type, if anything."""

    name: str
    type: ValueType | None
