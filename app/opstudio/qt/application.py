"""Puts the window together and runs it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from opstudio.base.assets import asset_root
from opstudio.base.errors import InputError, SetupError
from opstudio.base.finding import Place
from opstudio.jobs.cancel import CancelToken
from opstudio.qt.main_window import MainWindow
from opstudio.qt.screenshot import Screenshot
from opstudio.qt.theme.theme import Theme, ThemeChoice
from opstudio.qt.window_memory import WindowMemory
from opstudio.workspace.folder import Workspace

_CANCEL_LOOK_MS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOptions:
    """What a command line asks of the window. For a picture the window is as it is the first time."""

    open_file: Path | None = None
    screenshot: Path | None = None
    theme: str | None = None
    size: tuple[int, int] | None = None


def run_window(workspace: Workspace, options: WindowOptions, cancel: CancelToken) -> None:
    """Show the window until it is closed.

    Raises:
        InputError: the file to open is not there.
        SetupError: the picture cannot be saved.
    """
    if options.open_file is not None and not options.open_file.is_file():
        raise InputError.of(
            f"{options.open_file} cannot be opened",
            cause="there is no such file",
            fix="Correct the path",
            stage="window",
            place=Place(file=str(options.open_file)),
        )
    application = make_application()
    window = make_window(application, workspace, options)
    screenshot = Screenshot(window, options.screenshot) if options.screenshot is not None else None
    interruption = _Interruption(window, cancel)
    application.exec()
    interruption.stop()
    saved = screenshot is None or screenshot.is_saved
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    if not saved:
        raise SetupError.of(
            f"The picture {options.screenshot} was not saved",
            cause="the folder cannot be written, or the name does not end in .png",
            fix="Choose another name",
            stage="window",
        )


def make_application() -> QApplication:
    """Return the application, with its name and icon."""
    application = QApplication(sys.argv[:1])
    application.setApplicationName("OpStudio")
    application.setDesktopFileName("opstudio")
    application.setWindowIcon(QIcon(str(asset_root("resources") / "icons" / "opstudio.svg")))
    return application


def make_window(application: QApplication, workspace: Workspace, options: WindowOptions) -> MainWindow:
    """Return the window, shown and at work."""
    memory = WindowMemory.of_workspace(workspace.root) if options.screenshot is None else None
    choice = ThemeChoice(options.theme) if options.theme else memory.theme if memory else ThemeChoice.SYSTEM
    window = MainWindow(workspace, Theme(application, choice), memory)
    if options.size is not None:
        window.resize(QSize(*options.size))
        window.docks.reset()
    window.show()
    window.start()
    if options.open_file is not None:
        window.open_file(options.open_file.resolve())
    return window


class _Interruption(QObject):
    """Closes the window when the terminal, or the system, ends the program."""

    def __init__(self, window: MainWindow, cancel: CancelToken) -> None:
        super().__init__(window)
        self._window, self._cancel = window, cancel
        self._timer = QTimer(self)
        self._timer.setInterval(_CANCEL_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _look(self) -> None:
        if self._cancel.is_cancelled:
            self._timer.stop()
            self._window.close_at_once()
