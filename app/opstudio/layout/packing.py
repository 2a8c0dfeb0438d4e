"""Stands the components of a graph beside each other."""

from __future__ import annotations

import math

import numpy as np

from opstudio.layout.arrays import Floats


def pack(width: Floats, height: Floats, gap: float) -> Floats:
    """Return the upper left corner of each box so that none overlap and all together are about square.

    The boxes stand in shelves, in their order; on a shelf as high as its first box, lower ones stand below each other.

    Shapes: width, height: (boxes,), in pixels; result: (boxes, 2), x and y.
    """
    corners = np.zeros((width.size, 2))
    if width.size < 2:  # noqa: PLR2004
        return corners
    area = float(((width + gap) * (height + gap)).sum())
    right_end = max(float(width.max()), math.sqrt(area))
    shelf_y, shelf_height = 0.0, 0.0
    column_x, column_y, column_width = 0.0, 0.0, 0.0
    for index, (own_width, own_height) in enumerate(zip(width.tolist(), height.tolist(), strict=True)):
        is_lower = column_y + own_height <= shelf_y + shelf_height and own_width <= column_width
        if not (column_y > shelf_y and is_lower):
            if column_y > shelf_y:
                column_x += column_width + gap
            column_y, column_width = shelf_y, own_width
            if own_height > shelf_height or (column_x > 0 and column_x + own_width > right_end):
                shelf_y += shelf_height + gap if index else 0.0
                shelf_height, column_x, column_y = own_height, 0.0, shelf_y
        corners[index] = column_x, column_y
        column_y += own_height + gap
    return corners
