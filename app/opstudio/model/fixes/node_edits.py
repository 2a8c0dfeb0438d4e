"""Edits of nodes: another domain or name of the operator, another name or text of an attribute, another name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from opstudio.model.fixes.field_edits import replaced_text
from opstudio.model.fixes.field_spans import FieldReader, Range
from opstudio.model.fixes.fix import Edit
from opstudio.model.fixes.parameters import operator_text
from opstudio.model.fixes.splices import Splice
from opstudio.model.graph.records import AttributeRecord, NodeRecord
from opstudio.model.part_text import node_lines
from opstudio.model.resolution.records import ResolvedNode

_NAME, _TYPE, _ATTRIBUTE, _DOMAIN = 3, 4, 5, 7
"""Numbers of fields of ``NodeProto``. Source: ``onnx.proto``."""
_ATTRIBUTE_NAME, _ATTRIBUTE_TEXT = 1, 4
"""Numbers of fields of ``AttributeProto``."""


def node_part(item: ResolvedNode) -> str:
    """Return what people call a node: its name, or its number, and what it stands in."""
    name = item.node.name or f"{item.node.type} #{item.index}"
    return f"node {'/'.join((*item.path, name))}"


def renamed_operator(reader: FieldReader, item: ResolvedNode, domain: str, operator: str) -> Edit:
    """Return the edit that makes a node one of another operator."""
    node = item.node
    message = node_range(node)
    splices: list[Splice] = []
    if domain != node.domain:
        splices.extend(replaced_text(reader, message, _DOMAIN, domain))
    if operator != node.type:
        splices.extend(replaced_text(reader, message, _TYPE, operator))
    after = replace(node, domain=domain, type=operator)
    old, new = operator_text(node.domain, node.type), operator_text(domain, operator)
    return Edit(
        part=node_part(item),
        words=f"{node_part(item)}: {old} becomes {new}",
        before=node_lines(node),
        after=node_lines(after),
        splices=tuple(splices),
    )


def renamed_attribute(reader: FieldReader, item: ResolvedNode, old: str, new: str) -> Edit:
    """Return the edit that gives an attribute of a node another name."""
    attributes = [replace(given, name=new) if given.name == old else given for given in item.node.attributes]
    words = f"its attribute {old} becomes {new}"
    return _changed_attribute(reader, item, old, _Text(_ATTRIBUTE_NAME, new), attributes, words)


def reworded_attribute(reader: FieldReader, item: ResolvedNode, name: str, word: str) -> Edit:
    """Return the edit that gives an attribute with a text another text."""
    before = next(given.value for given in item.node.attributes if given.name == name)
    attributes = [replace(given, value=word) if given.name == name else given for given in item.node.attributes]
    words = f"its attribute {name} is set to {word} instead of {before!s}"
    return _changed_attribute(reader, item, name, _Text(_ATTRIBUTE_TEXT, word), attributes, words)


class _Text(NamedTuple):
    """A field with a text, by its number."""

    field: int
    text: str


def _changed_attribute(
    reader: FieldReader, item: ResolvedNode, name: str, new: _Text, attributes: Sequence[AttributeRecord], words: str
) -> Edit:
    splices: list[Splice] = []
    for span in reader.fields(node_range(item.node), _ATTRIBUTE):
        names = list(reader.fields(span.inside, _ATTRIBUTE_NAME))
        if names and reader.text(names[-1].inside) == name:
            splices.extend(replaced_text(reader, span.inside, new.field, new.text))
    return Edit(
        part=node_part(item),
        words=f"{node_part(item)}: {words}",
        before=node_lines(item.node),
        after=node_lines(replace(item.node, attributes=tuple(attributes))),
        splices=tuple(splices),
    )


def renamed_node(reader: FieldReader, item: ResolvedNode, name: str) -> Edit:
    """Return the edit that gives a node another name."""
    return Edit(
        part=node_part(item),
        words=f"{node_part(item)}: its name becomes {name}",
        before=(f"name {item.node.name}",),
        after=(f"name {name}",),
        splices=tuple(replaced_text(reader, node_range(item.node), _NAME, name)),
    )


def node_range(node: NodeRecord) -> Range:
    """Return where the message of a node lies."""
    return Range(node.offset, node.offset + node.length)
