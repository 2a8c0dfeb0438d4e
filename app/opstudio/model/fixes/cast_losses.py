"""What a cast from one numeric type to another may lose."""

from __future__ import annotations

from typing import Final

_FRACTIONAL = {"bfloat16": (8, 8), "float16": (11, 5), "float": (24, 8), "double": (53, 11)}
"""Bits of the significand, the hidden one included, and of the exponent. Source: IEEE 754; bfloat16: ONNX, IR.md."""
_WHOLE = {
    "bool": (0, 1),
    **{f"int{bits}": (-1, bits - 1) for bits in (2, 4, 8, 16, 32, 64)},
    **{f"uint{bits}": (0, bits) for bits in (2, 4, 8, 16, 32, 64)},
}
"""The sign of the smallest value, and the bits of the largest."""
NUMBERS: Final = frozenset(f"tensor({name})" for name in (*_FRACTIONAL, *_WHOLE))


def loses_fractions(given: str, to: str) -> bool:
    """Whether a cast turns fractions into whole numbers or truth values."""
    return _word(given) in _FRACTIONAL and _word(to) in _WHOLE


def loss_of(given: str, to: str) -> str:
    """Return what a cast may lose, in words; empty where every value stays."""
    if loses_fractions(given, to):
        return f"fractions are lost, and values that {to} cannot hold change"
    if _holds(_word(given), _word(to)):
        return ""
    if _word(to) in _WHOLE:
        return f"values that {to} cannot hold change"
    return f"values that {to} cannot hold may be rounded or become infinite"


def _holds(given: str, to: str) -> bool:
    if to in _WHOLE:
        return _WHOLE[to][0] <= _WHOLE[given][0] and _WHOLE[to][1] >= _WHOLE[given][1]
    if given in _WHOLE:
        return _FRACTIONAL[to][0] >= _WHOLE[given][1]
    return all(more >= less for more, less in zip(_FRACTIONAL[to], _FRACTIONAL[given], strict=True))


def _word(text: str) -> str:
    return text.removeprefix("tensor(").removesuffix(")")
