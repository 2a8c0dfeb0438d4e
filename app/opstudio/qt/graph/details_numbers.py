"""Numbers as people read them: digits that tell a stored value, six for what was computed, sizes with their units."""

from __future__ import annotations

from typing import Any

import numpy as np

from opstudio.base.units import render_bytes

_LARGEST_PLAIN = 1e6
_EXACT_FROM = 1024
"""Bytes that are rounded when they are written with a larger unit."""


def size_text(count: int) -> str:
    """Return a number of bytes, rounded and exact."""
    return f"{render_bytes(count)} ({count:,} B)" if count >= _EXACT_FROM else render_bytes(count)


def number_text(value: float) -> str:
    """Return a computed number with up to six digits."""
    if float(value).is_integer() and abs(value) < _LARGEST_PLAIN:
        return f"{int(value):,}"
    return f"{value:.6g}"


def float32_text(value: float) -> str:
    """Return a number that a file stores as float32 with as many digits as tell it from its neighbours."""
    return str(np.float32(value))


def element_text(value: Any) -> str:
    """Return an element of a tensor, with as many digits as its type has."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bytes):
        return repr(value)
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return str(value)
