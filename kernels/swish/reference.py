"""What swish computes, in PyTorch's own operators."""

import torch


def swish(x: torch.Tensor, beta: float = 1.0) -> torch.Tensor:
    """Return x * sigmoid(beta * x), and its limit where x is infinite and the product is not a number."""
    if beta == 0:
        return x / 2
    limits = torch.finfo(x.dtype)
    # The largest number times sigmoid(-infinity) is 0, infinity times it would be NaN.
    finite = torch.clamp(x, min=limits.min) if beta > 0 else torch.clamp(x, max=limits.max)
    return finite * torch.sigmoid(beta * x)
