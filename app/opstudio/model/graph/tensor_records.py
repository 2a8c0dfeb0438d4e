"""Constant tensors as data: what they are, where their values lie, and why these cannot be read, if so."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from opstudio.model.graph.element_types import ELEMENT_TYPES, STRING

_LARGEST_TOLD = 10**30
"""Above what any file or memory holds; Python refuses to write numbers of more than 4,300 digits."""


def amount_text(count: int) -> str:
    """Return a number of bytes or elements for a sentence; sizes in a file may multiply to any number."""
    return str(count) if count < _LARGEST_TOLD else "more than 10^30"


class ExternalProblem(enum.StrEnum):
    """Why weights beside the model cannot be read. Such a location is never opened."""

    MISSING = "missing"
    TOO_SHORT = "too short"
    OUTSIDE = "outside of the model's folder"
    LINK_OUTSIDE = "a link that leads out of the model's folder"
    NOT_A_FILE = "not a regular file"
    UNREADABLE = "not readable"
    BAD_LOCATION = "not a location"
    BAD_RANGE = "not a range of bytes"
    WRONG_LENGTH = "not as long as the tensor"


@dataclass(frozen=True, slots=True, kw_only=True)
class RawBytes:
    """The bytes of a tensor inside of the model file."""

    offset: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedField:
    """The values of a tensor as a field of protobuf, ``float_data`` for example.

    ``offset`` and ``length`` are those of the whole ``TensorProto``, ``stored_bytes`` counts the field alone.
    """

    field: str
    offset: int
    length: int
    stored_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalBytes:
    """The bytes of a tensor in a file of its own.

    ``location`` is as written. ``path`` is the real file, ``None`` where there is a ``problem``, which ``detail``
    puts in words. Without a length in the model, ``length`` is what the tensor's type and shape need.
    """

    location: str
    offset: int
    length: int
    path: Path | None
    problem: ExternalProblem | None = None
    detail: str = ""


TensorData: TypeAlias = RawBytes | TypedField | ExternalBytes


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorRecord:
    """A constant tensor: its type, shape, and where its values lie (``None``: the file has none)."""

    name: str
    element_type: int
    shape: tuple[int, ...]
    data: TensorData | None

    @property
    def element_count(self) -> int:
        """The number of elements that the shape asks for; 0 where a size is negative."""
        return 0 if any(size < 0 for size in self.shape) else math.prod(self.shape)

    @property
    def needed_bytes(self) -> int:
        """The bytes that type and shape ask for; 0 for strings and for types that ONNX does not know."""
        known = ELEMENT_TYPES.get(self.element_type)
        return known.stored_bytes(self.element_count) if known else 0

    @property
    def byte_length(self) -> int:
        """The bytes that the values take where they lie."""
        match self.data:
            case None:
                return 0
            case TypedField(stored_bytes=stored):
                return stored
            case RawBytes(length=length) | ExternalBytes(length=length):
                return length

    @property
    def problem(self) -> str:
        """Why the tensor's values cannot be read; empty where they can."""
        if self.element_type not in ELEMENT_TYPES:
            return f"its element type {self.element_type} is not one of ONNX"
        if any(size < 0 for size in self.shape):
            return f"its shape {list(self.shape)} has a negative size"
        match self.data:
            case None if self.element_count:
                return f"it has no values, its shape needs {amount_text(self.element_count)}"
            case ExternalBytes(problem=problem, detail=detail) if problem is not None:
                return detail
            case RawBytes() if self.element_type == STRING:
                return "it keeps strings as raw bytes, which ONNX does not allow"
            case RawBytes(length=length) if length != self.needed_bytes:
                return f"it has {length} bytes, its type and shape need {amount_text(self.needed_bytes)}"
            case TypedField(field="float_data" | "double_data", stored_bytes=length) if length != self.needed_bytes:
                return f"it has {length} bytes of numbers, its type and shape need {amount_text(self.needed_bytes)}"
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SparseTensorRecord:
    """A constant tensor of which only some values are stored; it is named after ``values``.

    Shapes: values (N,); indices (N,) into the flat tensor, or (N, rank); ``shape`` is that of the whole tensor.
    """

    values: TensorRecord
    indices: TensorRecord | None
    shape: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the value that the tensor gives."""
        return self.values.name
