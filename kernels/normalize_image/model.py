"""A model around normalize_image: the first layer of an image network, which takes images as cameras give them."""

import torch
from torch import nn

MEAN = [0.485, 0.456, 0.406]
STD = [0.229, 0.224, 0.225]
"""What the images of ImageNet have, channel by channel."""
FEATURES = 6


class FirstLayer(nn.Module):
    """Normalises bytes and filters them."""

    def __init__(self) -> None:
        super().__init__()
        self.filter = nn.Conv2d(len(MEAN), FEATURES, kernel_size=3, stride=2, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map bytes (batch, height, width, 3) to features (batch, 6, height / 2, width / 2)."""
        return self.filter(torch.ops.myops.normalize_image(x, MEAN, STD))


def example_inputs() -> tuple[torch.Tensor, ...]:
    """Return two small images."""
    return ((torch.arange(2 * 12 * 16 * 3) % 256).to(torch.uint8).reshape(2, 12, 16, 3),)
