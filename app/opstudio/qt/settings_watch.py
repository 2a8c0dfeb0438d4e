"""Follows ``opstudio.toml`` while its workspace is open. What is open keeps the settings that it was opened with."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from opstudio.base.errors import InputError
from opstudio.qt.editor.text_file import Signature, read_signature
from opstudio.workspace.folder import Workspace
from opstudio.workspace.settings import SETTINGS_FILE, read_settings

_LOOK_MS = 500


class SettingsWatch(QObject):
    """Tells when the file says something else than what is in force. Looks at its signature, and reads on a change."""

    broken = Signal(tuple)
    """The findings that say what is wrong with the file; what is in force stays."""
    changed = Signal()
    """The file is right and says something else; it holds once the workspace is opened again."""
    settled = Signal()
    """The file says again what is in force."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._path = workspace.root / SETTINGS_FILE
        self._seen: Signature | None = read_signature(self._path)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Begin to look."""
        self._timer.start()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    def look(self) -> None:
        """Read the file if it is another one than before; one that is gone is told as broken."""
        signature = read_signature(self._path)
        if signature == self._seen:
            return
        self._seen = signature
        try:
            settings = read_settings(self._path)
        except InputError as error:
            self.broken.emit(error.findings)
            return
        if settings == self._workspace.settings:
            self.settled.emit()
        else:
            self.changed.emit()
