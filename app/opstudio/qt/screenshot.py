"""Takes a picture of the window for documentation, once every operator has its verdict."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from opstudio.qt.graph.graph_session import GraphState
from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.operator_view import Activity, OperatorView

LIMIT_SECONDS = 180.0
_LOOK_MS = 100
_SETTLE_MS = 400


class Screenshot(QObject):
    """Waits for the first verdict of all operators, or for the limit; then saves the picture and closes the window."""

    def __init__(self, window: MainWindow, file: Path, limit_seconds: float = LIMIT_SECONDS) -> None:
        super().__init__(window)
        self._window, self._file = window, file
        self._last = time.monotonic() + limit_seconds
        self._is_refused = False
        self.is_saved = False
        window.session.refused.connect(self._take_refusal)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _take_refusal(self, _findings: object) -> None:
        self._is_refused = True

    def _look(self) -> None:
        state = self._window.state
        views = [state.view(name) for name in state.names]
        if self._is_drawing():
            return
        if self._is_refused or all(_is_settled(view) for view in views) or time.monotonic() > self._last:
            self._timer.stop()
            QTimer.singleShot(_SETTLE_MS, self._take)

    def _is_drawing(self) -> bool:
        """Whether a model that was asked for is not to be seen yet."""
        graph = self._window.graph
        is_busy = graph.state is GraphState.READING or graph.is_placing or graph.is_resolving
        return is_busy and time.monotonic() <= self._last

    def _take(self) -> None:
        self.is_saved = self._window.grab().save(str(self._file))
        self._window.close_at_once()


def _is_settled(view: OperatorView) -> bool:
    """Whether a check of an operator ended in this session."""
    return view.activity is Activity.IDLE and (view.is_final or view.is_cancelled or bool(view.problems))
