"""Work that would make the window wait, on a thread of its own; what comes of it arrives in the window's thread."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal


class Background(QObject):
    """Runs one piece of work at a time. What was asked for since takes its place: older results are not told."""

    finished = Signal(object)
    """What the newest work returned, or the exception that ended it. Connect bound methods of GUI objects only."""
    _ended = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest = 0
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._ended.connect(self._take)

    def run(self, work: Callable[[], Any]) -> None:
        """Run something in place of what still waits."""
        self._newest += 1
        self._pool.clear()
        self._pool.start(_Run(work, self._newest, self._ended.emit))

    def wait(self) -> None:
        """Wait for what runs; for the end of the window."""
        self._newest += 1
        self._pool.clear()
        self._pool.waitForDone()

    def _take(self, number: int, result: object) -> None:
        if number == self._newest:
            self.finished.emit(result)


class _Run(QRunnable):
    def __init__(self, work: Callable[[], Any], number: int, tell: Callable[[int, object], None]) -> None:
        super().__init__()
        self._work, self._number, self._tell = work, number, tell

    def run(self) -> None:
        try:
            result = self._work()
        except Exception as error:  # noqa: BLE001 - told where it is shown
            result = error
        # Who asked may be gone together with its window; the pool waits for this work, and nobody for its result.
        with contextlib.suppress(RuntimeError):
            self._tell(self._number, result)
