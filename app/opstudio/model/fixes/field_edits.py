"""Changes that give a message one field of a number, with a text or a whole number."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.model.fixes.field_spans import FieldReader, Range
from opstudio.model.fixes.splices import Splice
from opstudio.model.fixes.wire_writing import number_field, text_field


def replaced_text(reader: FieldReader, message: Range, number: int, text: str) -> Iterator[Splice]:
    """Yield the changes after which a message has one field of that number with this text; an empty one leaves none."""
    yield from replaced_field(reader, message, number, text_field(number, text) if text else b"")


def replaced_number(reader: FieldReader, message: Range, number: int, value: int) -> Iterator[Splice]:
    """Yield the changes after which a message has one field of that number with this value."""
    yield from replaced_field(reader, message, number, number_field(number, value))


def replaced_field(reader: FieldReader, message: Range, number: int, new: bytes) -> Iterator[Splice]:
    """Yield the changes after which a message has the field ``new``, tag included, and no other of its number."""
    spans = [span for span in reader.spans(message) if span.number == number]
    for span in spans:
        # Of a field that occurs twice, readers take the last one.
        yield Splice(message, Range(span.start, span.end), new if span is spans[-1] else b"")
    if not spans and new:
        yield Splice(message, Range(message.end, message.end), new)
