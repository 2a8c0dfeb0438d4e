"""FlatBuffers' tables, read by offset from a file that nobody trusts.

Positions are bytes in the file. References lead forwards only, so that no table can hold itself; one that is shared
counts every time it is read.
Source: https://flatbuffers.dev/internals/
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.wire import LONGEST_TEXT, MOST_DEPTH, BrokenModelError, Budget

_PAGE = 1 << 16
_MOST_PAGES = 256


class FlatBuffer:
    """The bytes of a file, in pages that stay in memory while they are few."""

    def __init__(self, file: SourceFile) -> None:
        self.budget = Budget()
        self._file = file
        self._pages: dict[int, bytes] = {}

    def root(self) -> Table:
        """Return the outermost table."""
        return Table(self, self.number("<I", 0), 0)

    def content(self, position: int, length: int) -> bytes:
        """Return bytes of the file."""
        if position < 0 or length < 0 or position + length > self._file.size:
            reason = f"{length:,} bytes are asked for, but the file ends at byte {self._file.size:,}"
            raise BrokenModelError(position, reason)
        page, first = divmod(position, _PAGE)
        if first + length <= _PAGE:
            return self._page(page)[first : first + length]
        return self._file.read(position, length)

    def number(self, form: str, position: int) -> int:
        """Return a number; ``form`` is that of :mod:`struct`."""
        return int(struct.unpack(form, self.content(position, struct.calcsize(form)))[0])

    def text(self, position: int) -> str:
        """Return the string that starts with its length at ``position``."""
        length = self.number("<I", position)
        if length > LONGEST_TEXT:
            raise BrokenModelError(position, f"a text takes {length:,} bytes")
        self.budget.add_text(length, position)
        return self.content(position + 4, length).decode("utf-8", "backslashreplace")

    def _page(self, page: int) -> bytes:
        found = self._pages.get(page)
        if found is None:
            if len(self._pages) >= _MOST_PAGES:
                self._pages.clear()
            start = page * _PAGE
            found = self._pages[page] = self._file.read(start, min(_PAGE, self._file.size - start))
        return found


class Table:
    """A table: fields by their number, each of which may be absent."""

    __slots__ = ("_depth", "_fields", "_fields_length", "buffer", "position")

    def __init__(self, buffer: FlatBuffer, position: int, depth: int) -> None:
        if depth > MOST_DEPTH:
            raise BrokenModelError(position, f"tables are nested more than {MOST_DEPTH} deep")
        self.buffer = buffer
        self.position = position
        self._depth = depth
        self._fields = position - buffer.number("<i", position)
        self._fields_length = buffer.number("<H", self._fields)
        buffer.budget.add_record(position)

    def number(self, field: int, form: str = "<q") -> int:
        """Return a number, 0 where it is absent."""
        place = self._place(field)
        return self.buffer.number(form, place) if place else 0

    def real(self, field: int) -> float:
        """Return a 32-bit float, 0 where it is absent."""
        place = self._place(field)
        return float(struct.unpack("<f", self.buffer.content(place, 4))[0]) if place else 0.0

    def text(self, field: int) -> str:
        """Return a string, empty where it is absent."""
        place = self._place(field)
        return self.buffer.text(self._target(place)) if place else ""

    def table(self, field: int) -> Table | None:
        """Return the table that a field holds."""
        place = self._place(field)
        return Table(self.buffer, self._target(place), self._depth + 1) if place else None

    def tables(self, field: int) -> Iterator[Table]:
        """Yield the tables of a list."""
        for place in self._references(field):
            yield Table(self.buffer, self._target(place), self._depth + 1)

    def texts(self, field: int) -> list[str]:
        """Return the strings of a list."""
        return [self.buffer.text(self._target(place)) for place in self._references(field)]

    def vector(self, field: int, size: int) -> tuple[int, int] | None:
        """Return where the elements of a list start, and their number; ``size`` is that of one in bytes."""
        place = self._place(field)
        if not place:
            return None
        start = self._target(place)
        count = self.buffer.number("<I", start)
        if count:
            self.buffer.content(start + 4 + count * size - 1, 1)
        return start + 4, count

    def numbers(self, field: int, form: str, *, most: int) -> tuple[int | float, ...]:
        """Return the numbers of a list; ``form`` is the letter of :mod:`struct`."""
        found = self.vector(field, struct.calcsize(f"<{form}"))
        if found is None:
            return ()
        start, count = found
        if count > most:
            raise BrokenModelError(start, f"a list has more than {most:,} numbers")
        self.buffer.budget.add_fields(count, start)
        return struct.unpack(f"<{count}{form}", self.buffer.content(start, struct.calcsize(f"<{count}{form}")))

    def _references(self, field: int) -> Iterator[int]:
        start, count = self.vector(field, 4) or (0, 0)
        for index in range(count):
            yield start + 4 * index

    def _place(self, field: int) -> int:
        self.buffer.budget.add_fields(1, self.position)
        entry = 4 + 2 * field
        if entry + 2 > self._fields_length:
            return 0
        offset = self.buffer.number("<H", self._fields + entry)
        return self.position + offset if offset else 0

    def _target(self, place: int) -> int:
        return place + self.buffer.number("<I", place)
