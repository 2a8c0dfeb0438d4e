"""Values of a constant tensor, some at a time: from the model file, from fields of it, from files beside it.

Weights can be larger than the memory; nothing here holds more than was asked for and one block.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from opstudio.base.errors import InputError
from opstudio.base.finding import Place
from opstudio.model.graph.element_types import ELEMENT_TYPES, STRING, ElementType
from opstudio.model.graph.element_values import Values, decoded
from opstudio.model.graph.external_data import ExternalFiles
from opstudio.model.graph.file_kind import damaged_model
from opstudio.model.graph.read_tensors import TYPED_FIELDS
from opstudio.model.graph.records import (
    ModelRecord,
)
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.tensor_records import (
    ExternalBytes,
    RawBytes,
    TensorRecord,
    TypedField,
)
from opstudio.model.graph.wire import LONGEST_TEXT, VARINT, BrokenModelError, Budget, Message

BLOCK_BYTES = 1 << 22
"""Stored bytes that are decoded at a time; a multiple of the groups of all types but 6-bit floats."""
MOST_VALUES = 1 << 24
"""Values that are given at once."""
_MOST_SINGLE = 1 << 16
"""Numbers with a tag each that are collected before they are decoded."""
_STORAGE = {1: "<u1", 2: "<u2", 4: "<u4", 8: "<u8"}
_LONGEST_VARINT = 10


def read_values(model: ModelRecord, tensor: TensorRecord, *, start: int = 0, count: int = 1000) -> Values:
    """Return ``count`` values of the flat tensor from ``start`` on, fewer where it ends.

    Shapes: (n,), n ≤ count. Types that NumPy lacks are widened, see :mod:`~opstudio.model.graph.element_values`;
    strings come as ``str``, or ``bytes`` where they are no UTF-8.

    Raises:
        InputError: the tensor has no values that can be read, or its file has changed.
    """
    start = max(0, start)
    count = max(0, min(count, MOST_VALUES, tensor.element_count - start))
    if tensor.element_type == STRING:
        return _strings(model, tensor, start, count)
    kind = _readable(model, tensor)
    first_group, skipped = divmod(start, kind.group_elements)
    position = first_group * kind.group_bytes
    needed = kind.stored_bytes(skipped + count) if count else 0
    parts: list[bytes] = []
    if count:
        for block in _blocks(model, tensor, kind, position):
            parts.append(block[:needed])
            needed -= len(parts[-1])
            if needed <= 0:
                break
    if needed > 0:
        raise _no_values(model, tensor, "it has fewer values than its shape needs")
    return decoded(kind, b"".join(parts), skipped + count)[skipped:]


def value_blocks(model: ModelRecord, tensor: TensorRecord) -> Iterator[Values]:
    """Yield all values of the flat tensor, block by block.

    Raises:
        InputError: as of :func:`read_values`; strings have no blocks.
    """
    kind = _readable(model, tensor)
    left = tensor.element_count
    rest = b""
    for block in _blocks(model, tensor, kind, 0):
        content = rest + block
        groups = len(content) // kind.group_bytes
        count = min(left, groups * kind.group_elements)
        rest = content[groups * kind.group_bytes :]
        if count:
            yield decoded(kind, content[: groups * kind.group_bytes], count)
        left -= count
        if left <= 0:
            return
    if left and kind.stored_bytes(left) > len(rest):
        raise _no_values(model, tensor, "it has fewer values than its shape needs")
    if left:
        yield decoded(kind, rest, left)


def _readable(model: ModelRecord, tensor: TensorRecord) -> ElementType:
    problem = tensor.problem or ("strings have no numbers" if tensor.element_type == STRING else "")
    if problem:
        raise _no_values(model, tensor, problem)
    kind = ELEMENT_TYPES[tensor.element_type]
    if isinstance(tensor.data, TypedField) and kind.group_bytes > 1 and kind.group_elements > 1:
        # Of types whose groups are bytes, a number of a field is a byte; of 6-bit floats it is an element.
        return dataclasses.replace(kind, group_elements=1, group_bytes=1)
    return kind


def _no_values(model: ModelRecord, tensor: TensorRecord, problem: str) -> InputError:
    return InputError.of(
        f"The values of {tensor.name or 'the tensor'} cannot be read",
        cause=f"In the model, {problem}",
        fix="Export or download the model again, with all of its files",
        stage="model",
        place=Place(file=str(model.path), tensor=tensor.name or None),
    )


def _blocks(model: ModelRecord, tensor: TensorRecord, kind: ElementType, position: int) -> Iterator[bytes]:
    """Yield the stored bytes from ``position`` on."""
    match tensor.data:
        case RawBytes(offset=offset, length=length):
            with SourceFile(model.path, expected=model.identity) as file:
                yield from _file_blocks(file, offset + position, offset + length)
        case ExternalBytes() as data:
            with _external_file(model, tensor, data) as file:
                yield from _file_blocks(file, data.offset + position, data.offset + data.length)
        case TypedField() as field:
            with SourceFile(model.path, expected=model.identity) as file:
                try:
                    yield from _skipped(_typed_blocks(file, field, kind), position)
                except BrokenModelError as error:
                    raise damaged_model(file.path, offset=error.offset, reason=error.reason) from error


def _file_blocks(file: SourceFile, start: int, end: int) -> Iterator[bytes]:
    for position in range(start, end, BLOCK_BYTES):
        yield file.read(position, min(BLOCK_BYTES, end - position))


@contextlib.contextmanager
def _external_file(model: ModelRecord, tensor: TensorRecord, data: ExternalBytes) -> Iterator[SourceFile]:
    """Open a file of weights after looking once more whether it may be: links may have changed since."""
    found = ExternalFiles(model.path).locate(data.location)
    if found.path is None or found.size < data.offset + data.length:
        raise _no_values(model, tensor, found.detail or f"its weights {data.location!r} have become too short")
    with SourceFile(found.path, follow_links=False) as file:
        yield file


def _skipped(blocks: Iterator[bytes], count: int) -> Iterator[bytes]:
    for block in blocks:
        if count < len(block):
            yield block[count:]
        count = max(0, count - len(block))


def _typed_blocks(file: SourceFile, field: TypedField, kind: ElementType) -> Iterator[bytes]:
    """Yield the values of a typed field as they would be stored in raw bytes."""
    is_float = field.field in ("float_data", "double_data")
    wanted = next(number for number, name in TYPED_FIELDS.items() if name == field.field)
    # Of integers only the low bytes count; several small elements share one integer, as they share bytes.
    size = kind.group_bytes if kind.group_elements == 1 else 1
    message = Message(file, Budget(), field.offset, field.offset + field.length)
    single: list[int] = []
    for number, start, end in message.fields():
        if number != wanted:
            continue
        if end == VARINT:
            single.append(start)
            if len(single) >= _MOST_SINGLE:
                yield _stored(np.array(single, dtype=np.uint64), size)
                single.clear()
            continue
        yield from _file_blocks(file, start, end) if is_float else _packed_blocks(file, start, end, size)
    if single:
        yield _stored(np.array(single, dtype=np.uint64), size)


def _stored(numbers: npt.NDArray[np.uint64], size: int) -> bytes:
    return numbers.astype(_STORAGE[size]).tobytes()


def _packed_blocks(file: SourceFile, start: int, end: int, size: int) -> Iterator[bytes]:
    """Yield packed numbers as stored bytes; a number that a block cuts is finished with the next one."""
    rest = b""
    for block in _file_blocks(file, start, end):
        content = np.frombuffer(rest + block, dtype=np.uint8)
        lasts = np.flatnonzero(content < 128)  # noqa: PLR2004 - seven bits a byte
        whole = int(lasts[-1]) + 1 if len(lasts) else 0
        rest = content[whole:].tobytes()
        if len(rest) >= _LONGEST_VARINT:
            raise BrokenModelError(start, "a number takes more than ten bytes")
        if whole:
            yield _stored(_unpacked_numbers(content[:whole], lasts, start), size)
    if rest:
        raise BrokenModelError(end - len(rest), "a list of numbers breaks off")


def _unpacked_numbers(
    content: npt.NDArray[np.uint8], lasts: npt.NDArray[np.intp], offset: int
) -> npt.NDArray[np.uint64]:
    """Return the numbers whose last bytes stand at ``lasts``."""
    firsts = np.concatenate(([0], lasts[:-1] + 1))
    lengths = lasts - firsts + 1
    longest = int(lengths.max())
    if longest > _LONGEST_VARINT:
        raise BrokenModelError(offset, "a number takes more than ten bytes")
    numbers = np.zeros(len(lasts), dtype=np.uint64)
    for index in range(longest):
        there = lengths > index
        bits = (content[firsts[there] + index] & 127).astype(np.uint64)
        numbers[there] |= bits << np.uint64(7 * index)
    return numbers


def _strings(model: ModelRecord, tensor: TensorRecord, start: int, count: int) -> Values:
    if tensor.problem or not isinstance(tensor.data, TypedField):
        raise _no_values(model, tensor, tensor.problem or "its strings are not in the field for strings")
    found: list[Any] = []
    field = tensor.data
    with SourceFile(model.path, expected=model.identity) as file:
        message = Message(file, Budget(), field.offset, field.offset + field.length)
        try:
            position = 0
            for number, first, last in message.fields():
                if TYPED_FIELDS.get(number) != "string_data" or last == VARINT:
                    continue
                if start <= position < start + count:
                    found.append(_string(message.content(first, min(last, first + LONGEST_TEXT))))
                position += 1
        except BrokenModelError as error:
            raise damaged_model(file.path, offset=error.offset, reason=error.reason) from error
    if len(found) < count:
        raise _no_values(model, tensor, "it has fewer strings than its shape needs")
    values = np.empty(len(found), dtype=object)
    values[:] = found
    return values


def _string(content: bytes) -> str | bytes:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content
