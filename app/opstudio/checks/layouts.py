"""The same values in other memory layouts: what a caller may hand over when it slices, transposes or expands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from opstudio.contract.operator import OperatorContract
from opstudio.contract.shape_evaluation import ShapeMismatchError, infer_output_shapes

# Each function returns the values of `tensor` in another layout, or None where its shape has no such form.


def _offset(tensor: Any) -> Any:
    """A slice that starts in the middle of its storage."""
    import torch

    if tensor.dim() == 0:
        return None
    storage = torch.zeros((tensor.shape[0] + 2, *tensor.shape[1:]), dtype=tensor.dtype)
    view = storage[1:-1]
    view.copy_(tensor)
    return view


def _sliced(tensor: Any) -> Any:
    """The first columns of a wider tensor."""
    import torch

    if tensor.dim() == 0:
        return None
    storage = torch.zeros((*tensor.shape[:-1], tensor.shape[-1] + 3), dtype=tensor.dtype)
    view = storage[..., : tensor.shape[-1]]
    view.copy_(tensor)
    return view


def _stepped(tensor: Any) -> Any:
    """Every other column."""
    import torch

    if tensor.dim() == 0:
        return None
    storage = torch.zeros((*tensor.shape[:-1], tensor.shape[-1] * 2), dtype=tensor.dtype)
    view = storage[..., ::2]
    view.copy_(tensor)
    return view


def _transposed(tensor: Any) -> Any:
    """Stored with its axes in reverse order."""
    if tensor.dim() < 2:  # noqa: PLR2004 - one axis has one order
        return None
    order = tuple(reversed(range(tensor.dim())))
    return tensor.permute(order).contiguous().permute(order)


def _expanded(tensor: Any) -> Any:
    """One row seen many times: the stride is zero."""
    if tensor.dim() == 0 or tensor.shape[0] == 0:
        return None
    return tensor[:1].expand(tensor.shape)


LAYOUTS: Mapping[str, Callable[[Any], Any]] = {
    "offset": _offset,
    "sliced": _sliced,
    "stepped": _stepped,
    "transposed": _transposed,
    "expanded": _expanded,
}


def laid_out(tensors: Mapping[str, tuple[Any, ...]], layout: str) -> dict[str, tuple[Any, ...]] | None:
    """Return all tensors in a layout; those without such a form stay as they are. ``None`` where none has it."""
    change = LAYOUTS[layout]
    changed = False
    result: dict[str, tuple[Any, ...]] = {}
    for name, group in tensors.items():
        views = [change(tensor) for tensor in group]
        changed = changed or any(view is not None for view in views)
        result[name] = tuple(tensor if view is None else view for tensor, view in zip(group, views, strict=True))
    return result if changed else None


def empty_shapes(
    contract: OperatorContract, shapes: Mapping[str, tuple[tuple[int, ...], ...]], attributes: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, tuple[tuple[int, ...], ...]]]]:
    """Yield shapes with one size set to zero, wherever the contract allows that, with the axis as a name."""
    first = contract.inputs[0].name
    rank = len(shapes[first][0]) if shapes.get(first) else 0
    for axis in range(rank):
        size = shapes[first][0][axis]
        emptied = {
            name: tuple(
                tuple(
                    0 if dimension == size and (name != first or position == axis) else dimension
                    for position, dimension in enumerate(shape)
                )
                for shape in group
            )
            for name, group in shapes.items()
        }
        try:
            infer_output_shapes(contract, emptied, attributes)
        except (ShapeMismatchError, ValueError):
            continue
        yield f"no elements along axis {axis} of {first}", emptied
