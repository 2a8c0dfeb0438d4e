"""What is known of the values of one graph while a model is walked: declared types, inferred ones, small constants."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from opstudio.model.graph.records import GraphRecord
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.tensor_records import RawBytes, TensorRecord, TypedField
from opstudio.model.graph.value_types import TensorType, ValueRecord, ValueType
from opstudio.model.runtime.element_types import element_type_text
from opstudio.model.runtime.type_texts import type_text
from opstudio.model.shapes.node_asking import KnownType
from opstudio.model.shapes.records import Shape

MOST_CONSTANT_BYTES = 1024
"""Larger tensors are no sizes, axes or limits; shapes do not depend on what they hold."""
NOT_KNOWN = KnownType("")


class UnreadableError(ValueError):
    """A part of the file that was walked along is refused by protobuf."""


def parsed(kind: Any, content: bytes) -> Any:
    """Return a message of ONNX.

    Raises:
        UnreadableError: it is damaged.
    """
    try:
        return kind.FromString(content)
    except Exception as error:
        raise UnreadableError(str(error)) from error


@dataclass(slots=True)
class KnownValues:
    """The names of a graph; those around it are seen as well. ``withheld`` are constants that are not handed over."""

    around: KnownValues | None = None
    types: dict[str, KnownType] = field(default_factory=dict)
    declared: dict[str, KnownType] = field(default_factory=dict)
    constants: dict[str, bytes] = field(default_factory=dict)
    withheld: set[str] = field(default_factory=set)

    def type_of(self, name: str) -> KnownType:
        """Return what is known of a name; of one that nothing made yet, nothing."""
        values = self._defining(name)
        return values.types[name] if values is not None else NOT_KNOWN

    def constant(self, name: str) -> bytes:
        """Return the serialised tensor of a small constant; empty for everything else."""
        values = self._defining(name)
        return values.constants.get(name, b"") if values is not None else b""

    def is_withheld(self, name: str) -> bool:
        """Whether a name is a constant whose values are not looked at."""
        values = self._defining(name)
        return values is not None and name in values.withheld

    def declare(self, values: Iterable[ValueRecord]) -> None:
        """Note what the file says of values that nodes make."""
        for value in values:
            if (known := declared_type(value.type)).type:
                self.declared.setdefault(value.name, known)

    def add_constant(self, name: str, tensor: TensorRecord, file: SourceFile) -> None:
        """Note a constant tensor, with its values where they are few."""
        self.types[name] = KnownType(element_type_text(tensor.element_type), tensor.shape)
        if content := _serialized(tensor, file):
            self.constants[name] = content
        else:
            self.withheld.add(name)

    def _defining(self, name: str) -> KnownValues | None:
        values: KnownValues | None = self
        while values is not None and name not in values.types:
            values = values.around
        return values


def values_of_graph(graph: GraphRecord, around: KnownValues | None, file: SourceFile, ir_version: int) -> KnownValues:
    """Return what a graph says of its values before any node is looked at."""
    values = KnownValues(around)
    values.declare((*graph.value_infos, *graph.outputs))
    for value in graph.inputs:
        values.types[value.name] = declared_type(value.type)
    # From version 4 on, an initializer that is also an input is a default, which a caller may replace.
    replaceable = {value.name for value in graph.inputs} if ir_version >= _DEFAULTS_SINCE else set()
    for tensor in graph.initializers:
        if tensor.name in replaceable:
            values.types[tensor.name] = KnownType(element_type_text(tensor.element_type), tensor.shape)
        else:
            values.add_constant(tensor.name, tensor, file)
    for sparse in graph.sparse_initializers:
        values.types[sparse.name] = KnownType(element_type_text(sparse.values.element_type), sparse.shape)
        values.withheld.add(sparse.name)
    return values


_DEFAULTS_SINCE = 4


def declared_type(value: ValueType | None) -> KnownType:
    """Return a type as the file states it."""
    shape = value.shape if isinstance(value, TensorType) else None
    # Sizes below zero say nothing: tools write -1 for a size that varies.
    sizes = None if shape is None else tuple(None if isinstance(size, int) and size < 0 else size for size in shape)
    return KnownType(type_text(value), sizes)


def merged_shape(declared: Shape | None, inferred: Shape | None) -> Shape | None:
    """Return what is known after both; where they contradict, nothing. Source: observed of ONNX Runtime 1.32."""
    if declared is None or inferred is None:
        return inferred if declared is None else declared
    if len(declared) != len(inferred):
        return None
    return tuple(_merged_size(*sizes) for sizes in zip(declared, inferred, strict=True))


def contradicts(declared: Shape | None, inferred: Shape | None) -> bool:
    """Whether two shapes cannot be those of one value."""
    if declared is None or inferred is None:
        return False
    if len(declared) != len(inferred):
        return True
    return any(
        isinstance(first, int) and isinstance(second, int) and first != second
        for first, second in zip(declared, inferred, strict=True)
    )


def _merged_size(declared: int | str | None, inferred: int | str | None) -> int | str | None:
    for size in (inferred, declared):
        if isinstance(size, int):
            other = declared if size is inferred else inferred
            return None if isinstance(other, int) and other != size else size
    return inferred or declared


def _serialized(tensor: TensorRecord, file: SourceFile) -> bytes:
    """Return a small tensor as its message, without its name; empty for one that is large or lies elsewhere."""
    import onnx

    if tensor.problem or tensor.byte_length > MOST_CONSTANT_BYTES:
        return b""
    made: Any
    match tensor.data:
        case RawBytes(offset=offset, length=length):
            made = onnx.TensorProto(data_type=tensor.element_type, dims=tensor.shape)
            made.raw_data = file.read(offset, length)
        case TypedField(offset=offset, length=length) if length <= 2 * MOST_CONSTANT_BYTES:
            try:
                made = parsed(onnx.TensorProto, file.read(offset, length))
            except UnreadableError:
                return b""
            made.ClearField("name")
            made.ClearField("doc_string")
        case _:
            return b""
    content: bytes = made.SerializeToString(deterministic=True)
    return content
