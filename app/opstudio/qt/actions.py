"""Everything that the person can ask of the window, once: menus, buttons, keys and the command palette share it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QObject, Qt, Signal
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
    hint: str

    def translated(self) -> str:
        text = QCoreApplication.translate(self.context, self.source)
        return QCoreApplication.translate("Action", self.frame).format(text) if self.frame else text

    def explained(self) -> str:
        text = self.translated()
        return f"{text}: {QCoreApplication.translate('Action', self.hint)}" if self.hint else text


class Actions(QObject):
    """The actions; whoever carries one out connects to it."""

    about_to_show = Signal()
    """They are about to be listed: what can be done now is asked for."""

    def __init__(self, window: QWidget, icons: Icons) -> None:
        super().__init__(window)
        self._window = window
        self._icons = icons
        self._texts: dict[QAction, _Text] = {}
        self._palette_frames: dict[QAction, str] = {}
        """By action the text in which it stands in the command palette; every action has one, however empty."""
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
        self.run_fresh = self.add(
            QT_TRANSLATE_NOOP("Action", "Run all stages again"),
            "F5",
            "run_again",
            hint=QT_TRANSLATE_NOOP("Action", "saves the files of the operator first"),
        )
        self.check_all = self.add(QT_TRANSLATE_NOOP("Action", "Check all operators"), "Ctrl+F5")
        self.cancel = self.add(QT_TRANSLATE_NOOP("Action", "Cancel the check of this operator"), "Esc", "stop")
        self.cancel_all = self.add(QT_TRANSLATE_NOOP("Action", "Cancel all checks"), "Shift+Esc")
        self._add_of_exports()
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
        self.about = self.add(QT_TRANSLATE_NOOP("Action", "About OpStudio"))
        self.rebuild_on_pause = self.add(QT_TRANSLATE_NOOP("Action", "Save and check after a pause in typing"))
        self.rebuild_on_pause.setCheckable(True)
        self._add_of_models()
        self._add_of_window()
        icons.changed.connect(self._refresh_icons)

    def _add_of_exports(self) -> None:
        """Add what is about exports and why they come out as they do."""
        self.explain_export = self.add(
            QT_TRANSLATE_NOOP("Action", "Explain the export"),
            "Ctrl+E",
            "export",
            hint=QT_TRANSLATE_NOOP("Action", "runs both exporters; saves the files first"),
        )
        self.choose_export = self.add(QT_TRANSLATE_NOOP("Action", "Choose a model to export…"))
        self.cancel_export = self.add(QT_TRANSLATE_NOOP("Action", "Cancel the export"), icon="stop")

    def _add_of_models(self) -> None:
        """Add what is about models, whichever perspective is shown."""
        self.open_model = self.add(QT_TRANSLATE_NOOP("Action", "Open model…"), "Ctrl+Shift+O", "folder")
        self.fix_model = self.add(QT_TRANSLATE_NOOP("Action", "Fix the model…"), icon="fix")
        self.cancel_fix = self.add(QT_TRANSLATE_NOOP("Action", "Cancel the fix of the model"), icon="stop")
        self.go_to_node = self.add(QT_TRANSLATE_NOOP("Action", "Go to node…"), "Ctrl+Shift+G")

    def _add_of_window(self) -> None:
        """Add what is about the window and the texts in it, whatever they are."""
        self.welcome = self.add(QT_TRANSLATE_NOOP("Action", "Welcome"))
        self.reset_layout = self.add(QT_TRANSLATE_NOOP("Action", "Reset the layout"))
        self.quit = self.add(QT_TRANSLATE_NOOP("Action", "Quit"), QKeySequence.StandardKey.Quit)
        self.tab_leaves = self.add(QT_TRANSLATE_NOOP("Action", "Tab leaves the text"), "Ctrl+M")
        self.tab_leaves.setCheckable(True)
        self.larger_text = self.add(QT_TRANSLATE_NOOP("Action", "Larger text in the editor"), "Ctrl+=")
        self.larger_text.setShortcuts([QKeySequence("Ctrl+="), QKeySequence("Ctrl++")])
        self.smaller_text = self.add(QT_TRANSLATE_NOOP("Action", "Smaller text in the editor"), "Ctrl+-")
        self.usual_text = self.add(QT_TRANSLATE_NOOP("Action", "Text of the editor in its usual size"), "Ctrl+0")

    @property
    def all(self) -> tuple[QAction, ...]:
        """Every action, in the order in which they were added."""
        return tuple(self._palette_frames)

    def adopt(self, action: QAction, palette: object) -> None:
        """Take in an action whose text somebody else sets; ``palette`` is as in :meth:`add`."""
        self._palette_frames[action] = str(palette)

    def palette_text(self, action: QAction) -> str:
        """Return what the command palette calls an action: there it stands without the menu that explains it."""
        text, frame = action.text().rstrip("…").replace("&", ""), self._palette_frames[action]
        return QCoreApplication.translate("Action", frame).format(text) if frame else text

    def add(  # noqa: PLR0913 - what there is to say of an action
        self,
        source: object,
        key: Key = "",
        icon: str = "",
        *,
        context: str = "Action",
        frame: object = "",
        palette: object = "",
        hint: object = "",
    ) -> QAction:
        """Return a new action.

        Args:
            source: the English text, marked with ``QT_TRANSLATE_NOOP(context, …)``.
            key: what calls it from anywhere in the window.
            icon: a drawing in ``resources/icons``.
            context: where translators find the text.
            frame: a text, marked with ``QT_TRANSLATE_NOOP("Action", …)``, in which it takes the place of ``{0}``.
            palette: a frame of the same kind, for the command palette only.
            hint: what the tool tip says beside the text, marked in the same way.
        """
        action = QAction(self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self._texts[action] = _Text(context, str(source), str(frame), str(hint))
        self._palette_frames[action] = str(palette)
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
        explained = self._texts[action].explained()
        action.setToolTip(f"{explained} ({shortcut})" if shortcut else explained)

    def _refresh_icons(self) -> None:
        for action, name in self._named_icons.items():
            action.setIcon(self._icons.icon(name))
