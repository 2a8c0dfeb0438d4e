"""The menu bar."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenuBar

from opstudio.qt.actions import Actions
from opstudio.qt.theme.theme import Theme, ThemeChoice


class Menus(QObject):
    """Fills a menu bar. Every action has its place here, so that everything can be found."""

    def __init__(self, bar: QMenuBar, actions: Actions, theme: Theme) -> None:
        super().__init__(bar)
        self._theme = theme
        file = bar.addMenu(self.tr("&File"))
        file.addActions([actions.save, actions.save_all])
        file.addSeparator()
        file.addActions([actions.next_tab, actions.previous_tab, actions.close_tab])
        file.addSeparator()
        file.addAction(actions.quit)
        edit = bar.addMenu(self.tr("&Edit"))
        edit.addActions([actions.find, actions.replace, actions.find_next, actions.find_previous])
        operator = bar.addMenu(self.tr("&Operator"))
        operator.addActions([actions.run_fresh, actions.cancel])
        operator.addSeparator()
        operator.addAction(actions.look_again)
        self._view = bar.addMenu(self.tr("&View"))
        self._theme_actions = self._add_themes()
        self._go = bar.addMenu(self.tr("&Go"))

    def add_panels(self, toggles: Sequence[QAction], reset: QAction, panes: Sequence[QAction]) -> None:
        """List the panels, and the keys that lead to the parts of the window."""
        self._view.addSeparator()
        self._view.addActions(list(toggles))
        self._view.addSeparator()
        self._view.addAction(reset)
        self._go.addActions(list(panes))

    def _add_themes(self) -> dict[ThemeChoice, QAction]:
        titles = {
            ThemeChoice.SYSTEM: self.tr("Theme of the system"),
            ThemeChoice.LIGHT: self.tr("Light theme"),
            ThemeChoice.DARK: self.tr("Dark theme"),
        }
        group = QActionGroup(self)
        actions: dict[ThemeChoice, QAction] = {}
        for choice, title in titles.items():
            action = self._view.addAction(title)
            action.setCheckable(True)
            action.setChecked(choice is self._theme.choice)
            action.setData(choice.value)
            group.addAction(action)
            actions[choice] = action
        group.triggered.connect(self._choose_theme)
        return actions

    def _choose_theme(self, action: QAction) -> None:
        self._theme.choose(ThemeChoice(action.data()))
