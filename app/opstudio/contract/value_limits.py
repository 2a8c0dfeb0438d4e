"""Which numbers both runtimes and PyTorch's schemas can hold."""

from __future__ import annotations

import math
import sys

LARGEST_INTEGER = 2**63 - 1
_SMALLEST_INTEGER = -(2**63)


def problem_of_integer(value: int) -> str | None:
    """Return why an integer cannot be a size or an attribute, or ``None``."""
    if _SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
        return None
    return f"{value} does not fit into 64 bits"


def problem_of_default(value: object) -> str | None:
    """Return why PyTorch's parser does not take a number, or a list of them, as a default; ``None`` where it does."""
    match value:
        case tuple():
            return next((problem for item in value if (problem := problem_of_default(item)) is not None), None)
        case float() if not math.isfinite(value):
            return f"PyTorch's schemas have no word for {value}"
        case float() if 0.0 < abs(value) < sys.float_info.min:
            return f"{value} is too small for the parser of PyTorch, which takes {sys.float_info.min:.3g} at least"
        case int() if not isinstance(value, bool):
            return problem_of_integer(value)
        case _:
            return None
