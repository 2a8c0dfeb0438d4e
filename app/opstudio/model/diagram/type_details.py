"""Types of values in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from opstudio.model.graph.element_types import element_type_name
from opstudio.model.graph.value_types import Dimension, TensorType, ValueType

_MOST_SIZES = 8


def type_detail(kind: ValueType | None) -> str:
    """Return a type in short, ``1×3×224×224 float32``; empty where it is not known."""
    if kind is None:
        return ""
    if isinstance(kind, TensorType) and kind.shape is not None and not kind.is_sparse:
        return f"{sizes_detail(kind.shape) or 'scalar'} {element_type_name(kind.element_type)}"
    return str(kind)


def sizes_detail(sizes: Sequence[Dimension]) -> str:
    """Return sizes with crosses between them; an unknown one is a question mark."""
    shown = ["?" if size is None else str(size) for size in sizes[:_MOST_SIZES]]
    return "×".join([*shown, "…"] if len(sizes) > _MOST_SIZES else shown)
