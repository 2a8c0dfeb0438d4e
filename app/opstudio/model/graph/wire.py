"""Protobuf's wire format, read by offset: fields of messages without a schema, and never more than a window of them.

Source: https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final, TypeAlias

from opstudio.model.graph.source_file import SourceFile

Field: TypeAlias = "tuple[int, int, int]"
"""Number, and first and last (exclusive) byte in the file of what it holds; for a whole number: its value and −1."""

VARINT: Final = -1
"""Stands for the last byte of a field that is a whole number; it is unsigned, see :func:`signed`."""

WINDOW = 1 << 20
"""Bytes that are read at a time."""
_FIRST_WINDOW = 1 << 10
SMALL = 1 << 18
"""Fields up to this size are read together with what stands beside them."""
MOST_FIELDS = 3_000_000
"""Of one file; a model of 50,000 nodes has about a million. Bounds the time that a file can take."""
MOST_RECORDS = 800_000
"""Nodes, values, tensors and different attributes of one file; a model of 50,000 nodes has about 200,000. Bounds the
memory that a file can take."""
MOST_DEPTH = 100
"""Messages inside of messages; protobuf's own readers allow as many."""
MOST_TEXT = 1 << 27
"""Bytes of all texts of one file that are longer than most; a model of 50,000 nodes has some 20 million."""
LONGEST_TEXT = 1 << 16
"""Bytes of a name. Longer ones are no names."""
_SHORT_TEXT = 64
_LONGEST_ESCAPED = 256
_ESCAPED_COST = 16
_LONGEST_VARINT = 10
_LONGEST_SHIFT = 7 * _LONGEST_VARINT
_HEADER = 2 * _LONGEST_VARINT
_WHOLE_NUMBER, _FIXED64, _DELIMITED, _FIXED32 = 0, 1, 2, 5
_FIXED = {_FIXED64: 8, _FIXED32: 4}
_FIRST_TAG, _LAST_TAG = 1 << 3, (1 << 32) - 1
_MORE = 128
"""From here on, a byte says that its number goes on."""


class BrokenModelError(Exception):
    """The structure of a file breaks at ``offset``. It never leaves the package."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset = offset
        self.reason = reason


class PastEndError(BrokenModelError):
    """A field says that it reaches beyond the message that holds it, whose last byte is before ``end``.

    Where the message is the whole file, the file was cut.
    """

    def __init__(self, offset: int, reason: str, *, end: int) -> None:
        super().__init__(offset, reason)
        self.end = end


class TooLargeError(BrokenModelError):
    """A file has more in it than the studio reads."""


class Budget:
    """What reading one file has used; raises :class:`TooLargeError` beyond the limits."""

    __slots__ = ("fields", "records", "text")

    def __init__(self) -> None:
        self.fields = 0
        self.records = 0
        self.text = 0

    def add_fields(self, count: int, offset: int) -> None:
        """Count fields that were read."""
        self.fields += count
        if self.fields > MOST_FIELDS:
            raise TooLargeError(offset, f"it has more than {MOST_FIELDS:,} fields")

    def add_record(self, offset: int, *, cost: int = 1) -> None:
        """Count something that is kept in memory; ``cost`` is what it takes compared with a node."""
        self.records += cost
        if self.records > MOST_RECORDS:
            raise TooLargeError(offset, f"it has more than {MOST_RECORDS:,} nodes, values and other parts")

    def add_text(self, length: int, offset: int) -> None:
        """Count bytes of text that are kept in memory."""
        self.text += length
        if self.text > MOST_TEXT:
            raise TooLargeError(offset, f"it has more than {MOST_TEXT:,} bytes of names and texts")


class Message:
    """A message in a file: its bytes where they are in memory, else a window that moves over them."""

    __slots__ = ("_base", "_data", "_depth", "_window", "budget", "end", "file", "start")

    def __init__(self, file: SourceFile, budget: Budget, start: int, end: int, *, depth: int = 0) -> None:
        self.file = file
        self.budget = budget
        self.start = start
        self.end = end
        self._depth = depth
        self._data = b""
        self._base = start
        self._window = _FIRST_WINDOW

    @property
    def length(self) -> int:
        """The number of bytes."""
        return self.end - self.start

    def inner(self, start: int, end: int) -> Message:
        """Return the message that a field of this one holds."""
        if self._depth >= MOST_DEPTH:
            raise BrokenModelError(start, f"messages are nested more than {MOST_DEPTH} deep")
        message = Message(self.file, self.budget, start, end, depth=self._depth + 1)
        base = self._base
        if base <= start and end <= base + len(self._data):
            message._data = self._data
            message._base = base
        return message

    def fields(self) -> Iterator[Field]:
        """Yield the fields in the order of the file; what is large among them is passed over unread.

        The inner loop sees every field of a model and is written for speed. It takes what is whole, in memory and of
        a common form; everything else, errors too, is left to :meth:`_next_field`.
        """
        budget = self.budget
        position = self.start
        while position < self.end:
            data, base = self._data, self._base
            index, last = position - base, min(len(data), self.end - base)
            count = 0
            try:
                while 0 <= index < last:
                    tag, length, start = data[index], data[index + 1], index + 2
                    if length >= _MORE:
                        more = data[start]
                        if more >= _MORE:
                            break
                        length, start = (length & 127) | (more << 7), start + 1
                    kind = tag & 7
                    if kind == _DELIMITED and _MORE > tag > _FIRST_TAG:
                        stop = start + length
                        if stop > last:
                            break
                        index = stop
                        count += 1
                        yield tag >> 3, base + start, base + stop
                    elif kind == _WHOLE_NUMBER and _MORE > tag >= _FIRST_TAG and start <= last:
                        index = start
                        count += 1
                        yield tag >> 3, length, VARINT
                    else:
                        break
            except IndexError:
                pass  # the field is cut by the end of what is in memory
            finally:
                budget.fields += count
            position = base + index
            budget.add_fields(1, position)
            if position < self.end:
                number, start, end, position = self._next_field(position)
                yield number, start, end

    def name(self, start: int, end: int) -> str:
        """Return the text of a field that occurs many times; equal ones share their memory."""
        first, last = start - self._base, end - self._base
        if first >= 0 and last <= len(self._data) and last - first <= _SHORT_TEXT:
            try:
                return sys.intern(self._data[first:last].decode())
            except UnicodeDecodeError:
                pass
        return sys.intern(self.text(start, end))

    def content(self, start: int, end: int) -> bytes:
        """Return the bytes of a field; the caller bounds their number."""
        first = start - self._base
        if first >= 0 and end - self._base <= len(self._data):
            return self._data[first : end - self._base]
        return self.file.read(start, end - start)

    def text(self, start: int, end: int) -> str:
        """Return the text of a field. Bytes that are no UTF-8 are written as such, so that names stay different."""
        if end - start > _SHORT_TEXT:
            if end - start > LONGEST_TEXT:
                raise BrokenModelError(start, f"a name takes {end - start:,} bytes")
            self.budget.add_text(end - start, start)
        content = self.content(start, end)
        try:
            return content.decode()
        except UnicodeDecodeError:
            return self._escaped(content, start)

    def shortened_text(self, start: int, end: int) -> str:
        """Return the text of a field that people read, cut where it is very long."""
        if end - start <= LONGEST_TEXT:
            return self.text(start, end)
        self.budget.add_text(LONGEST_TEXT, start)
        return self._escaped(self.content(start, start + LONGEST_TEXT), start) + "…"

    def _escaped(self, content: bytes, start: int) -> str:
        # Writing bytes as such takes a third of a microsecond for each; long texts are not worth that.
        escaped = content.decode("utf-8", "backslashreplace" if len(content) <= _LONGEST_ESCAPED else "replace")
        self.budget.add_text(_ESCAPED_COST * len(escaped), start)
        return escaped

    def _next_field(self, position: int) -> tuple[int, int, int, int]:
        """Return a field and where the next one starts; afterwards a small field is in memory."""
        if not self._base <= position <= position + _HEADER <= self._base + len(self._data):
            self._load(position)
        tag, value, start = self._header(position)
        if tag & 7 == _WHOLE_NUMBER:
            return tag >> 3, value, VARINT, start
        end = start + value
        if end > self.end:
            reason = f"field {tag >> 3} says that it reaches to byte {end:,}, but its surroundings end at {self.end:,}"
            raise PastEndError(position, reason, end=self.end)
        if end > self._base + len(self._data) and value <= SMALL:
            self._load(start, least=value)
        return tag >> 3, start, end, end

    def _header(self, position: int) -> tuple[int, int, int]:
        """Return the tag of a field, its value or the length of its content, and where that starts."""
        try:
            tag, index = _varint(self._data, position - self._base)
            kind = tag & 7
            if not _FIRST_TAG <= tag <= _LAST_TAG:
                raise BrokenModelError(position, f"a field cannot have the number {tag >> 3}")
            if kind in _FIXED:
                return tag, _FIXED[kind], index + self._base
            if kind not in (_WHOLE_NUMBER, _DELIMITED):
                raise BrokenModelError(position, f"a field is of kind {kind}, which ONNX never writes")
            value, index = _varint(self._data, index)
        except IndexError:
            raise PastEndError(position, "a field has no end", end=self.end) from None
        except _VarintError:
            raise BrokenModelError(position, "a number takes more than ten bytes") from None
        if index + self._base > self.end:
            raise PastEndError(position, "a field has no end", end=self.end)
        return tag, value, index + self._base

    def _load(self, start: int, *, least: int = _HEADER) -> None:
        """Read a window; the first one of a message is small, since what is large in it may be the weights."""
        self._window = min(WINDOW, 4 * self._window)
        self._data = self.file.read(start, min(max(self._window, least), self.end - start))
        self._base = start


class _VarintError(Exception):
    """A number goes on for more bytes than any number has."""


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """Read a number of seven bits a byte, lowest first; return it modulo 2⁶⁴ and where it ends."""
    value = shift = 0
    while shift < _LONGEST_SHIFT:
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < _MORE:
            return value & 0xFFFF_FFFF_FFFF_FFFF, position
        shift += 7
    raise _VarintError


def signed(value: int) -> int:
    """Return a whole number of a field as the signed 64-bit number that it is."""
    return value - (1 << 64) if value >> 63 else value


def packed_numbers(data: bytes, offset: int, *, most: int) -> list[int]:
    """Return the signed numbers of a packed field.

    Raises:
        BrokenModelError: the last one has no end, or there are more than ``most``.
    """
    numbers: list[int] = []
    position = 0
    try:
        while position < len(data):
            value, position = _varint(data, position)
            numbers.append(signed(value))
            if len(numbers) > most:
                raise BrokenModelError(offset, f"a list has more than {most:,} numbers")
    except (IndexError, _VarintError):
        raise BrokenModelError(offset + position, "a list of numbers breaks off") from None
    return numbers
