"""Edits of named values: a type added, a description dropped, sizes of a shape changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from opstudio.model.fixes.field_edits import replaced_field
from opstudio.model.fixes.field_spans import FieldReader, Range
from opstudio.model.fixes.fix import Edit
from opstudio.model.fixes.model_places import INPUT, OUTPUT, VALUE_INFO, ValuePlace
from opstudio.model.fixes.splices import Splice
from opstudio.model.fixes.wire_writing import content_field, number_field, text_field
from opstudio.model.graph.value_types import Dimension, TensorType, ValueRecord
from opstudio.model.part_text import value_line

_KINDS = {INPUT: "input", OUTPUT: "output", VALUE_INFO: "value"}
_TYPE, _TENSOR, _SHAPE, _DIMENSION, _SIZE, _SIZE_NAME = 2, 1, 2, 1, 1, 2
"""Numbers of fields of ``ValueInfoProto``, ``TypeProto``, ``TypeProto.Tensor``, ``TensorShapeProto``, ``Dimension``."""


def added_value(graph: Range, name: str, kind: TensorType) -> Edit:
    """Return the edit that describes a value of a graph which is not described yet."""
    record = ValueRecord(name=name, type=kind)
    content = text_field(1, name) + content_field(_TYPE, type_content(kind))
    return Edit(
        part=f"value {name}",
        words=f"value {name}: described as {kind}",
        before=(),
        after=(value_line("value", record),),
        splices=(Splice(graph, Range(graph.end, graph.end), content_field(VALUE_INFO, content)),),
    )


def retyped_value(reader: FieldReader, place: ValuePlace, kind: TensorType) -> Edit:
    """Return the edit that gives a described value another type."""
    what = f"{_KINDS[place.span.number]} {place.name}"
    new = content_field(_TYPE, type_content(kind))
    return Edit(
        part=what,
        words=f"{what}: described as {kind}",
        before=(value_line(_KINDS[place.span.number], place.record),),
        after=(value_line(_KINDS[place.span.number], dataclasses.replace(place.record, type=kind)),),
        splices=tuple(replaced_field(reader, place.span.inside, _TYPE, new)),
    )


def dropped_value(graph: Range, place: ValuePlace) -> Edit:
    """Return the edit that drops the description of a value; runtimes infer it again."""
    return Edit(
        part=f"value {place.name}",
        words=f"value {place.name}: its description is dropped",
        before=(value_line("value", place.record),),
        after=(),
        splices=(Splice(graph, Range(place.span.start, place.span.end), b""),),
    )


def resized_value(reader: FieldReader, place: ValuePlace, sizes: Mapping[int, Dimension]) -> Edit:
    """Return the edit that gives axes of a described tensor other sizes, by their axis."""
    old = place.record
    assert isinstance(old.type, TensorType)
    assert old.type.shape is not None
    shape = tuple(sizes.get(axis, size) for axis, size in enumerate(old.type.shape))
    after = dataclasses.replace(old, type=dataclasses.replace(old.type, shape=shape))
    kind = _KINDS[place.span.number]
    changes = ", ".join(
        f"axis {axis} from {_size_text(old.type.shape[axis])} to {_size_text(size)}" for axis, size in sizes.items()
    )
    splices: list[Splice] = []
    axis = -1
    for span in _dimensions(reader, place.span.inside):
        axis += 1
        if axis in sizes:
            splices.extend(_resized(reader, span, sizes[axis]))
    return Edit(
        part=f"{kind} {place.name}",
        words=f"{kind} {place.name}: {changes}",
        before=(value_line(kind, old),),
        after=(value_line(kind, after),),
        splices=tuple(splices),
    )


def type_content(kind: TensorType) -> bytes:
    """Return a tensor type as the content of a ``TypeProto``."""
    content = number_field(1, kind.element_type)
    if kind.shape is not None:
        sizes = (content_field(_DIMENSION, _dimension_content(size)) for size in kind.shape)
        content += content_field(_SHAPE, b"".join(sizes))
    return content_field(_TENSOR, content)


def _dimension_content(size: Dimension) -> bytes:
    match size:
        case None:
            return b""
        case int():
            return number_field(_SIZE, size)
        case str():
            return text_field(_SIZE_NAME, size)


def _dimensions(reader: FieldReader, value: Range) -> list[Range]:
    """Return where the sizes of a described tensor stand."""
    found = [value]
    for number in (_TYPE, _TENSOR, _SHAPE, _DIMENSION):
        inner = [span.inside for message in found for span in reader.fields(message, number)]
        # Of a message that occurs twice, readers join the parts; files do not do that.
        found = inner if number == _DIMENSION else inner[-1:]
    return found


def _resized(reader: FieldReader, dimension: Range, size: Dimension) -> list[Splice]:
    """Return the changes of one size; a note on its meaning stays."""
    old = [span for span in reader.spans(dimension) if span.number in (_SIZE, _SIZE_NAME)]
    new = _dimension_content(size)
    if not old:
        return [Splice(dimension, Range(dimension.start, dimension.start), new)] if new else []
    return [
        Splice(dimension, Range(span.start, span.end), new if position == 0 else b"")
        for position, span in enumerate(old)
    ]


def _size_text(size: Dimension) -> str:
    return "unknown" if size is None else str(size)
