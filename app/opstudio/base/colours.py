"""The colours of the studio, by what they are for: of the window, and of pictures in files. Nothing else names one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

GROUNDS = ("ground", "surface", "raised")
"""What text and marks stand on."""
TEXTS = ("text", "text_2", "text_3", "good", "warn", "bad", "info", "custom")
"""What is read: at least 4.5:1 on every ground."""
MARKS = ("accent",)
"""What is only seen: at least 3:1 on every ground."""

_SELECTION_SHARE = 0.24
_TINT_SHARE = 0.14
_HOVER_SHARE = 0.06


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """One theme. Values are ``#rrggbb``."""

    name: str
    ground: str
    """The window behind the panels."""
    surface: str
    """Panels and editor."""
    raised: str
    """Headers, chips, what the pointer is on."""
    line: str
    """One-pixel borders."""
    text: str
    text_2: str
    """Labels."""
    text_3: str
    """Hints; never what is needed."""
    accent: str
    """Selection, focus, the primary action; nothing else."""
    good: str
    warn: str
    bad: str
    info: str
    custom: str
    """Everything about nodes of custom domains."""
    series: tuple[str, ...]
    """Plots and tracks; told apart by colour-blind people as well."""
    syntax: Mapping[str, str]
    """Code, by the kinds of the queries in ``resources/syntax``; at least 4.5:1 on what code stands on."""

    @property
    def selection(self) -> str:
        """The ground of what is selected."""
        return mix(self.accent, self.surface, _SELECTION_SHARE)

    @property
    def hover(self) -> str:
        """The ground of what the pointer is on, in lists."""
        return mix(self.text, self.surface, _HOVER_SHARE)

    def tint(self, token: str) -> str:
        """Return a quiet ground in the hue of a state."""
        return mix(getattr(self, token), self.surface, _TINT_SHARE)


DARK = Tokens(
    name="dark",
    ground="#14161A",
    surface="#1B1E24",
    raised="#23272F",
    line="#323842",
    text="#E6E9EF",
    text_2="#A3ACBA",
    text_3="#8690A0",
    accent="#4C9AFF",
    good="#3FB68B",
    warn="#E0A83A",
    bad="#F0616D",
    info="#6AB0F3",
    custom="#B48EF0",
    series=("#56B4E9", "#E69F00", "#2BB58A", "#F0E442", "#5C8FE6", "#E8743B", "#D58BB5", "#B8BEC8"),
    syntax={
        "keyword": "#86B6F2",
        "type": "#63C7BA",
        "function": "#DDCB96",
        "string": "#A9CB84",
        "number": "#E5AC76",
        "comment": "#97A0B0",
        "preprocessor": "#C9A6E6",
    },
)

LIGHT = Tokens(
    name="light",
    ground="#F4F5F7",
    surface="#FFFFFF",
    raised="#ECEEF2",
    line="#D5D9E0",
    text="#1C2128",
    text_2="#57606E",
    text_3="#626B79",
    accent="#1A66DB",
    good="#177552",
    warn="#8C5E00",
    bad="#C23042",
    info="#2667B5",
    custom="#7A4FC4",
    series=("#0072B2", "#A86E00", "#00805D", "#857600", "#3B63C4", "#C25000", "#B0578C", "#5A6270"),
    syntax={
        "keyword": "#1D4FBB",
        "type": "#0B6660",
        "function": "#6E4F00",
        "string": "#42650F",
        "number": "#94430B",
        "comment": "#5A6371",
        "preprocessor": "#7A3B9E",
    },
)

THEMES = (DARK, LIGHT)


def mix(front: str, back: str, share: float) -> str:
    """Return ``front`` laid over ``back`` with an opacity of ``share``."""
    pairs = zip(_channels(front), _channels(back), strict=True)
    return "#" + "".join(f"{round(top * share + bottom * (1 - share)):02X}" for top, bottom in pairs)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21.

    Source: Web Content Accessibility Guidelines 2.1, definitions of contrast ratio and relative luminance.
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - of the definition


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
