"""What a window remembers between two starts: place, layout, what was looked at. A file for each workspace."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths
from PySide6.QtWidgets import QMainWindow

from opstudio.base.hashing import content_address
from opstudio.qt.theme.theme import ThemeChoice

_LAYOUT_VERSION = 1
_NAME_DIGITS = 12


class WindowMemory:
    """The view of a window. The work itself is never kept here."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._settings = QSettings(str(file), QSettings.Format.IniFormat)

    @classmethod
    def of_workspace(cls, root: Path) -> WindowMemory:
        """Return the memory of the window of a workspace, in the person's folder of settings."""
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
        address = content_address(str(root))[:_NAME_DIGITS]
        return cls(Path(folder) / "opstudio" / "windows" / f"{root.name}-{address}.ini")

    def restore(self, window: QMainWindow) -> bool:
        """Give a window its place and layout; return whether they were known."""
        geometry, layout = self._settings.value("geometry"), self._settings.value("layout")
        if not isinstance(geometry, QByteArray) or not isinstance(layout, QByteArray):
            return False
        return window.restoreGeometry(geometry) and window.restoreState(layout, _LAYOUT_VERSION)

    def keep(self, window: QMainWindow) -> None:
        """Remember the place and layout of a window."""
        self._settings.setValue("geometry", window.saveGeometry())
        self._settings.setValue("layout", window.saveState(_LAYOUT_VERSION))

    @property
    def operator(self) -> str:
        """The operator that was looked at last."""
        return str(self._settings.value("operator", ""))

    @operator.setter
    def operator(self, name: str) -> None:
        self._settings.setValue("operator", name)

    @property
    def theme(self) -> ThemeChoice:
        """The theme that was chosen."""
        known = {choice.value: choice for choice in ThemeChoice}
        return known.get(str(self._settings.value("theme", "")), ThemeChoice.SYSTEM)

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._settings.setValue("theme", choice.value)

    def sync(self) -> None:
        """Write to disk."""
        self._settings.sync()
