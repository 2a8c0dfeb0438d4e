"""What relu6_scale computes, in PyTorch's own operators."""

import torch


def relu6_scale(x: torch.Tensor, scale: float, max_val: float = 6.0) -> torch.Tensor:
    """Return clamp(x * scale, 0, max_val)."""
    return torch.clamp(x * scale, 0.0, max_val)
