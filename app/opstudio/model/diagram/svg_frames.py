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
_LINE = 12.0


def frame_elements(placed: PlacedDiagram, metrics: TextMetrics) -> Iterator[str]:
    """Yield the frames and their titles; one that would stand on that of an outer frame is a tool tip only."""
    taken: set[tuple[int, int]] = set()
    for frame in placed.frames:
        x, y = number(frame.left), number(frame.top)
        size = f'width="{number(frame.right - frame.left)}" height="{number(frame.bottom - frame.top)}"'
        title = text(frame.title)
        yield f'<rect class="frame" x="{x}" y="{y}" {size} rx="{number(_CORNER)}"><title>{title}</title></rect>'
        place = (round(frame.left / _LINE), round(frame.top / _LINE))
        if place not in taken:
            taken.update((place[0] + across, place[1] + down) for across in (-1, 0, 1) for down in (-1, 0, 1))
            shown = elide(frame.title, metrics.small, frame.right - frame.left - 2 * _INSIDE)
            at = f'x="{number(frame.left + _INSIDE)}" y="{number(frame.top + _BASELINE)}"'
            yield f'<text class="label" {at}>{text(shown)}</text>'
