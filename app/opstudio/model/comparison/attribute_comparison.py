"""Attributes of two nodes, long lists and tensors among them, compared by value."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.model.comparison.records import Change
from opstudio.model.comparison.weight_comparison import Weights
from opstudio.model.graph.attribute_values import read_attribute_value
from opstudio.model.graph.records import (
    AttributeItem,
    AttributeRecord,
    BulkValue,
    GraphRecord,
    ModelRecord,
    NodeRecord,
)
from opstudio.model.graph.tensor_records import SparseTensorRecord, TensorRecord
from opstudio.model.part_text import attribute_text


def attribute_changes(
    models: tuple[ModelRecord, ModelRecord], nodes: tuple[NodeRecord, NodeRecord], weights: Weights
) -> Iterator[Change]:
    """Yield the attributes that differ; nested graphs are compared elsewhere.

    Raises:
        InputError: a file has changed since it was read.
    """
    first, second = ({item.name: item for item in node.attributes} for node in nodes)
    for name in sorted(first.keys() | second.keys()):
        before, after = first.get(name), second.get(name)
        if before is after:
            continue
        if before is None or after is None or not _are_equal(models, before, after, weights):
            old, new = ("" if item is None else attribute_text(item) for item in (before, after))
            if old == new:
                new = f"{new} of other values"
            yield Change(name=f"attribute {name}", before=old, after=new)


def _are_equal(
    models: tuple[ModelRecord, ModelRecord], before: AttributeRecord, after: AttributeRecord, weights: Weights
) -> bool:
    if (before.kind, before.reference) != (after.kind, after.reference):
        return False
    first, second = before.value, after.value
    if isinstance(first, BulkValue) or isinstance(second, BulkValue):
        first, second = read_attribute_value(models[0], before), read_attribute_value(models[1], after)
        return first == second
    left = first if isinstance(first, tuple) else (first,)
    right = second if isinstance(second, tuple) else (second,)
    return len(left) == len(right) and all(
        _items_equal(item, other, weights) for item, other in zip(left, right, strict=True)
    )


def _items_equal(first: AttributeItem | None, second: AttributeItem | None, weights: Weights) -> bool:
    match first, second:
        case TensorRecord(), TensorRecord():
            return weights.are_equal(first, second)
        case SparseTensorRecord(), SparseTensorRecord():
            return weights.sparse_are_equal(first, second)
        case GraphRecord(), GraphRecord():
            return True
        case float(), float():
            return first == second or (first != first and second != second)  # noqa: PLR0124 - NaN equals itself here
        case _:
            return first == second
