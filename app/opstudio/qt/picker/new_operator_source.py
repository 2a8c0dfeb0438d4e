"""New operators, from templates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from opstudio.qt.picker.pick import Pick
from opstudio.workflows.scaffold import is_operator_name, templates

_DESCRIPTIONS = {
    "elementwise": QT_TRANSLATE_NOOP("Picker", "each element by itself; with a gradient and a reference"),
    "reduction": QT_TRANSLATE_NOOP("Picker", "over an axis, which it takes away; with a gradient and a reference"),
    "raw": QT_TRANSLATE_NOOP("Picker", "sources that register themselves with PyTorch and ONNX Runtime"),
}
"""By template what it makes; the one that most operators begin with first."""


class NewOperatorSource:
    """Offers each template for the name that is typed, or says why the name cannot be taken."""

    prefix = "+"

    def __init__(self, make: Callable[[str, str], None], root: Path) -> None:
        """Make the source; ``make`` takes a name and a template, ``root`` is where operators are made."""
        self._make, self._root = make, root

    def hint(self) -> str:
        """Return what the empty field says."""
        return QCoreApplication.translate("Picker", "Name of the new operator")

    def picks(self, typed: str) -> Sequence[Pick]:
        """Return the templates, behind what speaks against the name."""
        name = "_".join(typed.split())
        refusal = self._refusal(name)
        order = list(_DESCRIPTIONS)
        names = sorted(templates(), key=lambda item: order.index(item) if item in order else len(order))
        offers = [
            Pick(
                text=f"{template}: {name}" if name else template,
                detail=QCoreApplication.translate("Picker", str(_DESCRIPTIONS.get(template, ""))),
                icon="add",
                is_enabled=bool(name) and not refusal,
                is_fixed=True,
                run=partial(self._make, name, template),
            )
            for template in names
        ]
        if name and not refusal:
            return offers
        icon, tone = ("warning", "warn") if refusal else ("note", "info")
        said = refusal or QCoreApplication.translate(
            "Picker", "Type its name: small letters, digits and _, such as my_operator"
        )
        return [
            Pick(text=said, icon=icon, tone=tone, is_enabled=False, is_fixed=True, is_note=True, run=_nothing),
            *offers,
        ]

    def _refusal(self, name: str) -> str:
        """Return why an operator cannot be called so; empty where it can, or nothing was typed yet."""
        if not name:
            return ""
        if name[0].isdigit():
            return QCoreApplication.translate("Picker", "A name does not begin with a digit")
        if not is_operator_name(name):
            wrong = next((sign for sign in name if not is_operator_name(f"_{sign}")), name[0])
            return QCoreApplication.translate(
                "Picker", "{0} cannot stand in a name: it has small letters a to z, digits and _"
            ).format(wrong)
        if (self._root / name).exists():
            return QCoreApplication.translate("Picker", "{0} exists already in this workspace").format(name)
        return ""


def _nothing() -> None:
    """Do nothing: what only tells something cannot be picked."""
