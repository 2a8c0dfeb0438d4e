"""Who implements a node, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from opstudio.model.resolution.records import Through


def party_title(party: str) -> str:
    """Return who implements a node: providers and libraries by their names, others in words."""
    translate = QCoreApplication.translate
    titles = {
        "nobody": translate("Details", "nobody"),
        "functions of the file": translate("Details", "functions of the file"),
        Through.INITIALIZER.value: translate("Details", "becomes an initializer"),
        Through.FLOAT.value: translate("Details", "computed as float"),
        Through.OTHERS.value: translate("Details", "expanded into other operators"),
    }
    return titles.get(party, party)
