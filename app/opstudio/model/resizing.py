"""The example inputs at other sizes, along the axes that vary: what a model takes there, and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from opstudio.model.errors import plain_text, user_line
from opstudio.model.export_request import ExportRequest, ResizedRun
from opstudio.model.exportable import Exportable, leaves, sizes_of

_OTHER_SIZES: tuple[Callable[[int], int], ...] = (
    lambda size: size + 3,  # nothing divides evenly any more
    lambda size: size * 2,  # for models whose sizes must divide by something
    lambda size: max(size // 2, 2),  # for models that know a largest size; 1 would be spread over anything
)


def resize(
    exportable: Exportable, names: tuple[str, ...], request: ExportRequest, folder: Path
) -> tuple[tuple[Any, ...], ResizedRun] | None:
    """Run the module in PyTorch at other sizes; return its inputs and what came of it, ``None`` where nothing varies.

    The first sizes that the module takes count. Where it takes none of them, the error is that of the first.
    """
    if not any(request.axes_of(name) for name in names):
        return None
    refused: tuple[tuple[Any, ...], ResizedRun] | None = None
    for other in _OTHER_SIZES:
        tensors = tuple(
            _resized(tensor, request.axes_of(name), other)
            for name, tensor in zip(names, exportable.tensors, strict=True)
        )
        sizes = sizes_of(tensors)
        if sizes == sizes_of(exportable.tensors):
            continue
        try:
            result = exportable.call(exportable.module(), tensors)
        except Exception as error:  # noqa: BLE001 - a model may refuse with anything
            text = f"{type(error).__name__}: {plain_text(str(error))}"
            refused = refused or (tensors, ResizedRun(inputs=sizes, error=text, at=user_line(error, folder)))
        else:
            return tensors, ResizedRun(inputs=sizes, outputs=sizes_of(leaves(result)))
    return refused


def _resized(tensor: Any, axes: dict[int, str], other: Callable[[int], int]) -> Any:
    """Repeat or cut a tensor along some axes."""
    result = tensor
    for axis in axes:
        if axis >= result.dim():
            continue
        size = result.shape[axis]
        wanted = other(size)
        copies = [1] * result.dim()
        copies[axis] = -(-wanted // max(size, 1))
        result = result.repeat(copies).narrow(axis, 0, min(wanted, size * copies[axis]))
    return result
