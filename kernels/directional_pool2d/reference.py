"""What directional_pool2d computes, in PyTorch's own operators."""

import torch


def directional_pool2d(x: torch.Tensor, direction: str, kernel: int, stride: int = 1) -> torch.Tensor:
    """Return the maxima of windows along one direction of (N, C, H, W)."""
    if direction == "horizontal":
        return torch.nn.functional.max_pool2d(x, (1, kernel), (1, stride))
    return torch.nn.functional.max_pool2d(x, (kernel, 1), (stride, 1))
