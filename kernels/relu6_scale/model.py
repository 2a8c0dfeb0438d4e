"""A model around relu6_scale: the inverted residual of small image networks."""

import torch
from torch import nn

CHANNELS = 8
EXPANDED = 24


class InvertedResidual(nn.Module):
    """Widens the channels, filters each by itself, narrows them again and adds the result to the input."""

    def __init__(self) -> None:
        super().__init__()
        self.expand = nn.Conv2d(CHANNELS, EXPANDED, kernel_size=1)
        self.filter = nn.Conv2d(EXPANDED, EXPANDED, kernel_size=3, padding=1, groups=EXPANDED)
        self.project = nn.Conv2d(EXPANDED, CHANNELS, kernel_size=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map (batch, channels, height, width) to the same shape."""
        wide = torch.ops.myops.relu6_scale(self.expand(x), 1.5)
        filtered = torch.ops.myops.relu6_scale(self.filter(wide), 0.5, 3.0)
        return x + self.project(filtered)


def example_inputs() -> tuple[torch.Tensor, ...]:
    """Return two small images with the features of a layer before."""
    return (torch.linspace(-2.0, 2.0, 2 * CHANNELS * 10 * 12).reshape(2, CHANNELS, 10, 12),)
