"""New operators, from templates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from opstudio.qt.picker.pick import Pick
from opstudio.workflows.scaffold import templates

_DESCRIPTIONS = {
    "elementwise": QT_TRANSLATE_NOOP("Picker", "every element by itself, with a gradient"),
    "reduction": QT_TRANSLATE_NOOP("Picker", "over an axis, changes the shape"),
    "raw": QT_TRANSLATE_NOOP("Picker", "sources that register themselves with PyTorch and ONNX Runtime"),
}


class NewOperatorSource:
    """Offers each template for the name that is typed."""

    prefix = "+"

    def __init__(self, make: Callable[[str, str], None]) -> None:
        self._make = make

    def hint(self) -> str:
        """Return what the empty field says."""
        return QCoreApplication.translate("Picker", "Name of the new operator")

    def picks(self, typed: str) -> Sequence[Pick]:
        """Return the templates."""
        name = "_".join(typed.split())
        return [
            Pick(
                text=f"{template}: {typed}" if typed else template,
                detail=QCoreApplication.translate("Picker", str(_DESCRIPTIONS.get(template, ""))),
                icon="add",
                is_enabled=bool(name),
                run=partial(self._make, name, template),
            )
            for template in templates()
        ]
