"""The shape and type of the result; its values differ from run to run."""

import torch


def thread_numbers(x: torch.Tensor) -> torch.Tensor:
    """Return as many whole numbers as there are elements."""
    return torch.zeros_like(x, dtype=torch.int64)
