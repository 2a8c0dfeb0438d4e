"""Where the fields of a message lie in a file, their tags included: what a change of the file has to know.

The file was read before (:func:`opstudio.model.graph.reader.read_model`), which bounds what is met here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.wire import BrokenModelError, Budget, Message

_BLOCK = 1 << 14
_LONGEST_HEADER = 20
"""Bytes of two numbers: the tag, and a length or a value."""
_WHOLE_NUMBER, _DELIMITED = 0, 2
_FIXED = {1: 8, 5: 4}
NO_VALUE: Final = -1


class Range(NamedTuple):
    """Bytes of a file: the first, and the one behind the last."""

    start: int
    end: int


class FieldSpan(NamedTuple):
    """A field: its number, its first byte, the first byte of its content, and the byte behind it.

    ``value`` is that of a whole number, unsigned; ``NO_VALUE`` for anything else.
    """

    number: int
    start: int
    content: int
    end: int
    value: int = NO_VALUE

    @property
    def holds_message(self) -> bool:
        """Whether the content has a length of its own: a message, a text or bytes."""
        return self.value == NO_VALUE

    @property
    def inside(self) -> Range:
        """The bytes of the content."""
        return Range(self.content, self.end)


class FieldReader:
    """Reads the fields of messages of one file, a block at a time."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._data = b""
        self._base = 0

    def spans(self, message: Range) -> Iterator[FieldSpan]:
        """Yield the fields of a message in their order.

        Raises:
            BrokenModelError: the bytes are no message.
        """
        position = message.start
        while position < message.end:
            span = self._span(position, message.end)
            if span.end > message.end:
                raise BrokenModelError(position, f"field {span.number} reaches beyond its message")
            yield span
            position = span.end

    def fields(self, message: Range, number: int) -> Iterator[FieldSpan]:
        """Yield the fields of one number that hold a message, a text or bytes."""
        return (span for span in self.spans(message) if span.number == number and span.holds_message)

    def content(self, where: Range) -> bytes:
        """Return bytes of the file."""
        return self._file.read(where.start, where.end - where.start)

    def message(self, where: Range) -> Message:
        """Return a part of the file for the readers of models."""
        return Message(self._file, Budget(), where.start, where.end)

    def text(self, where: Range) -> str:
        """Return a text of the file; bytes that are no UTF-8 are written as such, as the reader of models does."""
        return self.content(where).decode("utf-8", "backslashreplace")

    def _span(self, start: int, last: int) -> FieldSpan:
        tag, position = self._number(start, last)
        number, kind = tag >> 3, tag & 7
        if kind == _WHOLE_NUMBER:
            value, end = self._number(position, last)
            return FieldSpan(number, start, position, end, value)
        if kind in _FIXED:
            return FieldSpan(number, start, position, position + _FIXED[kind])
        if kind != _DELIMITED:
            raise BrokenModelError(start, f"a field is of kind {kind}, which ONNX never writes")
        length, position = self._number(position, last)
        return FieldSpan(number, start, position, position + length)

    def _number(self, position: int, last: int) -> tuple[int, int]:
        if not self._base <= position <= self._base + len(self._data) - _LONGEST_HEADER:
            self._data = self._file.read(position, min(_BLOCK, max(self._file.size - position, 0)))
            self._base = position
        value = shift = 0
        index = position - self._base
        while index < len(self._data) and index + self._base < last and shift < 7 * _LONGEST_HEADER // 2:
            byte = self._data[index]
            index += 1
            value |= (byte & 127) << shift
            if byte < 128:  # noqa: PLR2004 - seven bits a byte
                return value & 0xFFFF_FFFF_FFFF_FFFF, index + self._base
            shift += 7
        raise BrokenModelError(position, "a number of the file has no end")
