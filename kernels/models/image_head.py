"""A model of several bundled operators: from the bytes of an image to the probabilities of classes."""

import torch
from torch import nn

MEAN = [0.485, 0.456, 0.406]
STD = [0.229, 0.224, 0.225]
"""What the images of ImageNet have, channel by channel."""
FEATURES = 16
CLASSES = 10
SEED = 7


class ImageHead(nn.Module):
    """Normalises bytes, filters them, and classifies the mean of every feature."""

    def __init__(self) -> None:
        super().__init__()
        self.filter = nn.Conv2d(len(MEAN), FEATURES, kernel_size=3, stride=2, padding=1)
        self.weight = nn.Parameter(torch.ones(FEATURES))
        self.classify = nn.Linear(FEATURES, CLASSES)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Map bytes (batch, height, width, 3) to probabilities (batch, 10)."""
        operators = torch.ops.myops
        features = operators.swish(self.filter(operators.normalize_image(image, MEAN, STD)))
        row = operators.rms_norm(features.mean(dim=(2, 3)), self.weight)
        return operators.row_softmax(self.classify(row))


def make() -> nn.Module:
    """Return the model; its weights are the same in every run."""
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(SEED)
        return ImageHead()


def example_inputs() -> tuple[torch.Tensor, ...]:
    """Return two small images."""
    return ((torch.arange(2 * 32 * 48 * 3) % 251).to(torch.uint8).reshape(2, 32, 48, 3),)
