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
        shown = [action for action in self._actions.all if action is not self._actions.command_palette]
        return [
            Pick(
                text=action.text().rstrip("…"),
                key=action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
                icon="good" if action.isCheckable() and action.isChecked() else "command",
                is_enabled=action.isEnabled(),
                run=action.trigger,
            )
            for action in sorted(shown, key=lambda action: (not action.isEnabled(), action.text().lower()))
        ]
