"""Nodes that a fix puts before others: constants and casts, with names that nothing of the model has."""

from __future__ import annotations

import dataclasses
import math
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from opstudio.model.fixes.domain_uses import nodes_within
from opstudio.model.fixes.field_spans import FieldReader, FieldSpan, Range
from opstudio.model.fixes.fix import Edit
from opstudio.model.fixes.node_edits import node_part
from opstudio.model.fixes.node_places import NodePlace
from opstudio.model.fixes.splices import Splice
from opstudio.model.fixes.wire_writing import content_field, number_field, text_field
from opstudio.model.graph.records import AttributeKind, ModelRecord
from opstudio.model.graph.tensor_records import TensorRecord
from opstudio.model.graph.value_index import index_model
from opstudio.model.part_text import node_lines, tensor_text
from opstudio.model.resolution.records import ResolvedNode

_NODE = 1
_INPUT, _OUTPUT, _NAME, _TYPE, _ATTRIBUTE = 1, 2, 3, 4, 5
"""Numbers of fields of ``GraphProto`` and ``NodeProto``. Source: ``onnx.proto``."""
_ATTRIBUTE_NAME, _ATTRIBUTE_INT, _ATTRIBUTE_TENSOR, _ATTRIBUTE_KIND = 1, 3, 5, 20
_DIMS, _DATA_TYPE, _RAW_DATA = 1, 2, 9
_FORMATS = {1: "f", 7: "q", 10: "e", 11: "d"}
"""How elements are written, by the numbers of their types: float, int64, float16, double."""
CONSTANT_TYPES = frozenset(_FORMATS)
"""The numbers of the element types that constants can be written of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTensor:
    """A constant: the number of its element type, its shape, and its values in order."""

    element_type: int
    shape: tuple[int, ...]
    values: tuple[int | float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNode:
    """A node to add: the content of its message, its lines for people, and the value that it makes."""

    content: bytes
    lines: tuple[str, ...]
    output: str


class FreshNames:
    """Gives names that no value and no node of a model has, each once."""

    def __init__(self, model: ModelRecord) -> None:
        self._taken: set[str] = set()
        for scope in index_model(model).scopes():
            self._taken.update(scope.sources, scope.uses, scope.unknown, scope.types, scope.outputs)
        for nodes in (model.graph.nodes, *(function.nodes for function in model.functions)):
            self._taken.update(node.name for node in nodes_within(nodes))

    def take(self, wish: str) -> str:
        """Return a name that is free: the wish, or the wish with a number."""
        name, number = wish, 2
        while name in self._taken:
            name, number = f"{wish}_{number}", number + 1
        self._taken.add(name)
        return name


def constant_node(name: str, tensor: NewTensor) -> NewNode:
    """Return a ``Constant`` that makes a value of a tensor; node and value have one name."""
    dims = b"".join(number_field(_DIMS, size) for size in tensor.shape)
    kind = number_field(_DATA_TYPE, tensor.element_type)
    content = dims + kind + content_field(_RAW_DATA, _raw(tensor))
    record = TensorRecord(name="", element_type=tensor.element_type, shape=tensor.shape, data=None)
    values = ", ".join(f"{value:.9g}" if isinstance(value, float) else str(value) for value in tensor.values)
    return NewNode(
        content=_node_content(name, "Constant", (), _attribute("value", content, _ATTRIBUTE_TENSOR)),
        lines=(f"Constant() -> {name}", f"    value: tensor = {tensor_text(record)} {values}"),
        output=name,
    )


def cast_node(name: str, source: str, element_type: int) -> NewNode:
    """Return a ``Cast`` of a value to an element type; node and value have one name."""
    return NewNode(
        content=_node_content(name, "Cast", (source,), _attribute("to", element_type, _ATTRIBUTE_INT)),
        lines=(f"Cast({source}) -> {name}", f"    to: int = {element_type}"),
        output=name,
    )


def node_behind(
    reader: FieldReader,
    place: NodePlace,
    item: ResolvedNode,
    added: Mapping[int, NewNode],
    *,
    words: str,
    without: Collection[str] = (),
) -> Edit:
    """Return the edit that puts new nodes before a node, which reads what they make and loses attributes.

    ``added`` has the new nodes by the input that reads each; ``without`` are the names of attributes.
    """
    node = item.node
    inputs = with_inputs(node.inputs, {slot: new.output for slot, new in added.items()})
    attributes = tuple(attribute for attribute in node.attributes if attribute.name not in without)
    after = dataclasses.replace(node, inputs=inputs, attributes=attributes)
    start = place.span.start
    fields = b"".join(content_field(_NODE, new.content) for new in added.values())
    splices = [Splice(place.graph, Range(start, start), fields)]
    splices.extend(_inputs(reader, place, inputs, added))
    splices.extend(
        Splice(place.span.inside, Range(span.start, span.end), b"")
        for span in reader.fields(place.span.inside, _ATTRIBUTE)
        if _attribute_name(reader, span) in without
    )
    return Edit(
        part=node_part(item),
        words=f"{node_part(item)}: {words}",
        before=node_lines(node),
        after=(*(line for new in added.values() for line in new.lines), *node_lines(after)),
        splices=tuple(splices),
        adds=tuple(new.output for new in added.values()),
    )


def with_inputs(names: Sequence[str], new: Mapping[int, str]) -> tuple[str, ...]:
    """Return the inputs of a node with some replaced; those between that it does not have are left out."""
    count = max(len(names), *(slot + 1 for slot in new))
    return tuple(new.get(slot, names[slot] if slot < len(names) else "") for slot in range(count))


def _inputs(
    reader: FieldReader, place: NodePlace, inputs: Sequence[str], added: Mapping[int, NewNode]
) -> Iterator[Splice]:
    node = place.span.inside
    present = list(reader.fields(node, _INPUT))
    for slot in sorted(added):
        if slot < len(present):
            span = present[slot]
            yield Splice(node, Range(span.start, span.end), text_field(_INPUT, inputs[slot]))
    if len(inputs) > len(present):
        end = present[-1].end if present else node.start
        more = b"".join(text_field(_INPUT, name) for name in inputs[len(present) :])
        yield Splice(node, Range(end, end), more)


def _attribute_name(reader: FieldReader, span: FieldSpan) -> str:
    names = list(reader.fields(span.inside, _ATTRIBUTE_NAME))
    return reader.text(names[-1].inside) if names else ""


def _node_content(name: str, operator: str, inputs: Sequence[str], attribute: bytes) -> bytes:
    given = b"".join(text_field(_INPUT, value) for value in inputs)
    made = text_field(_OUTPUT, name) + text_field(_NAME, name) + text_field(_TYPE, operator)
    return given + made + content_field(_ATTRIBUTE, attribute)


def _attribute(name: str, value: bytes | int, number: int) -> bytes:
    if isinstance(value, int):
        kind, field = AttributeKind.INT, number_field(number, value)
    else:
        kind, field = AttributeKind.TENSOR, content_field(number, value)
    return text_field(_ATTRIBUTE_NAME, name) + field + number_field(_ATTRIBUTE_KIND, kind)


def _raw(tensor: NewTensor) -> bytes:
    """Return values as their type has them; what a half cannot hold becomes infinite, as a cast makes it."""
    code = _FORMATS[tensor.element_type]
    parts = []
    for value in tensor.values:
        try:
            parts.append(struct.pack(f"<{code}", value))
        except OverflowError:
            parts.append(struct.pack(f"<{code}", math.copysign(math.inf, value)))
    return b"".join(parts)
