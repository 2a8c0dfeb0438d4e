"""Fields as protobuf writes them.

Source: https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations


def varint(value: int) -> bytes:
    """Return a whole number, seven bits a byte, the lowest first; negative ones as 64 bits."""
    value &= 0xFFFF_FFFF_FFFF_FFFF
    parts = bytearray()
    while value > 127:  # noqa: PLR2004 - seven bits a byte
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def header(number: int, length: int) -> bytes:
    """Return what stands before the content of a field of that length."""
    return varint(number << 3 | 2) + varint(length)


def number_field(number: int, value: int) -> bytes:
    """Return a field with a whole number."""
    return varint(number << 3) + varint(value)


def content_field(number: int, content: bytes) -> bytes:
    """Return a field with a message or bytes."""
    return header(number, len(content)) + content


def text_field(number: int, text: str) -> bytes:
    """Return a field with a text."""
    return content_field(number, text.encode("utf-8", "surrogateescape"))
