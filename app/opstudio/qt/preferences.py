"""What a person prefers in every window: theme, language, how saves lead to checks, the workspaces opened last."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths

from opstudio.qt.language import LanguageChoice
from opstudio.qt.settings_store import SettingsStore
from opstudio.qt.theme.theme import ThemeChoice

_MOST_RECENT = 12


def settings_folder() -> Path:
    """Return the person's folder for the settings of windows."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return Path(folder) / "opstudio"


class Preferences:
    """Kept in a file; without one, as for pictures, everything is as it is the first time."""

    def __init__(self, file: Path | None = None) -> None:
        self._settings = SettingsStore(file)

    @classmethod
    def of_person(cls) -> Preferences:
        """Return those of the person who runs the studio."""
        return cls(settings_folder() / "preferences.ini")

    @property
    def theme(self) -> ThemeChoice:
        """The theme that was chosen."""
        known = {choice.value: choice for choice in ThemeChoice}
        return known.get(self._text("theme"), ThemeChoice.SYSTEM)

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._settings.set_value("theme", choice.value)

    @property
    def language(self) -> LanguageChoice:
        """The language that was chosen."""
        known = {choice.value: choice for choice in LanguageChoice}
        return known.get(self._text("language"), LanguageChoice.SYSTEM)

    @language.setter
    def language(self, choice: LanguageChoice) -> None:
        self._settings.set_value("language", choice.value)

    @property
    def checks_on_pause(self) -> bool:
        """Whether a pause in typing saves and checks, or saving does."""
        return self._text("checks_on_pause") == "true"

    @checks_on_pause.setter
    def checks_on_pause(self, wanted: bool) -> None:
        self._settings.set_value("checks_on_pause", "true" if wanted else "false")

    @property
    def text_steps(self) -> int:
        """How many steps the text of the editor is larger than usual; negative where it is smaller."""
        try:
            return int(self._text("text_steps") or 0)
        except ValueError:
            return 0

    @text_steps.setter
    def text_steps(self, steps: int) -> None:
        self._settings.set_value("text_steps", str(steps))

    @property
    def was_welcomed(self) -> bool:
        """Whether the welcome page was shown before."""
        return self._text("was_welcomed") == "true"

    @was_welcomed.setter
    def was_welcomed(self, was: bool) -> None:
        self._settings.set_value("was_welcomed", "true" if was else "false")

    @property
    def recent(self) -> tuple[Path, ...]:
        """The workspaces that were opened last, the newest first; those that are gone are left out."""
        stored = self._settings.value("recent_workspaces", [])
        names = [stored] if isinstance(stored, str) else list(stored) if isinstance(stored, list) else []
        return tuple(path for name in names if (path := Path(str(name))).is_dir())

    def remember(self, root: Path) -> None:
        """Put a workspace at the head of those that were opened last."""
        others = [path for path in self.recent if path != root]
        self._settings.set_value("recent_workspaces", [str(path) for path in (root, *others)][:_MOST_RECENT])

    def sync(self) -> None:
        """Write to disk."""
        self._settings.sync()

    def _text(self, key: str) -> str:
        return str(self._settings.value(key, ""))
