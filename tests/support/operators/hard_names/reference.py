"""Each row, repeated and scaled."""

import torch


def gamma(
    inputs: torch.Tensor,
    double: float,
    int: int = 1,
    register: list[int] = (1, 2),
    context: str = 'say "é" and\ttab 1',
) -> torch.Tensor:
    """Return the rows one after another, ``int`` times, times ``double``."""
    return torch.cat([inputs] * int, dim=-1) * double
