"""Tensors of the frameworks as NumPy arrays that can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]


def to_numpy(tensor: Any) -> Array:
    """Return a PyTorch tensor as a NumPy array; bfloat16, which NumPy lacks, becomes float32 without loss."""
    import torch

    plain = tensor.detach()
    if plain.dtype == torch.bfloat16:
        plain = plain.to(torch.float32)
    array: Array = plain.contiguous().numpy()
    return array
