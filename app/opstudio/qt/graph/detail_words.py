"""The words among the details of boxes, in the language of the window; the rest are sizes and names of attributes."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from opstudio.qt.models.core_texts import Phrases

_KNOWN = Phrases(
    "Detail",
    (
        QT_TRANSLATE_NOOP("Detail", "{0} node"),
        QT_TRANSLATE_NOOP("Detail", "{0} nodes"),
        QT_TRANSLATE_NOOP("Detail", "{0} groups"),
        QT_TRANSLATE_NOOP("Detail", "scalar {0}"),
    ),
)


def detail_words(detail: str) -> str:
    """Return a detail in the language of the window. Boxes are as wide as the English one; see ``model.diagram``."""
    return _KNOWN.listed(detail)
