"""Many lines as one path: filled from arrays, without a call for each of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QByteArray, QDataStream
from PySide6.QtGui import QPainterPath

from opstudio.layout.arrays import Floats

_ELEMENT = np.dtype([("kind", ">i4"), ("x", ">f8"), ("y", ">f8")])
"""An element of a path in a data stream. Source: Qt's ``operator<<(QDataStream &, const QPainterPath &)``."""
_MOVE, _LINE, _CURVE, _CURVE_DATA = 0, 1, 2, 3
_Elements = NDArray[np.void]


def straight_path(start: Floats, end: Floats) -> QPainterPath:
    """Return straight lines. Shapes: (lines, 2)."""
    return _path(_straight(start, end))


def curved_path(start: Floats, end: Floats) -> QPainterPath:
    """Return lines that leave and arrive vertically: straight where the ends stand above one another.

    Shapes: (lines, 2).
    """
    is_straight = start[:, 0] == end[:, 0]
    bent = _curves(start[~is_straight], end[~is_straight])
    return _path(_straight(start[is_straight], end[is_straight]), bent)


def triangle_path(first: Floats, second: Floats, third: Floats) -> QPainterPath:
    """Return triangles to be filled. Shapes: (triangles, 2)."""
    kinds = (_MOVE, _LINE, _LINE, _LINE)
    return _path(_elements(kinds, (first, second, third, first)))


def _straight(start: Floats, end: Floats) -> _Elements:
    return _elements((_MOVE, _LINE), (start, end))


def _curves(start: Floats, end: Floats) -> _Elements:
    middle = (start[:, 1] + end[:, 1]) / 2
    below = np.stack((start[:, 0], middle), axis=1)
    above = np.stack((end[:, 0], middle), axis=1)
    return _elements((_MOVE, _CURVE, _CURVE_DATA, _CURVE_DATA), (start, below, above, end))


def _elements(kinds: tuple[int, ...], points: tuple[Floats, ...]) -> _Elements:
    elements = np.empty((points[0].shape[0], len(kinds)), dtype=_ELEMENT)
    for at, (kind, point) in enumerate(zip(kinds, points, strict=True)):
        elements["kind"][:, at] = kind
        elements["x"][:, at] = point[:, 0]
        elements["y"][:, at] = point[:, 1]
    return elements.reshape(-1)


def _path(*parts: _Elements) -> QPainterPath:
    path = QPainterPath()
    # As bytes: numpy joins arrays in the order of bytes of the machine.
    elements = b"".join(part.tobytes() for part in parts)
    if elements:
        count = (len(elements) // _ELEMENT.itemsize).to_bytes(4, "big")
        # Behind the elements: where the last part begins, and the rule by which the path is filled.
        stream = QDataStream(QByteArray(count + elements + bytes(8)))
        stream >> path
    return path
