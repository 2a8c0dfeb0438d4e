"""The menu bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from opstudio.qt.actions import Actions
from opstudio.qt.appearance import Appearance
from opstudio.qt.edit_actions import EditActions
from opstudio.qt.preferences import Preferences


class Menus(QObject):
    """Fills a menu bar. Every action has its place here, so that everything can be found."""

    def __init__(
        self,
        bar: QMenuBar,
        actions: Actions,
        appearance: Appearance,
        edits: EditActions,
        preferences: Preferences,
        open_workspace: Callable[[Path], None],
    ) -> None:
        super().__init__(bar)
        self._preferences, self._open_workspace = preferences, open_workspace
        self._file, self._edit, self._operator = QMenu(bar), QMenu(bar), QMenu(bar)
        self._view, self._go, self._help = QMenu(bar), QMenu(bar), QMenu(bar)
        self._recent, self._themes, self._languages = QMenu(bar), QMenu(bar), QMenu(bar)
        for menu in (self._file, self._edit, self._operator, self._view, self._go, self._help):
            bar.addMenu(menu)
        self._themes.addActions(appearance.themes)
        self._languages.addActions(appearance.languages)
        self._edit.aboutToShow.connect(edits.refresh)
        self._recent.aboutToShow.connect(self._fill_recent)
        self._fill(actions, edits)
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

    def _fill(self, actions: Actions, edits: EditActions) -> None:
        self._file.addActions([actions.open_workspace])
        self._file.addMenu(self._recent)
        self._file.addActions([actions.open_model, actions.fix_model, actions.cancel_fix])
        self._file.addAction(actions.trust)
        self._file.addSeparator()
        self._file.addActions([actions.save, actions.save_all, actions.rebuild_on_pause])
        self._file.addSeparator()
        self._file.addActions([actions.next_tab, actions.previous_tab, actions.close_tab])
        self._file.addSeparator()
        self._file.addAction(actions.quit)
        undo, redo, *others = edits.all
        self._edit.addActions([undo, redo])
        self._edit.addSeparator()
        self._edit.addActions(others)
        self._edit.addSeparator()
        self._edit.addActions([actions.find, actions.replace, actions.find_next, actions.find_previous])
        self._edit.addSeparator()
        self._edit.addAction(actions.tab_leaves)
        self._operator.addActions([actions.new_operator, actions.run_fresh, actions.check_all])
        self._operator.addSeparator()
        self._operator.addActions([actions.explain_export, actions.choose_export, actions.cancel_export])
        self._operator.addSeparator()
        self._operator.addActions([actions.cancel, actions.cancel_all])
        self._operator.addSeparator()
        self._operator.addAction(actions.look_again)
        self._view.addAction(actions.reset_layout)
        self._view.addSeparator()
        self._view.addActions([actions.larger_text, actions.smaller_text, actions.usual_text])
        self._view.addSeparator()
        self._view.addMenu(self._themes)
        self._view.addMenu(self._languages)
        self._go.addActions([actions.command_palette, actions.go_to_file, actions.go_to_operator, actions.go_to_node])
        self._go.addAction(actions.go_to_line)
        self._go.addSeparator()
        self._go.addActions([actions.go_to_problem, actions.next_problem, actions.previous_problem])
        self._help.addActions([actions.help, actions.welcome, actions.about])

    def _fill_recent(self) -> None:
        self._recent.clear()
        for root in self._preferences.recent:
            self._recent.addAction(str(root)).triggered.connect(partial(self._open_workspace, root))
