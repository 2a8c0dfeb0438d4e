"""A model around directional_pool2d: how far an image stands out along each direction."""

import torch
from torch import nn

CHANNELS = 8


class EdgeDetector(nn.Module):
    """Features that are followed along rows and along columns, and joined."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Conv2d(3, CHANNELS, kernel_size=3, padding=1)
        self.join = nn.Conv2d(2 * CHANNELS, 1, kernel_size=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map (batch, 3, height, width) to (batch, 1, height - 2, width - 2)."""
        features = self.features(x)
        along_rows = torch.ops.myops.directional_pool2d(features, "horizontal", 3)[:, :, 1:-1, :]
        along_columns = torch.ops.myops.directional_pool2d(features, "vertical", 3)[:, :, :, 1:-1]
        return self.join(torch.cat([along_rows, along_columns], dim=1))


def example_inputs() -> tuple[torch.Tensor, ...]:
    """Return two small images."""
    return (torch.linspace(-1.0, 1.0, 2 * 3 * 12 * 16).reshape(2, 3, 12, 16),)
