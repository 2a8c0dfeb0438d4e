"""The theme of the window: the system's scheme, or the one that the person chose."""

from __future__ import annotations

import enum

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from opstudio.base.colours import DARK, LIGHT, Tokens
from opstudio.qt.theme.fonts import UI_PIXELS, ui_font
from opstudio.qt.theme.palette import make_palette, make_style_sheet

_LEAST_STEPS, _MOST_STEPS = -5, 19


class ThemeChoice(enum.StrEnum):
    """What the person chose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """Holds the tokens in force and puts them on the application."""

    changed = Signal()
    text_size_changed = Signal()
    """Texts that are written or read for long are larger or smaller now."""

    def __init__(self, application: QApplication, choice: ThemeChoice = ThemeChoice.SYSTEM) -> None:
        super().__init__(application)
        self._application = application
        self._choice = choice
        self._text_steps = 0
        application.setStyle("Fusion")
        application.setFont(ui_font())
        self._tokens = self._wanted()
        self._apply()
        application.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def tokens(self) -> Tokens:
        """The colours in force."""
        return self._tokens

    @property
    def choice(self) -> ThemeChoice:
        """What the person chose."""
        return self._choice

    def choose(self, choice: ThemeChoice) -> None:
        """Change the theme."""
        self._choice = choice
        self._refresh()

    @property
    def text_steps(self) -> int:
        """How many steps the text of the editor is larger than usual."""
        return self._text_steps

    @property
    def text_pixels(self) -> float:
        """The size of the text of the editor."""
        return UI_PIXELS + self._text_steps

    def set_text_steps(self, steps: int) -> None:
        """Make the text of the editor larger or smaller, within what can be read."""
        wanted = min(max(steps, _LEAST_STEPS), _MOST_STEPS)
        if wanted != self._text_steps:
            self._text_steps = wanted
            self.text_size_changed.emit()

    def _follow_system(self, _scheme: Qt.ColorScheme) -> None:
        self._refresh()

    def _refresh(self) -> None:
        wanted = self._wanted()
        if wanted is not self._tokens:
            self._tokens = wanted
            self._apply()
            self.changed.emit()

    def _wanted(self) -> Tokens:
        if self._choice is not ThemeChoice.SYSTEM:
            return LIGHT if self._choice is ThemeChoice.LIGHT else DARK
        return LIGHT if self._application.styleHints().colorScheme() is Qt.ColorScheme.Light else DARK

    def _apply(self) -> None:
        self._application.setPalette(make_palette(self._tokens))
        self._application.setStyleSheet(make_style_sheet(self._tokens))
