"""What weighted_sum computes, in PyTorch's own operators."""

import torch


def weighted_sum(
    xs: list[torch.Tensor], weights: list[float], mode: str = "sum", keep: bool = True
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the total and the number of tensors."""
    total = sum(x * weight for x, weight in zip(xs, weights, strict=True))
    if mode == "mean":
        total = total / len(xs)
    if not keep:
        total = total.sum(-1, keepdim=True)
    return total, torch.tensor([len(xs)])
