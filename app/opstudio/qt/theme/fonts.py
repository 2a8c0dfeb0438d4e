"""The two faces of the window: one for words, one for code. The system's serve where the preferred are missing."""

from __future__ import annotations

import functools

from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication

UI_PIXELS = 13.0
SMALL_PIXELS = 11.5
TITLE_PIXELS = 15.0

_UI_FAMILIES = ("Inter", "Inter Variable")
_MONO_FAMILIES = ("JetBrains Mono",)
_POINTS_PER_INCH = 72.0


@functools.cache
def ui_font(pixels: float = UI_PIXELS, *, semibold: bool = False) -> QFont:
    """Return the face of words, with figures of equal width."""
    font = _family(_UI_FAMILIES) or QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    return _sized(font, pixels, semibold=semibold)


@functools.cache
def mono_font(pixels: float = UI_PIXELS, *, semibold: bool = False) -> QFont:
    """Return the face of code."""
    font = _family(_MONO_FAMILIES) or QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    # Ligatures hide what is written: two colons look like one sign.
    font.setFeature(QFont.Tag("calt"), 0)
    font.setFeature(QFont.Tag("liga"), 0)
    return _sized(font, pixels, semibold=semibold)


def _family(families: tuple[str, ...]) -> QFont | None:
    installed = set(QFontDatabase.families())
    chosen = next((family for family in families if family in installed), None)
    return None if chosen is None else QFont(chosen)


def _sized(font: QFont, pixels: float, *, semibold: bool) -> QFont:
    # Pixel sizes of fonts are whole numbers; points are not.
    font.setPointSizeF(pixels * _POINTS_PER_INCH / QGuiApplication.primaryScreen().logicalDotsPerInchY())
    font.setWeight(QFont.Weight.DemiBold if semibold else QFont.Weight.Normal)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font
