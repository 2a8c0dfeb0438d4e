"""What affine_pick computes, in PyTorch's own operators."""

import torch


def affine_pick(x: torch.Tensor, bias: torch.Tensor | None, picks: list[int], scale: float = 1.0) -> torch.Tensor:
    """Return the picked columns, shifted and scaled."""
    shifted = x if bias is None else x + bias
    return shifted[..., picks] * scale
