"""Who implements a node, or what it fails at, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from opstudio.model.resolution.records import Step, Through

_PARTIES = {
    "function": QT_TRANSLATE_NOOP("Details", "function"),
    "nobody": QT_TRANSLATE_NOOP("Details", "nobody"),
    "functions of the file": QT_TRANSLATE_NOOP("Details", "functions of the file"),
    Through.INITIALIZER.value: QT_TRANSLATE_NOOP("Details", "becomes an initializer"),
    Through.FLOAT.value: QT_TRANSLATE_NOOP("Details", "computed as float"),
    Through.OTHERS.value: QT_TRANSLATE_NOOP("Details", "expanded into other operators"),
}
_STEPS = {
    Step.IMPORT: QT_TRANSLATE_NOOP("Details", "import"),
    Step.DOMAIN: QT_TRANSLATE_NOOP("Details", "domain"),
    Step.OPERATOR: QT_TRANSLATE_NOOP("Details", "operator"),
    Step.VERSION: QT_TRANSLATE_NOOP("Details", "version"),
    Step.FORM: QT_TRANSLATE_NOOP("Details", "form"),
    Step.TYPES: QT_TRANSLATE_NOOP("Details", "types"),
    Step.SHAPES: QT_TRANSLATE_NOOP("Details", "shapes"),
    Step.PROVIDER: QT_TRANSLATE_NOOP("Details", "provider"),
    Step.KERNEL: QT_TRANSLATE_NOOP("Details", "kernel"),
    Step.CREATION: QT_TRANSLATE_NOOP("Details", "creation"),
}


def party_title(party: str) -> str:
    """Return who implements a node: providers and libraries by their names, others in words."""
    source = _PARTIES.get(party)
    return party if source is None else QCoreApplication.translate("Details", str(source))


def step_word(step: Step) -> str:
    """Return the question that a node fails, in the one word that a cell has room for."""
    return QCoreApplication.translate("Details", str(_STEPS[step]))
