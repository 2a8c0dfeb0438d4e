"""Values of TOML: of which type they are, and how messages show them."""

from __future__ import annotations

import math
from collections.abc import Mapping

_LONGEST_SHOWN = 80
"""Characters of a value that a message repeats."""
_TYPE_WORDS: Mapping[type, str] = {
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


def type_words(kind: type) -> str:
    """Return how messages call a type."""
    return _TYPE_WORDS.get(kind, "that")


def is_of(value: object, kind: type) -> bool:
    """Whether a value is of a type; integers are numbers, truth values are neither."""
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, kind)


def to_float(value: float) -> float:
    """Return a number in floating point; an integer beyond all such numbers is endless."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def shown(value: object) -> str:
    """Return a value as a message repeats it: cut where it is long."""
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
