"""Puts the window together and runs it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QSize, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from opstudio.base.assets import asset_root
from opstudio.base.errors import InputError, SetupError
from opstudio.base.finding import Place
from opstudio.jobs.cancel import CancelToken
from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.main_window import MainWindow
from opstudio.qt.preferences import Preferences
from opstudio.qt.screenshot import Screenshot
from opstudio.qt.theme.theme import Theme, ThemeChoice
from opstudio.qt.windows import Windows
from opstudio.workflows.bundled import bundled_workspace
from opstudio.workspace.folder import Workspace
from opstudio.workspace.trust import Trust

_CANCEL_LOOK_MS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOptions:
    """What a command line asks of the window. For a picture the window is as it is the first time."""

    open_file: Path | None = None
    screenshot: Path | None = None
    theme: str | None = None
    language: str | None = None
    size: tuple[int, int] | None = None
    reset_layout: bool = False
    trust: Trust | None = None
    """What the command line made of ``--trust``: holds for this run also where it could not be recorded."""


def run_window(workspace: Workspace | None, options: WindowOptions, cancel: CancelToken) -> None:
    """Show the window until it is closed; without a workspace and a file to open, the first page.

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
    windows = make_windows(application, options)
    saved: Screenshot | None = None
    if workspace is None and options.open_file is not None:
        # A model wants no workspace; the window does, and the bundled one is at hand.
        workspace = bundled_workspace()
    if workspace is None:
        windows.show_start()
    else:
        window = show_workspace(windows, workspace, options)
        saved = Screenshot(window, options.screenshot) if options.screenshot is not None else None
    interruption = _Interruption(windows, cancel)
    application.exec()
    interruption.stop()
    is_saved = saved is None or saved.is_saved
    windows.end()
    if not is_saved:
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


def make_windows(application: QApplication, options: WindowOptions) -> Windows:
    """Return what opens windows, with theme and language in force."""
    preferences = Preferences.of_person() if options.screenshot is None else Preferences()
    theme = Theme(application, ThemeChoice(options.theme) if options.theme else preferences.theme)
    language = Language(application, LanguageChoice(options.language) if options.language else preferences.language)
    return Windows(application, theme, language, preferences, remembers=options.screenshot is None)


def show_workspace(windows: Windows, workspace: Workspace, options: WindowOptions) -> MainWindow:
    """Return the window of a workspace, shown and at work."""
    size = None if options.size is None else QSize(*options.size)
    window = windows.show_workspace(workspace, size=size, reset_layout=options.reset_layout, trust=options.trust)
    if options.open_file is not None:
        window.open_file(options.open_file.resolve())
    return window


class _Interruption(QObject):
    """Closes the windows when the terminal, or the system, ends the program."""

    def __init__(self, windows: Windows, cancel: CancelToken) -> None:
        super().__init__()
        self._windows, self._cancel = windows, cancel
        self._timer = QTimer(self)
        self._timer.setInterval(_CANCEL_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _look(self) -> None:
        if self._cancel.is_cancelled:
            self._timer.stop()
            self._windows.close_at_once()
