"""The texts of boxes and the room that they take, so that whoever paints a box finds what it was made for.

From top to bottom a box has ``PADDING_Y``, its title, its name, its detail, and ``PADDING_Y``; lines that are empty
take no room. Texts start ``PADDING_X`` from the left.
"""

from __future__ import annotations

import math

from opstudio.model.diagram.records import Box, BoxKind
from opstudio.model.diagram.text_metrics import LetterWidths, TextMetrics

GRID = 4.0
PADDING_X = 10.0
PADDING_Y = 5.0
NARROWEST, WIDEST = 96.0, 220.0
ELLIPSIS = "…"
_MOST_LETTERS = 500
"""No box has room for more, and names may be as long as a file likes."""
_SHORTEST_DOMAIN = 8
"""Letters of a domain that stay where it is cut, its colon included."""


def header(box: Box) -> str:
    """Return the text of the title line: with the domain before it, and how often a block is repeated."""
    title = f"{box.domain}:{box.title}" if box.domain else box.title
    return f"{title}  ×{box.repeats}" if box.kind is BoxKind.GROUP and box.repeats > 1 else title


def fit_header(box: Box, widths: LetterWidths, room: float) -> tuple[str, str]:
    """Return the title line in two parts, the domain with its colon and the rest, cut to ``room`` pixels.

    The domain is cut first, at its beginning: it is told in full elsewhere, and without its type a node says nothing.
    """
    text = header(box)
    if not box.domain:
        return "", elide(text, widths, room)
    prefix, title = f"{box.domain}:", text.removeprefix(f"{box.domain}:")
    least = widths.width(prefix[-_SHORTEST_DOMAIN:]) + widths.width(ELLIPSIS)
    shown = elide(prefix, widths, max(room - widths.width(title), least), keeps_end=True)
    return shown, elide(title, widths, room - widths.width(shown))


def small_lines(box: Box) -> tuple[str, ...]:
    """Return the lines below the title: name and detail, where they say something."""
    return tuple(text for text in (box.name, box.detail) if text)


def box_size(box: Box, metrics: TextMetrics) -> tuple[float, float]:
    """Return width and height of a box in pixels, multiples of the grid."""
    lines = small_lines(box)
    widths = [metrics.title.width(header(box)[:_MOST_LETTERS])]
    widths += [metrics.small.width(line[:_MOST_LETTERS]) for line in lines]
    room = max(widths)
    width = min(max(room + 2 * PADDING_X, NARROWEST), WIDEST)
    height = 2 * PADDING_Y + metrics.title_height + metrics.small_height * len(lines)
    return _on_grid(width), _on_grid(height)


def elide(text: str, widths: LetterWidths, room: float, *, keeps_end: bool = False) -> str:
    """Return a text that takes no more than ``room`` pixels, cut with an ellipsis.

    ``keeps_end`` cuts at the left: names of modules differ at their ends.
    """
    if len(text) <= _MOST_LETTERS and widths.width(text) <= room:
        return text
    left = room - widths.width(ELLIPSIS)
    kept = 0
    for letter in reversed(text) if keeps_end else text:
        left -= widths.width(letter)
        if left < 0:
            break
        kept += 1
    return ELLIPSIS + text[len(text) - kept :] if keeps_end else text[:kept] + ELLIPSIS


def _on_grid(size: float) -> float:
    return math.ceil(size / GRID) * GRID
