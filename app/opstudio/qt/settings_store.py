"""Named values that outlive the window in a file, or end with it where there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings


class SettingsStore:
    """A file of Qt's settings, or a table in memory: Qt would share nameless settings between all windows."""

    def __init__(self, file: Path | None) -> None:
        self._table: dict[str, Any] = {}
        self._settings: QSettings | None = None
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._settings = QSettings(str(file), QSettings.Format.IniFormat)

    def value(self, key: str, default: Any = None) -> Any:
        """Return a value, or the default where there is none."""
        return self._table.get(key, default) if self._settings is None else self._settings.value(key, default)

    def set_value(self, key: str, value: Any) -> None:
        """Keep a value."""
        if self._settings is None:
            self._table[key] = value
        else:
            self._settings.setValue(key, value)

    def remove(self, group: str) -> None:
        """Forget a value, or all whose keys begin with this one and a slash."""
        if self._settings is None:
            self._table = {key: kept for key, kept in self._table.items() if not f"{key}/".startswith(f"{group}/")}
        else:
            self._settings.remove(group)

    def sync(self) -> None:
        """Write to disk."""
        if self._settings is not None:
            self._settings.sync()
