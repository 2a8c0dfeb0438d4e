"""Everything that the person can ask of the window, once: menus, buttons and keys share these actions."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from opstudio.qt.theme.icons import Icons


class Actions(QObject):
    """The actions; whoever carries one out connects to it."""

    def __init__(self, window: QWidget, icons: Icons) -> None:
        super().__init__(window)
        self._window = window
        self._icons = icons
        self._named_icons: dict[QAction, str] = {}
        self.save = self._make(self.tr("Save"), QKeySequence.StandardKey.Save, "save")
        self.save_all = self._make(self.tr("Save all"), "Ctrl+Shift+S")
        self.close_tab = self._make(self.tr("Close tab"), QKeySequence.StandardKey.Close)
        self.next_tab = self._make(self.tr("Next tab"), "Ctrl+Tab")
        self.previous_tab = self._make(self.tr("Previous tab"), "Ctrl+Shift+Tab")
        self.find = self._make(self.tr("Find"), QKeySequence.StandardKey.Find, "search")
        self.replace = self._make(self.tr("Find and replace"), "Ctrl+H")
        self.find_next = self._make(self.tr("Find next"), "F3")
        self.find_previous = self._make(self.tr("Find previous"), "Shift+F3")
        self.quit = self._make(self.tr("Quit"), QKeySequence.StandardKey.Quit)
        self.run_fresh = self._make(self.tr("Run all stages again"), "F5", "run_again")
        self.cancel = self._make(self.tr("Cancel what runs"), "Esc", "stop")
        self.look_again = self._make(self.tr("Look for operators again"), "Ctrl+R", "refresh")
        icons.changed.connect(self._refresh_icons)

    def for_pane(self, title: str, number: int) -> QAction:
        """Return an action that takes the keyboard to a part of the window."""
        return self._make(title, f"Alt+{number}")

    def _make(self, text: str, key: QKeySequence.StandardKey | str, icon: str = "") -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{text} ({shortcut})" if shortcut else text)
        if icon:
            self._named_icons[action] = icon
            action.setIcon(self._icons.icon(icon))
        self._window.addAction(action)
        return action

    def _refresh_icons(self) -> None:
        for action, name in self._named_icons.items():
            action.setIcon(self._icons.icon(name))
