"""Pictures compared block by block: what is hidden or worded differently stands out in one of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

BLOCK = 16
"""Pixels on each side: about a word of small text."""
_STEP = 4
"""Blocks overlap, so that what lies across the border of one lies within another."""
MOST_DIFFERENT = 6.0
"""The largest mean difference of a block, of 255, that is not noticed.

Small text that is moved by a tenth of a pixel makes one of 4 to 6, another letter in it one of 7 and more.
"""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much the block that differs most differs on the average, of 255, and where it begins."""

    mean: float
    x: int
    y: int

    @property
    def is_noticeable(self) -> bool:
        """Whether a person would notice."""
        return self.mean > MOST_DIFFERENT

    def __str__(self) -> str:
        """Say where to look."""
        return f"{self.mean:.1f} of 255 in the block at {self.x}, {self.y}"


def largest_difference(one: QImage, other: QImage) -> Difference:
    """Return the block in which two pictures differ most; all of it where they are not of one size."""
    if one.size() != other.size():
        return Difference(255.0, 0, 0)
    means = _block_means(np.abs(_pixels(one) - _pixels(other)).max(axis=2))
    row, column = np.unravel_index(int(means.argmax()), means.shape)
    return Difference(float(means[row, column]), int(column) * _STEP, int(row) * _STEP)


def _pixels(image: QImage) -> npt.NDArray[np.float64]:
    """Return height × width × 3 values of 0 to 255."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    values = np.frombuffer(plain.constBits(), dtype=np.uint8).reshape(plain.height(), plain.width(), 4)
    return values[:, :, :3].astype(np.float64)


def _block_means(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the means of all blocks; sums from the upper left corner make each one a matter of four values."""
    high, wide = (-(-size // _STEP) * _STEP for size in values.shape)
    padded = np.zeros((high + 1, wide + 1))
    padded[1 : values.shape[0] + 1, 1 : values.shape[1] + 1] = values
    sums = padded.cumsum(axis=0).cumsum(axis=1)
    blocks = sums[BLOCK:, BLOCK:] - sums[:-BLOCK, BLOCK:] - sums[BLOCK:, :-BLOCK] + sums[:-BLOCK, :-BLOCK]
    result: npt.NDArray[np.float64] = blocks[::_STEP, ::_STEP] / BLOCK**2
    return result
