from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication

CALLS = 100_000
SLACK = 50
"""What other threads of the test run may hold at the moment."""


class Sender(QObject):
    sent = Signal(bool)


def test_that_void_calls_of_qt_leave_the_references_of_none_alone(qapp: QApplication) -> None:
    # PySide6 6.12.0 drops one reference with each such call, which ends Python 3.11 within thousands of them.
    del qapp
    pixmap = QPixmap(8, 8)
    painter = QPainter(pixmap)
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        painter.translate(0.0, 0.0)
    after = sys.getrefcount(None)
    painter.end()
    assert abs(after - before) < SLACK


def test_that_signals_leave_the_references_of_true_alone(qapp: QApplication) -> None:
    del qapp
    sender = Sender()
    before = sys.getrefcount(True)
    for _ in range(5_000):
        sender.sent.emit(True)
    assert abs(sys.getrefcount(True) - before) < SLACK
