"""What the contract of an operator says of the outputs of a node, for sizes that are known and for names of sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opstudio.contract.operator import AttributeKind, AttributeValue, OperatorContract
from opstudio.contract.shape_evaluation import ShapeMismatchError, infer_output_shapes
from opstudio.model.runtime.element_types import element_type_text
from opstudio.model.shapes.node_asking import KnownType
from opstudio.model.shapes.records import Shape

_STAND_INS = (10_007, 20_011)
"""Sizes that stand for a name, the first and the second time: what is the same both times does not depend on it."""


def contract_outputs(contract: OperatorContract, node: Any, inputs: Sequence[KnownType]) -> tuple[KnownType, ...]:
    """Return types and shapes of the outputs of a node, a ``NodeProto``; less is known where inputs are not known."""
    types = {item.name: known.type for item, known in zip(contract.inputs, inputs, strict=False)}
    shapes = _shapes(contract, node, inputs)
    made = []
    for output in contract.outputs:
        if output.type is not None:
            text = element_type_text(output.type.onnx_code)
        else:
            text = types.get(output.same_type_as or "", "")
        made.append(KnownType(text, shapes.get(output.name)))
    return tuple(made)


def _shapes(contract: OperatorContract, node: Any, inputs: Sequence[KnownType]) -> Mapping[str, Shape]:
    given = {item.name: known.shape for item, known in zip(contract.inputs, inputs, strict=False)}
    if any(item.variadic for item in contract.inputs) or any(
        shape is None or None in shape for item, shape in zip(contract.inputs, given.values(), strict=False)
    ):
        return {}
    names = sorted({size for shape in given.values() for size in shape or () if isinstance(size, str)})
    attributes = contract.complete_attributes(_attributes(contract, node))
    found: list[dict[str, tuple[int, ...]]] = []
    replaced = [{name: first + 2 * number for number, name in enumerate(names)} for first in _STAND_INS]
    for sizes in replaced:
        plain = {
            name: [tuple(sizes[size] if isinstance(size, str) else int(size or 0) for size in shape)]
            for name, shape in given.items()
            if shape is not None
        }
        try:
            found.append(infer_output_shapes(contract, plain, attributes))
        except (ShapeMismatchError, KeyError):
            return {}
    back = [{size: name for name, size in sizes.items()} for sizes in replaced]
    return {
        name: tuple(
            first if first == second else _name(back, first, second)
            for first, second in zip(shape, found[1][name], strict=True)
        )
        for name, shape in found[0].items()
    }


def _name(back: Sequence[Mapping[int, str]], first: int, second: int) -> str | None:
    name = back[0].get(first)
    return name if name is not None and back[1].get(second) == name else None


def _attributes(contract: OperatorContract, node: Any) -> dict[str, AttributeValue]:
    import onnx

    kinds = {item.name: item.kind for item in contract.attributes}
    values: dict[str, AttributeValue] = {}
    for item in node.attribute:
        if (kind := kinds.get(item.name)) is None or item.ref_attr_name:
            continue
        value = onnx.helper.get_attribute_value(item)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        elif kind is AttributeKind.BOOL:
            value = bool(value)
        values[item.name] = tuple(value) if isinstance(value, list) else value
    return values
