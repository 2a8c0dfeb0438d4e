"""The menu bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar

from opstudio.qt.actions import Actions
from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.preferences import Preferences
from opstudio.qt.theme.theme import Theme, ThemeChoice

_Choice = TypeVar("_Choice", ThemeChoice, LanguageChoice)


class Menus(QObject):
    """Fills a menu bar. Every action has its place here, so that everything can be found."""

    def __init__(
        self,
        bar: QMenuBar,
        actions: Actions,
        theme: Theme,
        language: Language,
        preferences: Preferences,
        open_workspace: Callable[[Path], None],
    ) -> None:
        super().__init__(bar)
        self._theme, self._language, self._preferences = theme, language, preferences
        self._open_workspace = open_workspace
        self._file, self._edit, self._operator = QMenu(bar), QMenu(bar), QMenu(bar)
        self._view, self._go, self._help = QMenu(bar), QMenu(bar), QMenu(bar)
        self._recent, self._themes, self._languages = QMenu(bar), QMenu(bar), QMenu(bar)
        for menu in (self._file, self._edit, self._operator, self._view, self._go, self._help):
            bar.addMenu(menu)
        self._theme_actions = self._add_choices(self._themes, ThemeChoice, theme.choice, self._choose_theme)
        self._language_actions = self._add_choices(
            self._languages, LanguageChoice, language.choice, self._choose_language
        )
        self._recent.aboutToShow.connect(self._fill_recent)
        self._fill(actions)
        self.retranslate()

    def add_panels(self, perspectives: Sequence[QAction], toggles: Sequence[QAction], panes: Sequence[QAction]) -> None:
        """List the perspectives, the panels, and the keys that lead to the parts of the window."""
        first = self._view.actions()[0]
        if len(perspectives) > 1:
            self._view.insertActions(first, [*perspectives, self._view.insertSeparator(first)])
        self._view.insertActions(first, [*toggles, self._view.insertSeparator(first)])
        self._go.addSeparator()
        self._go.addActions(list(panes))

    def retranslate(self) -> None:
        """Set the texts of the menus; actions have their own."""
        self._file.setTitle(self.tr("&File"))
        self._edit.setTitle(self.tr("&Edit"))
        self._operator.setTitle(self.tr("&Operator"))
        self._view.setTitle(self.tr("&View"))
        self._go.setTitle(self.tr("&Go"))
        self._help.setTitle(self.tr("&Help"))
        self._recent.setTitle(self.tr("Recent workspaces"))
        self._themes.setTitle(self.tr("Theme"))
        self._languages.setTitle(self.tr("Language"))
        for choice, text in (
            (ThemeChoice.SYSTEM, self.tr("Theme of the system")),
            (ThemeChoice.LIGHT, self.tr("Light theme")),
            (ThemeChoice.DARK, self.tr("Dark theme")),
        ):
            self._theme_actions[choice].setText(text)
        self._language_actions[LanguageChoice.SYSTEM].setText(self.tr("Language of the system"))
        # In their own languages, so that whoever cannot read the others finds the way back.
        self._language_actions[LanguageChoice.ENGLISH].setText("English")
        self._language_actions[LanguageChoice.CHINESE].setText("简体中文")

    def _fill(self, actions: Actions) -> None:
        self._file.addActions([actions.open_workspace])
        self._file.addMenu(self._recent)
        self._file.addAction(actions.trust)
        self._file.addSeparator()
        self._file.addActions([actions.save, actions.save_all, actions.rebuild_on_pause])
        self._file.addSeparator()
        self._file.addActions([actions.next_tab, actions.previous_tab, actions.close_tab])
        self._file.addSeparator()
        self._file.addAction(actions.quit)
        self._edit.addActions([actions.find, actions.replace, actions.find_next, actions.find_previous])
        self._operator.addActions([actions.new_operator, actions.run_fresh, actions.check_all])
        self._operator.addSeparator()
        self._operator.addActions([actions.cancel, actions.cancel_all])
        self._operator.addSeparator()
        self._operator.addAction(actions.look_again)
        self._view.addAction(actions.reset_layout)
        self._view.addMenu(self._themes)
        self._view.addMenu(self._languages)
        self._go.addActions([actions.command_palette, actions.go_to_file, actions.go_to_operator, actions.go_to_line])
        self._go.addSeparator()
        self._go.addActions([actions.go_to_problem, actions.next_problem, actions.previous_problem])
        self._help.addActions([actions.help, actions.welcome])

    def _add_choices(
        self, menu: QMenu, choices: Iterable[_Choice], current: _Choice, choose: Callable[[QAction], None]
    ) -> dict[_Choice, QAction]:
        group = QActionGroup(self)
        actions: dict[_Choice, QAction] = {}
        for choice in choices:
            action = menu.addAction("")
            action.setCheckable(True)
            action.setChecked(choice is current)
            action.setData(choice.value)
            group.addAction(action)
            actions[choice] = action
        group.triggered.connect(choose)
        return actions

    def _choose_theme(self, action: QAction) -> None:
        self._preferences.theme = ThemeChoice(action.data())
        self._theme.choose(self._preferences.theme)

    def _choose_language(self, action: QAction) -> None:
        self._preferences.language = LanguageChoice(action.data())
        self._language.choose(self._preferences.language)

    def _fill_recent(self) -> None:
        self._recent.clear()
        for root in self._preferences.recent:
            self._recent.addAction(str(root)).triggered.connect(partial(self._open_workspace, root))
