"""Constant tensors from their messages: what they are and where their values lie, never the values.

Source: ``TensorProto`` and ``SparseTensorProto`` in ``onnx.proto``.
"""

from __future__ import annotations

from opstudio.model.graph.element_types import ELEMENT_TYPES
from opstudio.model.graph.external_data import ExternalFiles
from opstudio.model.graph.tensor_records import (
    RawBytes,
    SparseTensorRecord,
    TensorData,
    TensorRecord,
    TypedField,
)
from opstudio.model.graph.wire import VARINT, BrokenModelError, Message, packed_numbers, signed

_DIMS, _TYPE, _NAME, _RAW, _EXTERNAL, _LOCATION = 1, 2, 8, 9, 13, 14
TYPED_FIELDS = {
    4: "float_data",
    5: "int32_data",
    6: "string_data",
    7: "int64_data",
    10: "double_data",
    11: "uint64_data",
}
_IS_EXTERNAL = 1
MOST_DIMENSIONS = 128
"""Of a constant. Runtimes stop at 8, NumPy at 64; Python does not write the product of a thousand sizes."""
_MOST_ENTRIES = 64


class TensorReader:
    """Reads tensors of one model."""

    def __init__(self, external: ExternalFiles) -> None:
        self._external = external

    def tensor(self, message: Message) -> TensorRecord:
        """Read a ``TensorProto``."""
        message.budget.add_record(message.start, cost=4)
        shape: list[int] = []
        name = ""
        code = location = 0
        raw: RawBytes | None = None
        entries: dict[str, str] = {}
        stored: dict[int, int] = {}
        for number, start, end in message.fields():
            if number == _DIMS:
                shape.extend(numbers_of(message, start, end, most=MOST_DIMENSIONS - len(shape)))
            elif number == _TYPE and end == VARINT:
                code = start
            elif number == _NAME and end != VARINT:
                name = message.name(start, end)
            elif number == _RAW and end != VARINT:
                raw = RawBytes(offset=start, length=end - start)
            elif number == _EXTERNAL and end != VARINT:
                key, value = read_entry(message.inner(start, end))
                entries[key] = value
                if len(entries) > _MOST_ENTRIES:
                    raise BrokenModelError(start, f"a tensor has more than {_MOST_ENTRIES} entries of external data")
            elif number == _LOCATION and end == VARINT:
                location = start
            elif number in TYPED_FIELDS:
                stored[number] = stored.get(number, 0) + (end - start if end != VARINT else 1)
        record = TensorRecord(name=name, element_type=code, shape=tuple(shape), data=None)
        data: TensorData | None = raw
        if location == _IS_EXTERNAL:
            data = self._external.data(entries, record.needed_bytes)
        elif raw is None:
            data = _typed(message, code, stored)
        return TensorRecord(name=name, element_type=code, shape=record.shape, data=data)

    def sparse(self, message: Message) -> SparseTensorRecord:
        """Read a ``SparseTensorProto``."""
        shape: list[int] = []
        values = TensorRecord(name="", element_type=0, shape=(), data=None)
        indices: TensorRecord | None = None
        for number, start, end in message.fields():
            if number == 1 and end != VARINT:
                values = self.tensor(message.inner(start, end))
            elif number == 2 and end != VARINT:  # noqa: PLR2004 - numbers of fields
                indices = self.tensor(message.inner(start, end))
            elif number == 3:  # noqa: PLR2004
                shape.extend(numbers_of(message, start, end, most=MOST_DIMENSIONS - len(shape)))
        return SparseTensorRecord(values=values, indices=indices, shape=tuple(shape))


def _typed(message: Message, code: int, stored: dict[int, int]) -> TypedField | None:
    """Return the field that holds values of this element type; others are left out, as by every reader."""
    known = ELEMENT_TYPES.get(code)
    for number, length in stored.items():
        if known and TYPED_FIELDS[number] == known.typed_field:
            return TypedField(field=known.typed_field, offset=message.start, length=message.length, stored_bytes=length)
    return None


def read_entry(message: Message) -> tuple[str, str]:
    """Read a ``StringStringEntryProto``: key and value, the value cut where it is very long."""
    key = value = ""
    for number, start, end in message.fields():
        if number == 1 and end != VARINT:
            key = message.text(start, end)
        elif number == 2 and end != VARINT:  # noqa: PLR2004
            value = message.shortened_text(start, end)
    return key, value


def numbers_of(message: Message, start: int, end: int, *, most: int) -> list[int]:
    """Return the signed numbers of a field: one, or several in packed form.

    Raises:
        BrokenModelError: there are more than ``most``.
    """
    if end == VARINT:
        if most <= 0:
            raise BrokenModelError(message.start, "a shape has too many dimensions")
        return [signed(start)]
    # Ten bytes is the most that a number takes; more than these hold more numbers than allowed, or broken ones.
    if end - start > 10 * max(most, 0):
        raise BrokenModelError(start, "a shape has too many dimensions")
    return packed_numbers(message.content(start, end), start, most=most)
