"""The faint frames around the boxes of open groups in a picture."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.model.diagram.box_texts import elide
from opstudio.model.diagram.records import PlacedDiagram
from opstudio.model.diagram.svg_text import number, text
from opstudio.model.diagram.text_metrics import TextMetrics

_CORNER = 6.0
_INSIDE = 6.0
_BASELINE = 12.0
_TITLE_HEIGHT = 14.0
_LABEL_SCALE = 10.0 / 11.0
"""Labels are smaller than the small letters that are measured."""


def frame_elements(placed: PlacedDiagram) -> Iterator[str]:
    """Yield the frames, with their whole titles as tool tips."""
    for frame in placed.frames:
        size = f'width="{number(frame.right - frame.left)}" height="{number(frame.bottom - frame.top)}"'
        at = f'x="{number(frame.left)}" y="{number(frame.top)}" {size} rx="{number(_CORNER)}"'
        yield f'<rect class="frame" {at}><title>{text(frame.title)}</title></rect>'


def frame_titles(placed: PlacedDiagram, metrics: TextMetrics) -> Iterator[str]:
    """Yield the titles of frames, for above the lines that pass there: left, or right where another one is."""
    taken: list[tuple[float, float, float]] = []
    for frame in placed.frames:
        shown = elide(frame.title, metrics.small, (frame.right - frame.left - 2 * _INSIDE) / _LABEL_SCALE)
        wide = metrics.small.width(shown) * _LABEL_SCALE
        top = frame.top + 1.0
        for left in (frame.left + _INSIDE, frame.right - _INSIDE - wide):
            if all(
                left >= end or left + wide <= start or abs(top - other) >= _TITLE_HEIGHT for start, end, other in taken
            ):
                taken.append((left, left + wide, top))
                size = f'width="{number(wide + 2.0)}" height="{number(_TITLE_HEIGHT)}"'
                yield f'<rect class="frame-title" x="{number(left - 1.0)}" y="{number(top)}" {size}/>'
                at = f'x="{number(left)}" y="{number(frame.top + _BASELINE)}"'
                yield f'<text class="label" {at}>{text(shown)}</text>'
                break
