"""What {{ name }} computes, in PyTorch's own operators."""

import torch


def {{ name }}(x: torch.Tensor, bias: float = 0.0) -> torch.Tensor:
    """Return x * x + bias."""
    return x * x + bias
