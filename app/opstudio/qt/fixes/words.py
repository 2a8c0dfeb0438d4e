"""What fixes do, in the few words of a button."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from opstudio.qt.fixes.choices import FixChoice

_WORDS = {
    "add-import": QT_TRANSLATE_NOOP("Fix", "Add import {0}"),
    "attributes-to-inputs": QT_TRANSLATE_NOOP("Fix", "Make inputs of {0}"),
    "attach-shapes": QT_TRANSLATE_NOOP("Fix", "Describe shapes of {0}"),
    "change-import": QT_TRANSLATE_NOOP("Fix", "Import {0}"),
    "insert-cast": QT_TRANSLATE_NOOP("Fix", "Cast {0}"),
    "lower-ir": QT_TRANSLATE_NOOP("Fix", "Lower IR version to {0}"),
    "lower-opset": QT_TRANSLATE_NOOP("Fix", "Lower opset to {0}"),
    "relocate-weights": QT_TRANSLATE_NOOP("Fix", "Find weights {0}"),
    "remove-import": QT_TRANSLATE_NOOP("Fix", "Drop import {0}"),
    "rename-attribute": QT_TRANSLATE_NOOP("Fix", "Rename {0}"),
    "rename-domain": QT_TRANSLATE_NOOP("Fix", "Rename {0}"),
    "rename-operator": QT_TRANSLATE_NOOP("Fix", "Rename {0}"),
    "set-attribute": QT_TRANSLATE_NOOP("Fix", "Set {0}"),
    "unique-names": QT_TRANSLATE_NOOP("Fix", "Give nodes own names"),
}
_SIGNS = {"insert-cast": " → ", "relocate-weights": " → ", "set-attribute": " = "}
_RENAMES = "rename-"


def short_words(choice: FixChoice) -> str:
    """Return what a fix does; one without words here has its title."""
    words = _WORDS.get(choice.fix.id)
    if words is None:
        return choice.title
    sign = " → " if choice.fix.id.startswith(_RENAMES) else _SIGNS.get(choice.fix.id, " ")
    return QCoreApplication.translate("Fix", str(words)).format(sign.join(choice.parameters.rsplit("=", 1)))
