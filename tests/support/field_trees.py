"""A model as the tree of its protobuf fields, which can be damaged in one place and written with lengths that fit.

So what stands around the damage stays whole, and a reader gets as far as the damage itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from onnx import ModelProto  # noqa: TID253 - models are what this is about

from tests.support.damaged_models import varint

WHOLE_NUMBER, FIXED64, DELIMITED, FIXED32 = 0, 1, 2, 5
_FIXED = {FIXED64: 8, FIXED32: 4}


@dataclass(slots=True)
class FieldTree:
    """A field: a message has ``children``, all others ``content``, without its length; ``name`` is the schema's."""

    number: int
    kind: int
    name: str
    content: bytes = b""
    children: list[FieldTree] | None = None

    def written(self) -> bytes:
        """Return the bytes of the field."""
        tag = varint(self.number << 3 | self.kind)
        content = self.inner()
        return tag + varint(len(content)) + content if self.kind == DELIMITED else tag + content

    def inner(self) -> bytes:
        """Return the bytes of what the field holds."""
        return self.content if self.children is None else b"".join(child.written() for child in self.children)


@dataclass(frozen=True, slots=True)
class PlacedField:
    """A field, the list that it stands in, and the messages around it, the outermost first."""

    tree: FieldTree
    siblings: list[FieldTree]
    around: tuple[FieldTree, ...] = field(default=())


def tree_of(content: bytes) -> FieldTree:
    """Return the tree of a model; its root has no number."""
    return FieldTree(0, DELIMITED, "ModelProto", children=list(_fields(content, ModelProto.DESCRIPTOR)))


def places(tree: FieldTree, around: tuple[FieldTree, ...] = ()) -> Iterator[PlacedField]:
    """Yield all fields below one, each with where it stands."""
    inner = (*around, tree)
    for child in tree.children or ():
        yield PlacedField(child, tree.children or [], inner)
        if child.children is not None:
            yield from places(child, inner)


def _fields(content: bytes, schema: Any) -> Iterator[FieldTree]:
    position = 0
    while position < len(content):
        tag, position = _number(content, position)
        number, kind = tag >> 3, tag & 7
        known = schema.fields_by_number.get(number)
        name = f"{schema.name}.{known.name if known else number}"
        start = position
        if kind == WHOLE_NUMBER:
            _, position = _number(content, position)
            yield FieldTree(number, kind, name, content[start:position])
        elif kind in _FIXED:
            position += _FIXED[kind]
            yield FieldTree(number, kind, name, content[start:position])
        else:
            length, start = _number(content, position)
            position = start + length
            inner = content[start:position]
            if known is not None and known.message_type is not None:
                yield FieldTree(number, kind, name, children=list(_fields(inner, known.message_type)))
            else:
                yield FieldTree(number, kind, name, inner)


def _number(content: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[position]
        value |= (byte & 127) << shift
        position, shift = position + 1, shift + 7
        if byte < 128:
            return value, position
