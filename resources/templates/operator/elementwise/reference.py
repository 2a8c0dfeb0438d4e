"""What {{ name }} computes, in PyTorch's own operators."""

import torch


def {{ name }}(x: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
    """Return x / (1 + scale * |x|)."""
    return x / (1 + scale * x.abs())
