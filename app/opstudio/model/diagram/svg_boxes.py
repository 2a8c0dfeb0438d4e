"""The boxes of a picture: their shapes, texts and what marks them."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.model.diagram.box_texts import PADDING_X, PADDING_Y, elide, fit_header, header, small_lines
from opstudio.model.diagram.records import Box, BoxKind, Marks, NodeState, PlacedDiagram
from opstudio.model.diagram.svg_text import number, text
from opstudio.model.diagram.text_metrics import TextMetrics

_BASELINE = 0.72
"""Where letters stand in a line, as a share of its height from the top."""
_CORNER = 5.0
_BEHIND = 4.0
"""How far the edges of repeated blocks look out behind the first one."""
_CHIP_HEIGHT = 14.0
_CHIP_OVERLAP = 4.0
_MOST_PARTIES = 5


def box_elements(placed: PlacedDiagram, marks: Marks, metrics: TextMetrics) -> Iterator[str]:
    """Yield a group for each box."""
    graph, layout = placed.graph, placed.layout
    rows = zip(layout.x.tolist(), layout.y.tolist(), graph.width.tolist(), graph.height.tolist(), strict=True)
    for box, (x, y, width, height) in zip(placed.diagram.boxes, rows, strict=True):
        corner = f"translate({number(x - width / 2)} {number(y - height / 2)})"
        yield f'<g transform="{corner}"><title>{text(box_title(box, marks))}</title>'
        yield from _shapes(box, width, height, _unresolved(box, marks))
        yield from _texts(box, width, metrics)
        yield from _chip(box, width, metrics, _unresolved(box, marks))
        yield "</g>"


def box_title(box: Box, marks: Marks) -> str:
    """Return all that is known of a box, in lines."""
    parties = dict.fromkeys(marks[node].party for node in box.nodes if node in marks)
    told = ", ".join(party for party in list(parties)[:_MOST_PARTIES] if party)
    unresolved = _unresolved(box, marks)
    state = "" if not unresolved else "unresolved" if box.kind is BoxKind.NODE else f"{unresolved:,} unresolved"
    return "\n".join(part for part in (header(box), *small_lines(box), told, state) if part)


def _unresolved(box: Box, marks: Marks) -> int:
    return sum(1 for node in box.nodes if node in marks and marks[node].state is NodeState.UNRESOLVED)


def _shapes(box: Box, width: float, height: float, unresolved: int) -> Iterator[str]:
    size = f'width="{number(width)}" height="{number(height)}"'
    if box.kind in (BoxKind.INPUT, BoxKind.OUTPUT, BoxKind.OUTER):
        dashes = ' stroke-dasharray="3 3"' if box.kind is BoxKind.OUTER else ""
        yield f'<rect class="value" {size} rx="{number(min(height / 2, 16.0))}"{dashes}/>'
        return
    kind = "group" if box.kind is BoxKind.GROUP else "custom-box" if box.domain else "box"
    if box.repeats > 1:
        yield f'<rect class="group" x="{number(_BEHIND)}" y="{number(_BEHIND)}" {size} rx="{number(_CORNER)}"/>'
    yield f'<rect class="{"unresolved" if unresolved else kind}" {size} rx="{number(_CORNER)}"/>'


def _texts(box: Box, width: float, metrics: TextMetrics) -> Iterator[str]:
    room = width - 2 * PADDING_X
    y = PADDING_Y + metrics.title_height * _BASELINE
    prefix, title = fit_header(box, metrics.title, room)
    content = f'<tspan class="custom">{text(prefix)}</tspan>{text(title)}' if prefix else text(title)
    yield _line("title", y, content)
    y = PADDING_Y + metrics.title_height + metrics.small_height * _BASELINE
    for line in small_lines(box):
        kind = "detail" if line == box.detail else "small"
        yield _line(kind, y, text(elide(line, metrics.small, room, keeps_end=line == box.name)))
        y += metrics.small_height


def _line(kind: str, y: float, content: str) -> str:
    return f'<text class="{kind}" x="{number(PADDING_X)}" y="{number(y)}">{content}</text>'


def _chip(box: Box, width: float, metrics: TextMetrics, unresolved: int) -> Iterator[str]:
    """Yield the word that stands on the upper border of what nobody implements."""
    if not unresolved:
        return
    word = "unresolved" if box.kind is BoxKind.NODE else f"{unresolved:,} unresolved"
    room = metrics.small.width(word) + 24.0
    yield f'<g transform="translate({number(width - room + 4.0)} {number(_CHIP_OVERLAP - _CHIP_HEIGHT)})">'
    yield f'<rect class="chip" width="{number(room)}" height="{number(_CHIP_HEIGHT)}" rx="{number(_CHIP_HEIGHT / 2)}"/>'
    yield '<circle class="chip-mark" cx="9" cy="7" r="4"/><path class="chip-mark" d="M6.2 9.8L11.8 4.2"/>'
    yield f'<text class="chip-text" x="17" y="10.5">{text(word)}</text></g>'
