"""Types of values and named values, from their messages.

Source: ``TypeProto``, ``TensorShapeProto``, ``ValueInfoProto`` in ``onnx.proto``.
"""

from __future__ import annotations

from collections.abc import Callable

from opstudio.model.graph.value_types import (
    Dimension,
    MapType,
    OpaqueType,
    OptionalType,
    SequenceType,
    TensorType,
    ValueRecord,
    ValueType,
)
from opstudio.model.graph.wire import VARINT, BrokenModelError, Message, signed

_MOST_DIMENSIONS = 1024
_LONGEST_CACHED = 256


class TypeReader:
    """Reads named values. Most values of a model share a few types, which are read once."""

    def __init__(self) -> None:
        self._seen: dict[bytes, ValueType | None] = {}

    def value(self, message: Message) -> ValueRecord:
        """Read a ``ValueInfoProto``."""
        message.budget.add_record(message.start)
        name = ""
        name_end = message.start
        kind: ValueType | None = None
        for number, start, end in message.fields():
            if number == 1 and end != VARINT:
                name, name_end = message.name(start, end), end
                # What follows is as a rule the type alone: one that was seen need not be read again.
                if message.end - end <= _LONGEST_CACHED:
                    rest = message.content(end, message.end)
                    if rest in self._seen:
                        return ValueRecord(name=name, type=self._seen[rest])
            elif number == 2 and end != VARINT:  # noqa: PLR2004 - numbers of fields
                kind = read_type(message.inner(start, end))
                if name_end > message.start and message.end - name_end <= _LONGEST_CACHED and end == message.end:
                    self._seen[message.content(name_end, end)] = kind
        return ValueRecord(name=name, type=kind)


def read_type(message: Message) -> ValueType | None:
    """Read a ``TypeProto``; ``None`` where it says nothing."""
    found: ValueType | None = None
    for number, start, end in message.fields():
        read = _TYPES.get(number)
        if read is not None and end != VARINT:
            found = read(message.inner(start, end))
    return found


def _tensor_type(message: Message) -> TensorType:
    code = 0
    shape: tuple[Dimension, ...] | None = None
    for number, start, end in message.fields():
        if number == 1 and end == VARINT:
            code = start
        elif number == 2 and end != VARINT:  # noqa: PLR2004
            shape = _shape(message.inner(start, end))
    return TensorType(element_type=code, shape=shape)


def _sparse_type(message: Message) -> TensorType:
    dense = _tensor_type(message)
    return TensorType(element_type=dense.element_type, shape=dense.shape, is_sparse=True)


def _shape(message: Message) -> tuple[Dimension, ...]:
    sizes: list[Dimension] = []
    for number, start, end in message.fields():
        if number == 1 and end != VARINT:
            sizes.append(_dimension(message.inner(start, end)))
            if len(sizes) > _MOST_DIMENSIONS:
                raise BrokenModelError(start, f"a shape has more than {_MOST_DIMENSIONS} dimensions")
    return tuple(sizes)


def _dimension(message: Message) -> Dimension:
    size: Dimension = None
    for number, start, end in message.fields():
        if number == 1 and end == VARINT:
            size = signed(start)
        elif number == 2 and end != VARINT:  # noqa: PLR2004
            size = message.name(start, end) or None
    return size


def _element(message: Message) -> ValueType | None:
    found: ValueType | None = None
    for number, start, end in message.fields():
        if number == 1 and end != VARINT:
            found = read_type(message.inner(start, end))
    return found


def _map_type(message: Message) -> MapType:
    key = 0
    value: ValueType | None = None
    for number, start, end in message.fields():
        if number == 1 and end == VARINT:
            key = start
        elif number == 2 and end != VARINT:  # noqa: PLR2004
            value = read_type(message.inner(start, end))
    return MapType(key_type=key, value=value)


def _opaque_type(message: Message) -> OpaqueType:
    texts = {number: message.text(start, end) for number, start, end in message.fields() if end != VARINT}
    return OpaqueType(domain=texts.get(1, ""), name=texts.get(2, ""))


_TYPES: dict[int, Callable[[Message], ValueType]] = {
    1: _tensor_type,
    4: lambda message: SequenceType(element=_element(message)),
    5: _map_type,
    7: _opaque_type,
    8: _sparse_type,
    9: lambda message: OptionalType(element=_element(message)),
}
