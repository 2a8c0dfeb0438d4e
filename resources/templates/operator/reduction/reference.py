"""What {{ name }} computes, in PyTorch's own operators."""

import torch


def {{ name }}(x: torch.Tensor) -> torch.Tensor:
    """Return the mean of x * x over the last axis."""
    return (x * x).mean(-1)
