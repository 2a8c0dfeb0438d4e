"""What normalize_image computes, in PyTorch's own operators."""

import torch


def normalize_image(x: torch.Tensor, mean: list[float], std: list[float], full_scale: float = 255.0) -> torch.Tensor:
    """Return (x / full_scale - mean) / std, each channel with its own numbers, as (N, C, H, W)."""
    planes = x.permute(0, 3, 1, 2).to(torch.float32)
    return (planes / full_scale - torch.tensor(mean).reshape(-1, 1, 1)) / torch.tensor(std).reshape(-1, 1, 1)
