"""Attribute values as they come from TOML, JSON or a command line, brought to the type of the contract."""

from __future__ import annotations

from opstudio.base.toml_values import shown
from opstudio.contract.operator import AttributeKind, AttributeValue
from opstudio.contract.value_limits import problem_of_integer

_WORDS = {
    AttributeKind.INT: "an integer",
    AttributeKind.FLOAT: "a number",
    AttributeKind.BOOL: "true or false",
    AttributeKind.STRING: "a string",
    AttributeKind.INTS: "a list of integers",
    AttributeKind.FLOATS: "a list of numbers",
}
_ITEM_KINDS = {
    AttributeKind.INTS: AttributeKind.INT,
    AttributeKind.FLOATS: AttributeKind.FLOAT,
}


class AttributeTypeError(ValueError):
    """A value is not of the attribute's type, or is larger than that type holds."""


def convert_attribute(kind: AttributeKind, value: object) -> AttributeValue:
    """Return ``value`` as a value of ``kind``; integers serve as numbers.

    Raises:
        AttributeTypeError: it is of another type, or too large for it.
    """
    if kind in _ITEM_KINDS and isinstance(value, list | tuple):
        # The items of a converted list all have one type, which the annotation of tuples cannot express here.
        return tuple(convert_attribute(_ITEM_KINDS[kind], item) for item in value)  # type: ignore[return-value]
    match kind, value:
        case AttributeKind.BOOL, bool():
            return value
        case AttributeKind.INT, int() if not isinstance(value, bool):
            if (problem := problem_of_integer(value)) is not None:
                raise AttributeTypeError(problem)
            return value
        case AttributeKind.FLOAT, int() | float() if not isinstance(value, bool):
            try:
                return float(value)
            except OverflowError as error:
                message = f"{shown(value)} is larger than any number of floating point"
                raise AttributeTypeError(message) from error
        case AttributeKind.STRING, str():
            return value
    message = f"{shown(value)} is not {_WORDS[kind]}"
    raise AttributeTypeError(message)
