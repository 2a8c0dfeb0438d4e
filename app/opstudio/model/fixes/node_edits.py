"""Edits of nodes: another domain or name of the operator, another name or text of an attribute, another name."""

from __future__ import annotations

import dataclasses

from opstudio.model.fixes.field_edits import replaced_text
from opstudio.model.fixes.field_spans import FieldReader, Range
from opstudio.model.fixes.fix import Edit
from opstudio.model.fixes.parameters import operator_text
from opstudio.model.fixes.splices import Splice
from opstudio.model.graph.records import NodeRecord
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
    after = dataclasses.replace(node, domain=domain, type=operator)
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
    node = item.node
    splices: list[Splice] = []
    for span in reader.fields(node_range(node), _ATTRIBUTE):
        names = list(reader.fields(span.inside, _ATTRIBUTE_NAME))
        if names and reader.text(names[-1].inside) == old:
            splices.extend(replaced_text(reader, span.inside, _ATTRIBUTE_NAME, new))
    attributes = [dataclasses.replace(item, name=new) if item.name == old else item for item in node.attributes]
    after = dataclasses.replace(node, attributes=tuple(attributes))
    return Edit(
        part=node_part(item),
        words=f"{node_part(item)}: its attribute {old} becomes {new}",
        before=node_lines(node),
        after=node_lines(after),
        splices=tuple(splices),
    )


def reworded_attribute(reader: FieldReader, item: ResolvedNode, name: str, word: str) -> Edit:
    """Return the edit that gives an attribute with a text another text."""
    node = item.node
    splices: list[Splice] = []
    for span in reader.fields(node_range(node), _ATTRIBUTE):
        names = list(reader.fields(span.inside, _ATTRIBUTE_NAME))
        if names and reader.text(names[-1].inside) == name:
            splices.extend(replaced_text(reader, span.inside, _ATTRIBUTE_TEXT, word))
    old = next(attribute for attribute in node.attributes if attribute.name == name)
    attributes = [dataclasses.replace(old, value=word) if item is old else item for item in node.attributes]
    return Edit(
        part=node_part(item),
        words=f"{node_part(item)}: its attribute {name} is set to {word} instead of {old.value!s}",
        before=node_lines(node),
        after=node_lines(dataclasses.replace(node, attributes=tuple(attributes))),
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
