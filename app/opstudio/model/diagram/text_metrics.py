"""How wide texts are, without a window: the widths of letters, added up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterWidths:
    """One font at one size, in pixels: the widths of letters, and of those that are not listed."""

    widths: Mapping[str, float]
    other: float

    def width(self, text: str) -> float:
        """Return how wide a text is; kerning is left out."""
        widths, other = self.widths, self.other
        return sum(widths.get(letter, other) for letter in text)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMetrics:
    """The two fonts of boxes, in pixels. The window measures its own; a file is drawn with ``ESTIMATED``."""

    title: LetterWidths
    small: LetterWidths
    title_height: float = 18.0
    small_height: float = 15.0


def _font(rows: Mapping[float, str], *, other: float) -> LetterWidths:
    return LetterWidths(widths={letter: width for width, letters in rows.items() for letter in letters}, other=other)


_BOLD = {
    3.5: "'",
    4.0: " ijl",
    4.5: ",./IJ|·\\",
    5.0: "-:;f",
    5.5: "!()[]t",
    6.0: '_`r°"',
    6.5: "*",
    7.0: "?csz",
    7.5: "Lx",
    8.0: "EFTaekovy",
    8.5: "$0123456789SYZbdghnpqu{}",
    9.0: "BCPRX",
    9.5: "AKUV",
    10.0: "#+<=>DGHNOQ^~×→",
    10.5: "&",
    11.0: "w",
    12.0: "%@M…",
    12.5: "m",
    13.0: "W",
}
_REGULAR = {
    3.0: "'IJijl",
    3.5: " ,./:;|·\\",
    4.0: "-f",
    4.5: "!()[]rt",
    5.0: '"',
    5.5: "*_`s°",
    6.0: "?Lcz",
    6.5: "FPTYakovxy",
    7.0: "$0123456789EKSbdeghnpqu{}",
    7.5: "ABCRVXZ",
    8.0: "NU",
    8.5: "&DGHOQ",
    9.0: "#+<=>^w~×→",
    9.5: "M",
    10.5: "%m",
    11.0: "@W…",
}
ESTIMATED = TextMetrics(title=_font(_BOLD, other=12.0), small=_font(_REGULAR, other=11.0))
"""Before anything is measured, and for files, whose fonts are those of whoever looks at them.

They are the widths of DejaVu Sans, bold at 12 and regular at 11 pixels, which is wider than most.
"""
