"""What rms_norm computes, in PyTorch's own operators."""

import torch


def rms_norm(x: torch.Tensor, weight: torch.Tensor, epsilon: float = 1e-6) -> torch.Tensor:
    """Return x / sqrt(mean(x²) + epsilon) * weight, the mean taken along the last axis."""
    limits = torch.finfo(x.dtype)
    root = epsilon**0.5
    # Both are measured in the largest element of the row, so that the square of none is beyond the largest number.
    unit = x.abs().amax(dim=-1, keepdim=True).clamp(max(root, limits.tiny), limits.max)
    scaled = x / unit
    squares = scaled.square().mean(dim=-1, keepdim=True) + (root / unit).square()
    return scaled / squares.sqrt() * weight
