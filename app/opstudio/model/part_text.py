"""Parts of a model as text, for people to compare: nodes with their attributes, values with their types."""

from __future__ import annotations

from opstudio.model.graph.element_types import element_type_name
from opstudio.model.graph.records import (
    AttributeItem,
    AttributeRecord,
    BulkValue,
    GraphRecord,
    NodeRecord,
)
from opstudio.model.graph.tensor_records import SparseTensorRecord, TensorRecord
from opstudio.model.graph.value_types import ValueRecord

_MOST_ITEMS = 8
_LONGEST = 60
_MOST_LINES = 40


def node_lines(node: NodeRecord) -> tuple[str, ...]:
    """Return a node, an attribute a line; of very many attributes the first ones."""
    operator = f"{node.domain}:{node.type}" if node.domain else node.type
    overload = f":{node.overload}" if node.overload else ""
    head = f"{operator}{overload}({_names(node.inputs)}) -> {_names(node.outputs)}"
    lines = [f"    {attribute_line(item)}" for item in node.attributes[:_MOST_LINES]]
    if len(node.attributes) > _MOST_LINES:
        lines.append(f"    … and {len(node.attributes) - _MOST_LINES} more attributes")
    return (head, *lines)


def attribute_line(attribute: AttributeRecord) -> str:
    """Return an attribute with its kind and its value, cut where it is long."""
    return f"{attribute.name}: {attribute.kind.name.lower()} = {attribute_text(attribute)}"


def attribute_text(attribute: AttributeRecord) -> str:
    """Return the value of an attribute, cut where it is long."""
    if attribute.reference:
        return f"@{attribute.reference}"
    value = attribute.value
    match value:
        case BulkValue(length=length):
            return f"({length:,} bytes)"
        case tuple():
            more = ", …" if len(value) > _MOST_ITEMS else ""
            return f"[{', '.join(_item(item) for item in value[:_MOST_ITEMS])}{more}]"
        case None:
            return "nothing"
        case _:
            return _item(value)


def value_line(kind: str, value: ValueRecord) -> str:
    """Return a named value with its type."""
    return f"{kind} {value.name}: {value.type or '?'}"


def tensor_text(tensor: TensorRecord) -> str:
    """Return type and shape of a constant tensor."""
    return f"{element_type_name(tensor.element_type)}[{', '.join(map(str, tensor.shape))}]"


def _item(item: AttributeItem) -> str:
    match item:
        case TensorRecord():
            return tensor_text(item)
        case SparseTensorRecord():
            return f"sparse {element_type_name(item.values.element_type)}[{', '.join(map(str, item.shape))}]"
        case GraphRecord():
            return f"graph {item.name} of {len(item.nodes)} nodes"
        case str() | bytes():
            text = repr(item)
            return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        case float():
            return f"{item:.9g}"
        case _:
            return str(item)


def _names(names: tuple[str, ...]) -> str:
    shown = [name or '""' for name in names[: 2 * _MOST_ITEMS]]
    return ", ".join(shown) + (", …" if len(names) > len(shown) else "")
