"""The real window in a process of its own, which prints its state as a JSON line whenever that changes.

``python -m tests.support.driven_window WORKSPACE``; keys come from outside, over the display.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer

from opstudio.jobs.cancel import CancelToken
from opstudio.qt import application
from opstudio.qt.application import WindowOptions, run_window
from opstudio.qt.main_window import MainWindow
from opstudio.qt.windows import Windows
from opstudio.workspace.folder import Workspace, open_workspace

_LOOK_MS = 20


class Reporter(QObject):
    """Looks at the window again and again."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._told: dict[str, Any] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        state = self._state()
        if state != self._told:
            self._told = state
            sys.stdout.write(json.dumps(state) + "\n")
            sys.stdout.flush()

    def _state(self) -> dict[str, Any]:
        window = self._window
        view, page = window.state.view(window.selection.operator), window.editors.current
        marks = [] if page is None else [[number + 1, mark.finding.id] for number, mark in self._marks()]
        return {
            "window": int(window.winId()),
            "operator": window.selection.operator,
            "activity": view.activity.name,
            "verdict": None if view.verdict is None else view.verdict.value,
            "is_new": view.has_verdict,
            "is_final": view.is_final,
            "stages": {name: stage.state and stage.state.value for name, stage in view.stages.items()},
            "file": None if page is None else page.path.name,
            "text": "" if page is None else page.editor.textCursor().block().text(),
            "line": 0 if page is None else page.editor.textCursor().blockNumber() + 1,
            "modified": page is not None and page.is_modified,
            "marks": marks,
            "perspective": window.perspectives.shown,
            "picker": not window.finder.picker.isHidden(),
            "history": window.docks.panels["history"].isVisible(),
            "size": [window.width(), window.height()],
            "findings": [[shown.finding.id, shown.finding.cause] for shown in view.findings()],
            "notice": window.notice.text,
        }

    def _marks(self) -> list[tuple[int, Any]]:
        page = self._window.editors.current
        assert page is not None
        return [(number, mark) for number in page.editor.marks.lines for mark in page.editor.marks.at(number)]


def main(workspace: Path) -> None:
    """Run the window; what it does is not changed, only watched."""
    show = application.show_workspace

    def show_and_watch(windows: Windows, opened: Workspace, options: WindowOptions) -> MainWindow:
        window = show(windows, opened, options)
        Reporter(window)
        return window

    application.show_workspace = show_and_watch
    run_window(open_workspace(workspace), WindowOptions(theme="dark", language="en"), CancelToken())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
