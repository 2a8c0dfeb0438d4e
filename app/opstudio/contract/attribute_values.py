"""Attribute values as they come from TOML, JSON or a command line, brought to the type of the contract."""

from __future__ import annotations

from opstudio.contract.operator import AttributeKind, AttributeValue

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
    """A value is not of the attribute's type."""


def convert_attribute(kind: AttributeKind, value: object) -> AttributeValue:
    """Return ``value`` as a value of ``kind``; integers serve as numbers.

    Raises:
        AttributeTypeError: it is of another type.
    """
    if kind in _ITEM_KINDS and isinstance(value, list | tuple):
        # The items of a converted list all have one type, which the annotation of tuples cannot express here.
        return tuple(convert_attribute(_ITEM_KINDS[kind], item) for item in value)  # type: ignore[return-value]
    match kind, value:
        case AttributeKind.BOOL, bool():
            return value
        case AttributeKind.INT, int() if not isinstance(value, bool):
            return value
        case AttributeKind.FLOAT, int() | float() if not isinstance(value, bool):
            return float(value)
        case AttributeKind.STRING, str():
            return value
    message = f"{value!r} is not {_WORDS[kind]}"
    raise AttributeTypeError(message)
