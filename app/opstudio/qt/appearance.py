"""How the window looks, as actions: theme, language, the size of the text. What is chosen is kept for the person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import QT_TRANSLATE_NOOP, QObject
from PySide6.QtGui import QAction, QActionGroup

from opstudio.qt.actions import Actions
from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.preferences import Preferences
from opstudio.qt.theme.theme import Theme, ThemeChoice

_Choice = TypeVar("_Choice", ThemeChoice, LanguageChoice)
_THEMES = (
    (ThemeChoice.SYSTEM, QT_TRANSLATE_NOOP("Action", "Theme of the system")),
    (ThemeChoice.LIGHT, QT_TRANSLATE_NOOP("Action", "Light theme")),
    (ThemeChoice.DARK, QT_TRANSLATE_NOOP("Action", "Dark theme")),
)
_LANGUAGES = (
    (LanguageChoice.SYSTEM, QT_TRANSLATE_NOOP("Action", "Language of the system")),
    # In their own languages, so that whoever cannot read the others finds the way back.
    (LanguageChoice.ENGLISH, "English"),
    (LanguageChoice.CHINESE, "简体中文"),
)


class Appearance(QObject):
    """Carries out the choices of how the window looks."""

    def __init__(self, actions: Actions, theme: Theme, language: Language, preferences: Preferences) -> None:
        super().__init__(actions)
        self._theme, self._language, self._preferences = theme, language, preferences
        to_language = QT_TRANSLATE_NOOP("Action", "Language: {0}")
        self.themes = self._add_choices(actions, _THEMES, theme.choice, self._choose_theme)
        self.languages = self._add_choices(actions, _LANGUAGES, language.choice, self._choose_language, to_language)
        actions.larger_text.triggered.connect(self._enlarge)
        actions.smaller_text.triggered.connect(self._reduce)
        actions.usual_text.triggered.connect(self._reset)
        theme.set_text_steps(preferences.text_steps)
        theme.text_size_changed.connect(self._keep_text_steps)

    def _add_choices(
        self,
        actions: Actions,
        choices: Sequence[tuple[_Choice, object]],
        current: _Choice,
        choose: Callable[[QAction], None],
        palette: object = "",
    ) -> list[QAction]:
        group = QActionGroup(self)
        for choice, source in choices:
            action = actions.add(source, palette="" if choice.value == "system" else palette)
            action.setCheckable(True)
            action.setChecked(choice is current)
            action.setData(choice.value)
            group.addAction(action)
        group.triggered.connect(choose)
        return group.actions()

    def _choose_theme(self, action: QAction) -> None:
        self._preferences.theme = ThemeChoice(action.data())
        self._theme.choose(self._preferences.theme)

    def _choose_language(self, action: QAction) -> None:
        self._preferences.language = LanguageChoice(action.data())
        self._language.choose(self._preferences.language)

    def _enlarge(self) -> None:
        self._theme.set_text_steps(self._theme.text_steps + 1)

    def _reduce(self) -> None:
        self._theme.set_text_steps(self._theme.text_steps - 1)

    def _reset(self) -> None:
        self._theme.set_text_steps(0)

    def _keep_text_steps(self) -> None:
        self._preferences.text_steps = self._theme.text_steps
