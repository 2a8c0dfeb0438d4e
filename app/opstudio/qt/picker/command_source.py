"""All actions of the window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from opstudio.qt.actions import Actions
from opstudio.qt.picker.pick import Pick


class CommandSource:
    """Offers the actions in the order of their texts; those that cannot be carried out now stand last."""

    prefix = ">"

    def __init__(self, actions: Actions) -> None:
        self._actions = actions

    def hint(self) -> str:
        """Return what the empty field says."""
        return QCoreApplication.translate("Picker", "Command")

    def picks(self, _typed: str) -> Sequence[Pick]:
        """Return the actions."""
        actions = self._actions
        actions.about_to_show.emit()
        shown = [
            (actions.palette_text(action), action)
            for action in actions.all
            if action is not actions.command_palette and action.isVisible()
        ]
        return [
            Pick(
                text=text,
                key=action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
                icon="good" if action.isCheckable() and action.isChecked() else "command",
                is_enabled=action.isEnabled(),
                run=action.trigger,
            )
            for text, action in sorted(shown, key=lambda item: (not item[1].isEnabled(), item[0].lower()))
        ]
