"""Everything that the person can ask of the window, once: menus, buttons, keys and the command palette share it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from opstudio.qt.theme.icons import Icons

Key = QKeySequence.StandardKey | str


@dataclass(frozen=True, slots=True)
class _Text:
    """How the text of an action is found: by its English text, in a context of the translations, within a frame."""

    context: str
    source: str
    frame: str

    def translated(self) -> str:
        text = QCoreApplication.translate(self.context, self.source)
        return QCoreApplication.translate("Action", self.frame).format(text) if self.frame else text


class Actions(QObject):
    """The actions; whoever carries one out connects to it."""

    def __init__(self, window: QWidget, icons: Icons) -> None:
        super().__init__(window)
        self._window = window
        self._icons = icons
        self._texts: dict[QAction, _Text] = {}
        self._named_icons: dict[QAction, str] = {}
        self.save = self.add(QT_TRANSLATE_NOOP("Action", "Save"), QKeySequence.StandardKey.Save, "save")
        self.save_all = self.add(QT_TRANSLATE_NOOP("Action", "Save all"), "Ctrl+Shift+S")
        self.close_tab = self.add(QT_TRANSLATE_NOOP("Action", "Close tab"), QKeySequence.StandardKey.Close)
        self.next_tab = self.add(QT_TRANSLATE_NOOP("Action", "Next tab"), "Ctrl+Tab")
        self.previous_tab = self.add(QT_TRANSLATE_NOOP("Action", "Previous tab"), "Ctrl+Shift+Tab")
        self.find = self.add(QT_TRANSLATE_NOOP("Action", "Find"), QKeySequence.StandardKey.Find, "search")
        self.replace = self.add(QT_TRANSLATE_NOOP("Action", "Find and replace"), "Ctrl+H")
        self.find_next = self.add(QT_TRANSLATE_NOOP("Action", "Find next"), "F3")
        self.find_previous = self.add(QT_TRANSLATE_NOOP("Action", "Find previous"), "Shift+F3")
        self.quit = self.add(QT_TRANSLATE_NOOP("Action", "Quit"), QKeySequence.StandardKey.Quit)
        self.run_fresh = self.add(QT_TRANSLATE_NOOP("Action", "Run all stages again"), "F5", "run_again")
        self.check_all = self.add(QT_TRANSLATE_NOOP("Action", "Check all operators"), "Ctrl+F5")
        self.cancel = self.add(QT_TRANSLATE_NOOP("Action", "Cancel the check of this operator"), "Esc", "stop")
        self.cancel_all = self.add(QT_TRANSLATE_NOOP("Action", "Cancel all checks"), "Shift+Esc")
        self.trust = self.add(QT_TRANSLATE_NOOP("Action", "Trust this workspace…"))
        self.new_operator = self.add(QT_TRANSLATE_NOOP("Action", "New operator…"), "Ctrl+N", "add")
        self.look_again = self.add(QT_TRANSLATE_NOOP("Action", "Look for operators again"), "Ctrl+R", "refresh")
        self.go_to_file = self.add(QT_TRANSLATE_NOOP("Action", "Go to file…"), "Ctrl+P")
        self.go_to_operator = self.add(QT_TRANSLATE_NOOP("Action", "Go to operator…"), "Ctrl+T")
        self.go_to_problem = self.add(QT_TRANSLATE_NOOP("Action", "Go to problem…"), "Ctrl+Shift+M")
        self.go_to_line = self.add(QT_TRANSLATE_NOOP("Action", "Go to line…"), "Ctrl+G")
        self.next_problem = self.add(QT_TRANSLATE_NOOP("Action", "Next problem"), "F8")
        self.previous_problem = self.add(QT_TRANSLATE_NOOP("Action", "Previous problem"), "Shift+F8")
        self.command_palette = self.add(QT_TRANSLATE_NOOP("Action", "Command palette…"), "Ctrl+Shift+P")
        self.open_workspace = self.add(QT_TRANSLATE_NOOP("Action", "Open workspace…"), "Ctrl+O")
        self.go_to_workspace = self.add(QT_TRANSLATE_NOOP("Action", "Open a recent workspace…"))
        self.help = self.add(QT_TRANSLATE_NOOP("Action", "Help"), "F1", "help")
        self.welcome = self.add(QT_TRANSLATE_NOOP("Action", "Welcome"))
        self.reset_layout = self.add(QT_TRANSLATE_NOOP("Action", "Reset the layout"))
        self.rebuild_on_pause = self.add(QT_TRANSLATE_NOOP("Action", "Save and check after a pause in typing"))
        self.rebuild_on_pause.setCheckable(True)
        icons.changed.connect(self._refresh_icons)

    @property
    def all(self) -> tuple[QAction, ...]:
        """Every action, in the order in which they were added."""
        return tuple(self._texts)

    def add(
        self, source: object, key: Key = "", icon: str = "", *, context: str = "Action", frame: object = ""
    ) -> QAction:
        """Return a new action.

        Args:
            source: the English text, marked with ``QT_TRANSLATE_NOOP(context, …)``.
            key: what calls it from anywhere in the window.
            icon: a drawing in ``resources/icons``.
            context: where translators find the text.
            frame: a text, marked with ``QT_TRANSLATE_NOOP("Action", …)``, in which it takes the place of ``{0}``.
        """
        action = QAction(self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self._texts[action] = _Text(context, str(source), str(frame))
        self._show_text(action)
        if icon:
            self._named_icons[action] = icon
            action.setIcon(self._icons.icon(icon))
        self._window.addAction(action)
        return action

    def retranslate(self) -> None:
        """Fetch all texts again."""
        for action in self._texts:
            self._show_text(action)

    def _show_text(self, action: QAction) -> None:
        text = self._texts[action].translated()
        shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setText(text)
        action.setToolTip(f"{text} ({shortcut})" if shortcut else text)

    def _refresh_icons(self) -> None:
        for action, name in self._named_icons.items():
            action.setIcon(self._icons.icon(name))
