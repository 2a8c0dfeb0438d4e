"""How the boxes and lines of a picture look at this moment: colours, states, what is selected, found, pointed at."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtGui import QColor

from opstudio.base.colours import Tokens, mix
from opstudio.layout.arrays import Flags, Integers
from opstudio.qt.graph.colouring import Colouring, Tone
from opstudio.qt.graph.picture import Picture

_HEADER_SHARE = {"dark": 0.30, "light": 0.22}
_FAR_SHARE = 0.75


def _nothing() -> Integers:
    return np.empty(0, dtype=np.int64)


@dataclass(slots=True, kw_only=True, eq=False)
class Look:
    """What painters need besides the picture.

    Shapes: unresolved, found: (boxes,); edges of the selection and of what the pointer is on: any number.
    """

    colouring: Colouring
    unresolved: Flags
    found: Flags
    """What a search found."""
    current: int | None = None
    """The one of them that was gone to."""
    selected: int | None = None
    selected_edges: Integers = field(default_factory=_nothing)
    hovered: int | None = None
    hovered_edges: Integers = field(default_factory=_nothing)

    @classmethod
    def plain(cls, picture: Picture) -> Look:
        """Return the look of a picture of which nothing else is known."""
        count = picture.boxes.count
        tone = Tone(title="", token="text_3")  # noqa: S106 - a colour
        return cls(
            colouring=Colouring(tones=(tone,), of_box=np.zeros(count, dtype=np.int64)),
            unresolved=np.zeros(count, dtype=np.bool_),
            found=np.zeros(count, dtype=np.bool_),
        )


def tone_colour(token: str, tokens: Tokens) -> str:
    """Return the full colour of a tone."""
    if token.startswith("series"):
        return tokens.series[int(token.removeprefix("series"))]
    return str(getattr(tokens, token))


def header_colours(colouring: Colouring, tokens: Tokens) -> list[QColor]:
    """Return the grounds of titles: quiet enough for text to be read on them."""
    share = _HEADER_SHARE[tokens.name]
    return [QColor(mix(tone_colour(tone.token, tokens), tokens.surface, share)) for tone in colouring.tones]


def far_colours(colouring: Colouring, tokens: Tokens) -> list[QColor]:
    """Return the colours of boxes that are too small for text."""
    return [QColor(mix(tone_colour(tone.token, tokens), tokens.surface, _FAR_SHARE)) for tone in colouring.tones]
