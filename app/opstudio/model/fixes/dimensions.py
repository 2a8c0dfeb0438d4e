"""What follows for a model from another size of one axis of an input: descriptions of values that depend on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from opstudio.model.fixes.field_spans import FieldReader
from opstudio.model.fixes.fix import Edit, FixTarget, refused
from opstudio.model.fixes.model_places import (
    INPUT,
    OUTPUT,
    VALUE_INFO,
    ValuePlace,
    find_places,
    find_values,
    nested_values,
    open_fields,
)
from opstudio.model.fixes.node_edits import node_range
from opstudio.model.fixes.reach import constants_with, nodes_behind
from opstudio.model.fixes.value_edits import dropped_value, resized_value
from opstudio.model.graph.records import NodeRecord
from opstudio.model.graph.value_types import Dimension, TensorType


def size_of(target: FixTarget, name: str, axis: int) -> Dimension:
    """Return the size of an axis of an input.

    Raises:
        InputError: there is no such input, or it has no such axis.
    """
    inputs = {value.name: value for value in target.model.graph.true_inputs}
    value = inputs.get(name)
    if value is None:
        raise refused(
            f"The model has no input {name}",
            cause=f"its inputs are {', '.join(inputs) or 'none'}",
            fix="Name one of them, with the axis in brackets",
        )
    shape = value.type.shape if isinstance(value.type, TensorType) else None
    if shape is None or axis >= len(shape):
        raise refused(
            f"The input {name} has no axis {axis}",
            cause=f"it is {value.type or 'not described'}",
            fix="Axes are counted from 0",
        )
    return shape[axis]


def fixed_edits(target: FixTarget, name: str, axis: int, size: int) -> Iterator[Edit]:
    """Yield the edits that fix an axis of an input; a size with a name gets the number wherever it stands.

    Descriptions of values are adapted by name, and dropped where a size without a name decided them.
    """
    old = size_of(target, name, axis)
    if isinstance(old, str):
        yield from _resized_by_name(target, old, size)
        return
    yield from _resized_input(target, name, axis, size)


def dynamic_edits(target: FixTarget, name: str, axis: int, new: str) -> Iterator[Edit]:
    """Yield the edits that let an axis of an input vary under a name.

    Everything behind the input may depend on it: descriptions of values there are dropped, since runtimes infer them
    again, and sizes of outputs that equal the old one become open; on the same axis they get the name.
    """
    old = size_of(target, name, axis)
    if isinstance(old, str):
        yield from _resized_by_name(target, old, new)
        return
    yield from _resized_input(target, name, axis, new)


def _resized_by_name(target: FixTarget, old: str, new: Dimension) -> Iterator[Edit]:
    graph = find_places(target.model).graph
    with open_fields(target.model) as reader:
        for place in find_values(target.model, graph):
            if sizes := {axis: new for axis, size in enumerate(_shape(place)) if size == old}:
                yield resized_value(reader, place, sizes)


def _resized_input(target: FixTarget, name: str, axis: int, new: Dimension) -> Iterator[Edit]:
    old = size_of(target, name, axis)
    graph = find_places(target.model).graph
    behind = nodes_behind(target.model, name)
    made = {output for node in behind for output in node.outputs}
    baked = tuple(
        f"{node.name or node.type} has the constant shape {text}: it holds the size {old} and stays as it is"
        for node, text in (constants_with(target.model, behind, old) if isinstance(old, int) else ())
    )
    with open_fields(target.model) as reader:
        for place in find_values(target.model, graph):
            if place.span.number == INPUT and place.name == name:
                yield dataclasses.replace(resized_value(reader, place, {axis: new}), notes=baked)
            elif place.span.number == VALUE_INFO and place.name in made:
                yield dropped_value(graph, place)
            elif place.span.number == OUTPUT and place.name in made and (sizes := _opened_sizes(place, old, axis, new)):
                yield resized_value(reader, place, sizes)
        for node in behind:
            yield from _nested_edits(reader, node, old)


def _nested_edits(reader: FieldReader, node: NodeRecord, old: Dimension) -> Iterator[Edit]:
    """Yield the edits of graphs nested in a node: their values may depend on the axis, under whatever number."""
    for graph, place in nested_values(reader, node_range(node)):
        if place.span.number == VALUE_INFO:
            yield dropped_value(graph, place)
        elif sizes := _opened_sizes(place, old, -1, None):
            yield resized_value(reader, place, sizes)


def _opened_sizes(place: ValuePlace, old: Dimension, axis: int, new: Dimension) -> dict[int, Dimension]:
    """Return the sizes of an output that equal the old one: open, and on the same axis under the new name."""
    return {
        position: new if position == axis and isinstance(new, str) else None
        for position, size in enumerate(_shape(place))
        if isinstance(size, int) and size == old
    }


def _shape(place: ValuePlace) -> tuple[Dimension, ...]:
    kind = place.record.type
    return (kind.shape or ()) if isinstance(kind, TensorType) else ()
