"""A session in the real window, measured from inside; prints one JSON line. ``… WORKSPACE STARTED LOOPS``.

``STARTED`` is when this process was started, in seconds since 1970; ``LOOPS`` is how many saves are measured.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from opstudio.jobs.events import StageStarted, VerdictReached
from opstudio.qt.application import WindowOptions, make_application, make_windows, show_workspace
from opstudio.qt.bridge import WindowEvent
from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.operator_view import Activity
from opstudio.workspace.folder import open_workspace

OPERATOR = "relu6_scale"
_LINE = "std::min(std::max(value * Compute(scale), Compute(0)), Compute(max_val))"
_CALM_SAVES = 6
"""Saves behind which the slow stages end before the next one; the figures are theirs."""
_KEYS = 300
_KEY_SECONDS = 0.03
_LINES = 5000
_REST_SECONDS = 0.3
"""Between the end of a check and the next save; people take longer."""
_LIMIT_SECONDS = 600.0


class Session:
    """The window, and the moments at which something happened in it."""

    def __init__(self, workspace: Path, started: float) -> None:
        self._application = make_application()
        self._windows = make_windows(self._application, WindowOptions(theme="dark", language="en"))
        self.window: MainWindow = show_workspace(self._windows, open_workspace(workspace), WindowOptions())
        QTest.qWaitForWindowExposed(self.window)
        QApplication.processEvents()
        self.visible = time.time() - started
        self.first_stage = self.verdict = 0.0
        self.window.state.received.connect(self._take)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Let the window work until something holds.

        Its events are waited for as the application's own loop does it. ``QTest.qWait`` would sleep with the
        interpreter's lock, and the threads that are measured need that.
        """
        loop = QEventLoop()
        last = time.monotonic() + _LIMIT_SECONDS
        while not condition():
            if time.monotonic() > last:
                raise TimeoutError
            loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    def rest(self, seconds: float) -> None:
        """Let the window work for a while."""
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() >= end)

    @property
    def is_idle(self) -> bool:
        """Whether the last check has ended, slow stages as well."""
        return self.window.state.view(OPERATOR).activity is Activity.IDLE and not self.window.state.is_busy

    @property
    def has_checked_all(self) -> bool:
        """Whether the first round over all operators has ended."""
        state = self.window.state
        return bool(state.names) and all(state.view(name).is_final for name in state.names)

    def save(self, number: int) -> tuple[float, float]:
        """Change a number, save with a key; return the seconds until chips move and until the verdict."""
        page = self.window.editors.current
        assert page is not None
        text = page.editor.file_text()
        start = text.index(_LINE.split("Compute(0", maxsplit=1)[0])
        end = text.index("\n", start)
        floor = f"Compute(0.{'0' * number})"
        line = _LINE.replace("Compute(0)", floor) + ";"
        page.editor.replace_text(f"{text[:start]}{line}{text[end:]}")
        self.first_stage = self.verdict = 0.0
        begin = time.monotonic()
        QTest.keyClick(page.editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        self.wait(lambda: self.verdict > 0.0)
        return self.first_stage - begin, self.verdict - begin

    def keys(self) -> list[float]:
        """Type into a file of 5,000 lines while everything is checked again; return each time to the painted glyph."""
        path = self.window.editors.current
        assert path is not None
        long_file = path.path.with_name("long.cpp")
        kernel = path.path.read_text(encoding="utf-8").splitlines()
        lines = [kernel[number % len(kernel)] for number in range(_LINES)]
        long_file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.window.open_file(long_file, _LINES // 2)
        self.wait(lambda: self.is_idle)
        self.window.session.run_fresh(OPERATOR)
        page = self.window.editors.current
        assert page is not None
        page.editor.setFocus()
        times: list[float] = []
        for number in range(_KEYS):
            self.rest(_KEY_SECONDS)
            begin = time.perf_counter()
            QTest.keyClick(page.editor, Qt.Key.Key_Return if number % 40 == 39 else Qt.Key.Key_A)
            QApplication.processEvents()
            times.append(time.perf_counter() - begin)
        page.forget_unsaved()
        page.editor.document().setModified(False)
        long_file.unlink()
        return times

    def end(self) -> None:
        """Close the window and all its processes."""
        self.window.close_at_once()
        self._windows.end()

    def _take(self, events: list[WindowEvent]) -> None:
        self.window.strip.repaint()
        now = time.monotonic()
        for event in events:
            if isinstance(event, StageStarted) and not self.first_stage:
                self.first_stage = now
            if isinstance(event, VerdictReached) and not event.final and not self.verdict:
                self.verdict = now


def resident_bytes() -> int:
    """Return the memory of this process alone."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


def main(workspace: Path, started: float, loops: int) -> None:
    """Run the session and print what it measured."""
    session = Session(workspace, started)
    session.window.selection.select_operator(OPERATOR)
    session.window.open_file(workspace / OPERATOR / f"{OPERATOR}.cpp")
    session.wait(lambda: session.has_checked_all)
    chips: list[float] = []
    verdicts: list[float] = []
    memory: list[int] = []
    for number in range(1, loops + 1):
        # The first ones are made as a person makes them, the rest, for the memory, one right after another.
        if number <= _CALM_SAVES:
            session.wait(lambda: session.is_idle)
            session.rest(_REST_SECONDS)
        moved, verdict = session.save(number)
        chips.append(moved)
        verdicts.append(verdict)
        memory.append(resident_bytes())
    keys = session.keys()
    session.end()
    print(
        json.dumps(
            {
                "visible": session.visible,
                "chips": chips[:_CALM_SAVES],
                "verdicts": verdicts[:_CALM_SAVES],
                "memory": memory,
                "keys": keys,
            }
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
