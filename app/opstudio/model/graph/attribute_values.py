"""Values of attributes: in which fields they stand, and long ones, which stay in the file until someone asks.

Source: ``AttributeProto`` in ``onnx.proto``.
"""

from __future__ import annotations

import struct

from opstudio.model.graph.file_kind import damaged_model
from opstudio.model.graph.records import AttributeKind, AttributeRecord, AttributeValue, BulkValue, ModelRecord
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.wire import VARINT, BrokenModelError, Budget, Message, packed_numbers, signed

LONGEST_VALUE = 1 << 14
"""Bytes of an attribute with numbers or strings; the values of longer ones stay in the file."""
VALUE_FIELDS = {
    2: AttributeKind.FLOAT,
    3: AttributeKind.INT,
    4: AttributeKind.STRING,
    5: AttributeKind.TENSOR,
    6: AttributeKind.GRAPH,
    7: AttributeKind.FLOATS,
    8: AttributeKind.INTS,
    9: AttributeKind.STRINGS,
    10: AttributeKind.TENSORS,
    11: AttributeKind.GRAPHS,
    14: AttributeKind.TYPE,
    15: AttributeKind.TYPES,
    22: AttributeKind.SPARSE_TENSOR,
    23: AttributeKind.SPARSE_TENSORS,
}
LISTS = frozenset(kind for kind in AttributeKind if kind.name.endswith("S"))
PLAIN = frozenset({AttributeKind.STRING, AttributeKind.FLOATS, AttributeKind.INTS, AttributeKind.STRINGS})
"""Kinds whose values can be long without holding tensors or graphs."""
HOLDING = frozenset(VALUE_FIELDS.values()) - PLAIN - {AttributeKind.FLOAT, AttributeKind.INT}
DEFAULTS: dict[AttributeKind, AttributeValue] = {
    AttributeKind.FLOAT: 0.0,
    AttributeKind.INT: 0,
    AttributeKind.STRING: "",
}


def plain_items(message: Message, kind: AttributeKind, start: int, end: int) -> list[int | float | str | bytes]:
    """Return the numbers or the string of one field of an attribute."""
    if kind in (AttributeKind.INT, AttributeKind.INTS):
        if end == VARINT:
            return [signed(start)]
        return [*packed_numbers(message.content(start, end), start, most=end - start)]
    if end == VARINT:
        return []
    content = message.content(start, end)
    if kind in (AttributeKind.FLOAT, AttributeKind.FLOATS):
        if len(content) % 4:
            raise BrokenModelError(start, f"{len(content)} bytes hold no whole number of floats")
        return [*struct.unpack(f"<{len(content) // 4}f", content)]
    try:
        return [content.decode("utf-8")]
    except UnicodeDecodeError:
        return [content]


def read_attribute_value(model: ModelRecord, attribute: AttributeRecord, *, most: int = 1_000_000) -> AttributeValue:
    """Return the value of an attribute, from the file where it was left there; no more than ``most`` items.

    Raises:
        InputError: the file is not the one that was read any more.
    """
    bulk = attribute.value
    if not isinstance(bulk, BulkValue):
        return bulk
    items: list[int | float | str | bytes] = []
    with SourceFile(model.path, expected=model.identity) as file:
        message = Message(file, Budget(), bulk.offset, bulk.offset + bulk.length)
        try:
            for number, start, end in message.fields():
                if VALUE_FIELDS.get(number) is attribute.kind:
                    items.extend(plain_items(message, attribute.kind, start, end))
                if len(items) >= most:
                    break
        except BrokenModelError as error:
            raise damaged_model(file.path, offset=error.offset, reason=error.reason) from error
    if attribute.kind is AttributeKind.STRING:
        return items[-1] if items else ""
    return tuple(items[:most])
