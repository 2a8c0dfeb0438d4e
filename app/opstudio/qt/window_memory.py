"""What a window remembers between two starts: place, layouts, what was looked at. A file for each workspace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from opstudio.base.hashing import content_address
from opstudio.qt.preferences import settings_folder
from opstudio.qt.settings_store import SettingsStore

_LAYOUT_VERSION = 4
_NAME_DIGITS = 12


class WindowMemory:
    """The view of a window. The work itself is never kept here."""

    def __init__(self, file: Path | None = None) -> None:
        """Take up what a file holds; without one nothing outlives the window."""
        self._settings = SettingsStore(file)

    @classmethod
    def of_workspace(cls, root: Path) -> WindowMemory:
        """Return the memory of the window of a workspace, in the person's folder of settings."""
        address = content_address(str(root))[:_NAME_DIGITS]
        return cls(settings_folder() / "windows" / f"{root.name}-{address}.ini")

    def forget_layouts(self) -> None:
        """Forget where everything stood."""
        self._settings.remove("geometry")
        self._settings.remove("layouts")
        self._settings.remove("perspective")

    def restore_place(self, window: QMainWindow) -> bool:
        """Put a window where it was; return whether that was known."""
        geometry = self._settings.value("geometry")
        return isinstance(geometry, QByteArray) and window.restoreGeometry(geometry)

    def restore_layout(self, window: QMainWindow, perspective: str) -> bool:
        """Give a window the layout of a perspective; return whether it was known."""
        layout = self._settings.value(f"layouts/{perspective}")
        return isinstance(layout, QByteArray) and window.restoreState(layout, _LAYOUT_VERSION)

    def keep_layout(self, window: QMainWindow, perspective: str) -> None:
        """Remember the place of a window and the layout of the perspective that it shows."""
        self._settings.set_value("geometry", window.saveGeometry())
        self._settings.set_value(f"layouts/{perspective}", window.saveState(_LAYOUT_VERSION))

    @property
    def perspective(self) -> str:
        """The perspective that was shown last."""
        return str(self._settings.value("perspective", ""))

    @perspective.setter
    def perspective(self, name: str) -> None:
        self._settings.set_value("perspective", name)

    @property
    def operator(self) -> str:
        """The operator that was looked at last."""
        return str(self._settings.value("operator", ""))

    @operator.setter
    def operator(self, name: str) -> None:
        self._settings.set_value("operator", name)

    @property
    def model(self) -> str:
        """The path of the model that was open last."""
        return str(self._settings.value("model", ""))

    @model.setter
    def model(self, path: str) -> None:
        self._settings.set_value("model", path)

    @property
    def editor(self) -> dict[str, Any]:
        """The files that were open, as :meth:`EditorArea.view` returns them."""
        try:
            view = json.loads(str(self._settings.value("editor", "{}")))
        except ValueError:
            return {}
        return view if isinstance(view, dict) else {}

    @editor.setter
    def editor(self, view: dict[str, Any]) -> None:
        self._settings.set_value("editor", json.dumps(view))

    def sync(self) -> None:
        """Write to disk."""
        self._settings.sync()
