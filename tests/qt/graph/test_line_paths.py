"""Paths that are filled from arrays are those that Qt makes of single calls."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from opstudio.qt.graph.line_paths import curved_path, straight_path, triangle_path

START = np.array([[0.0, 0.0], [5.0, 5.0], [-3.0, 9.5]])
END = np.array([[0.0, 10.0], [20.0, 30.0], [-3.0, 2.0]])


def test_that_straight_lines_are_those_of_qt() -> None:
    expected = QPainterPath()
    for start, end in zip(START.tolist(), END.tolist(), strict=True):
        expected.moveTo(*start)
        expected.lineTo(*end)
    assert straight_path(START, END) == expected


def test_that_a_line_sideways_is_a_curve_and_others_are_straight() -> None:
    expected = QPainterPath()
    for number in (0, 2):
        expected.moveTo(*START[number].tolist())
        expected.lineTo(*END[number].tolist())
    expected.moveTo(5.0, 5.0)
    expected.cubicTo(QPointF(5.0, 17.5), QPointF(20.0, 17.5), QPointF(20.0, 30.0))
    assert curved_path(START, END) == expected


def test_that_triangles_are_closed() -> None:
    path = triangle_path(START[:1], END[:1], np.array([[8.0, 5.0]]))
    assert path.contains(QPointF(1.5, 5.0))
    assert not path.contains(QPointF(7.0, 9.0))


def test_that_no_lines_are_an_empty_path() -> None:
    assert straight_path(np.empty((0, 2)), np.empty((0, 2))).isEmpty()
    assert curved_path(np.empty((0, 2)), np.empty((0, 2))).isEmpty()
