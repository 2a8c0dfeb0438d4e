"""The faces of texts in boxes, and how wide their letters are."""

from __future__ import annotations

import string

from PySide6.QtGui import QFont, QFontMetricsF

from opstudio.model.diagram.text_metrics import LetterWidths
from opstudio.qt.theme.fonts import ui_font

_LISTED = string.printable[:95] + "×…·→µ−–"
_WIDE = "国"
"""A letter that stands for all that are not listed: most are of Chinese."""


def canvas_font(pixels: float, *, semibold: bool = False) -> QFont:
    """Return the face of words, with letters whose widths grow with the zoom."""
    font = QFont(ui_font(pixels, semibold=semibold))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def measure_letters(font: QFont) -> LetterWidths:
    """Return the widths of letters in pixels of zoom 1."""
    metrics = QFontMetricsF(font)
    widths = {letter: metrics.horizontalAdvance(letter) for letter in _LISTED}
    return LetterWidths(widths=widths, other=metrics.horizontalAdvance(_WIDE))
