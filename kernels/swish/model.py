"""A model around swish: the gated unit that follows attention in transformers."""

import torch
from torch import nn

FEATURES = 16
HIDDEN = 40


class GatedUnit(nn.Module):
    """Every feature of a wide layer is multiplied with a gate of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(FEATURES, HIDDEN, bias=False)
        self.widen = nn.Linear(FEATURES, HIDDEN, bias=False)
        self.narrow = nn.Linear(HIDDEN, FEATURES, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map (batch, length, features) to the same shape."""
        gate = torch.ops.myops.swish(self.gate(x))
        return x + self.narrow(gate * self.widen(x))


def example_inputs() -> tuple[torch.Tensor, ...]:
    """Return two sequences of ten tokens."""
    return (torch.linspace(-2.0, 2.0, 2 * 10 * FEATURES).reshape(2, 10, FEATURES),)
