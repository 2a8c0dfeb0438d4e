"""The windows of the application: one for the workspace that is shown, or the first page where there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Signal
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow, QVBoxLayout, QWidget

from opstudio.base.errors import StudioError
from opstudio.qt.language import Language
from opstudio.qt.main_window import MainWindow
from opstudio.qt.notices import Notices
from opstudio.qt.preferences import Preferences
from opstudio.qt.suggestions import start_suggestions
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.welcome import WelcomePage
from opstudio.qt.widgets.notice_bar import NoticeBar
from opstudio.qt.window_memory import WindowMemory
from opstudio.workflows.bundled import bundled_workspace
from opstudio.workflows.scaffold import init_workspace
from opstudio.workspace.folder import Workspace, open_workspace
from opstudio.workspace.trust import Trust

_START_SIZE = QSize(900, 680)


class Windows(QObject):
    """Opens windows, one at a time."""

    def __init__(
        self,
        application: QApplication,
        theme: Theme,
        language: Language,
        preferences: Preferences,
        *,
        remembers: bool = True,
    ) -> None:
        """Prepare; ``remembers`` is false where windows shall look as they do the first time."""
        super().__init__()
        self._application = application
        self._theme, self._language, self._preferences, self._remembers = theme, language, preferences, remembers
        self._shown: QMainWindow | None = None

    @property
    def shown(self) -> QMainWindow | None:
        """The window."""
        return self._shown

    def show_workspace(
        self,
        workspace: Workspace,
        *,
        size: QSize | None = None,
        reset_layout: bool = False,
        trust: Trust | None = None,
    ) -> MainWindow:
        """Show a workspace in place of what is shown now; the window is at work when this returns."""
        memory = WindowMemory.of_workspace(workspace.root) if self._remembers else WindowMemory()
        if reset_layout:
            memory.forget_layouts()
        window = MainWindow(workspace, self._theme, self._language, self._preferences, memory, trust=trust)
        window.workspace_requested.connect(self._replace)
        if size is not None:
            window.resize(size)
            window.perspectives.reset()
        self._put(window)
        window.start()
        if self._remembers and not self._preferences.was_welcomed:
            window.reading.show_welcome()
        return window

    def show_start(self) -> StartWindow:
        """Show the first page."""
        window = StartWindow(self._theme, self._preferences)
        window.workspace_chosen.connect(self._replace)
        self._put(window)
        return window

    def close_at_once(self) -> None:
        """Close without asking; for when the system ends the program."""
        if isinstance(self._shown, MainWindow):
            self._shown.close_at_once()
        elif self._shown is not None:
            self._shown.close()

    def end(self) -> None:
        """Let the last window go, and all that belongs to it."""
        if self._shown is not None:
            self._shown.deleteLater()
            self._shown = None
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def _replace(self, root: Path) -> None:
        """Show another workspace, once the window that is shown has closed."""
        before = self._shown
        try:
            workspace = open_workspace(root)
        except StudioError as error:
            if isinstance(before, MainWindow | StartWindow):
                before.notices.tell_refusal(error.findings[0])
            return
        # The application lives on between the two windows.
        self._application.setQuitOnLastWindowClosed(False)
        if before is None or before.close():
            self.show_workspace(workspace)
        self._application.setQuitOnLastWindowClosed(True)

    def _put(self, window: QMainWindow) -> None:
        before, self._shown = self._shown, window
        window.show()
        if before is not None:
            before.deleteLater()


class StartWindow(QMainWindow):
    """What stands there without a workspace."""

    workspace_chosen = Signal(Path)

    def __init__(self, theme: Theme, preferences: Preferences) -> None:
        super().__init__()
        icons = Icons(theme)
        self._preferences = preferences
        notice = NoticeBar(theme, icons)
        self.notices = Notices(notice, self)
        suggestions = start_suggestions(
            try_bundled=self._try_bundled, make_workspace=self._make_workspace, open_workspace=self._open_workspace
        )
        self.page = WelcomePage(suggestions, preferences, theme, icons, can_leave=False)
        self.page.workspace_chosen.connect(self.workspace_chosen)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(notice)
        column.addWidget(self.page, 1)
        self.setCentralWidget(content)
        self.setWindowTitle("OpStudio")
        self.resize(_START_SIZE)

    def _try_bundled(self) -> None:
        self._offer(bundled_workspace)

    def _make_workspace(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("A folder for the new workspace"), str(Path.home()))
        if chosen:
            self._offer(lambda: init_workspace(Path(chosen)))

    def _open_workspace(self) -> None:
        title = self.tr("Open a workspace: a folder with opstudio.toml")
        chosen = QFileDialog.getExistingDirectory(self, title, str(Path.home()))
        if chosen:
            self.workspace_chosen.emit(Path(chosen))

    def _offer(self, make: Callable[[], Workspace]) -> None:
        try:
            self.workspace_chosen.emit(make().root)
        except StudioError as error:
            self.notices.tell_refusal(error.findings[0])
