"""What {{ name }} computes, in PyTorch's own operators."""

import torch


def {{ name }}(x: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
    """Return tanh(scale * x)."""
    return torch.tanh(scale * x)
