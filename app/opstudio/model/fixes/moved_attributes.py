"""Attributes of standard operators that became inputs: which one, and as what constant its value is written.

Source: the history of the operators' definitions in ONNX, where an attribute ends and an input begins.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import NamedTuple

from opstudio.model.fixes.new_nodes import CONSTANT_TYPES, NewTensor
from opstudio.model.graph.records import AttributeKind, AttributeRecord
from opstudio.model.runtime.element_types import element_type_number

_FLOAT, _INT64 = 1, 7


class Written(enum.Enum):
    """As what constant the value of an attribute is written."""

    LIKE_DATA = enum.auto()
    """A scalar of the type of the first input."""
    FLOAT = enum.auto()
    FLOATS = enum.auto()
    INT = enum.auto()
    INT_IN_LIST = enum.auto()
    """A list of one number."""
    INTS = enum.auto()


class MovedAttribute(NamedTuple):
    """The input that an attribute became, by its name in the definition, and how its value is written."""

    input: str
    written: Written


_REDUCTIONS = ["L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare"]
_AXES = {"axes": MovedAttribute("axes", Written.INTS)}
MOVED: Mapping[str, Mapping[str, MovedAttribute]] = {
    "Clip": {name: MovedAttribute(name, Written.LIKE_DATA) for name in ("min", "max")},
    "DFT": {"axis": MovedAttribute("axis", Written.INT)},
    "Dropout": {"ratio": MovedAttribute("ratio", Written.FLOAT)},
    "Pad": {
        "pads": MovedAttribute("pads", Written.INTS),
        "value": MovedAttribute("constant_value", Written.LIKE_DATA),
    },
    **{f"Reduce{name}": _AXES for name in _REDUCTIONS},
    "Reshape": {"shape": MovedAttribute("shape", Written.INTS)},
    "Slice": {name: MovedAttribute(name, Written.INTS) for name in ("starts", "ends", "axes")},
    "Split": {"split": MovedAttribute("split", Written.INTS)},
    "Squeeze": _AXES,
    "TopK": {"k": MovedAttribute("K", Written.INT_IN_LIST)},
    "Unsqueeze": _AXES,
    "Upsample": {"scales": MovedAttribute("scales", Written.FLOATS)},
}
"""By operator and attribute."""
KINDS: Mapping[Written, AttributeKind] = {
    Written.LIKE_DATA: AttributeKind.FLOAT,
    Written.FLOAT: AttributeKind.FLOAT,
    Written.FLOATS: AttributeKind.FLOATS,
    Written.INT: AttributeKind.INT,
    Written.INT_IN_LIST: AttributeKind.INT,
    Written.INTS: AttributeKind.INTS,
}
"""The kinds that the attributes had."""
_ELEMENTS: Mapping[Written, int] = {
    Written.LIKE_DATA: 0,
    Written.FLOAT: _FLOAT,
    Written.FLOATS: _FLOAT,
    Written.INT: _INT64,
    Written.INT_IN_LIST: _INT64,
    Written.INTS: _INT64,
}
_LISTS = (Written.FLOATS, Written.INT_IN_LIST, Written.INTS)


def constant_of(moved: MovedAttribute, attribute: AttributeRecord, data_type: str) -> NewTensor | None:
    """Return the constant that says what an attribute said; ``data_type`` is the type of the first input.

    ``None`` where that cannot be told: a value of another kind, given by a caller, or left in the file; no value; or a
    type that is not known or holds no fractions.
    """
    if attribute.kind is not KINDS[moved.written] or attribute.reference:
        return None
    values = attribute.value if isinstance(attribute.value, tuple) else (attribute.value,)
    numbers = tuple(value for value in values if isinstance(value, int | float))
    if not numbers or len(numbers) != len(values):
        return None
    element = _ELEMENTS[moved.written] or element_type_number(data_type)
    shape = (len(numbers),) if moved.written in _LISTS else ()
    fits = element in CONSTANT_TYPES and (element != _INT64 or element == _ELEMENTS[moved.written])
    return NewTensor(element_type=element, shape=shape, values=numbers) if fits else None
