"""The lines of a picture, and the stubs of those that are not drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opstudio.layout.graph import Stubs
from opstudio.model.diagram.box_texts import elide
from opstudio.model.diagram.records import PlacedDiagram
from opstudio.model.diagram.svg_text import number, text
from opstudio.model.diagram.text_metrics import TextMetrics

_ARROW_LENGTH, _ARROW_WIDTH = 7.0, 6.0
_LABEL_GAP = 4.0
_LABEL_HEIGHT = 6.0
_ROOM_BESIDE, _LEAST_ROOM = 24.0, 40.0
_MOST_VALUES = 20
_LABEL_SCALE = 10 / 11
"""Labels are smaller than the small lines of boxes."""


def line_elements(placed: PlacedDiagram) -> Iterator[str]:
    """Yield the lines of each value that are drawn, and their arrows.

    Lines of one value lie on one another for a part of the way; as one path they do not become darker there.
    """
    edges = placed.diagram.edges
    ends = zip(edges.source.tolist(), edges.source_port.tolist(), placed.diagram.values, strict=True)
    by_value: dict[tuple[int, int, str], list[int]] = {}
    for edge, end in enumerate(ends):
        by_value.setdefault(end, []).append(edge)
    for (_, _, value), members in by_value.items():
        routes = [points for edge in members if (points := placed.layout.route(edge).tolist())]
        if routes:
            title = f"<title>{text(value)}</title>"
            yield f'<path class="line" d="{"".join(_path(points) for points in routes)}">{title}</path>'
            yield f'<path class="arrow" d="{"".join(_arrow(*points[-2:]) for points in routes)}"/>'


def _arrow(before: Sequence[float], end: Sequence[float]) -> str:
    """Return an arrow that ends at a point; lines reach boxes vertically."""
    back = _ARROW_LENGTH if before[1] > end[1] else -_ARROW_LENGTH
    return f"M{_point(end)}l{number(_ARROW_WIDTH / 2)} {number(back)}h{number(-_ARROW_WIDTH)}Z"


def _path(points: Sequence[Sequence[float]]) -> str:
    """Return a line through points that leaves and reaches each of them vertically."""
    (x, y), *others = points
    column = number(x)
    steps = [f"M{column} {number(y)}"]
    for next_x, next_y in others:
        if next_x == x:
            steps.append(f"V{number(next_y)}")
        else:
            middle, before, column = number((y + next_y) / 2), column, number(next_x)
            steps.append(f"C{before} {middle} {column} {middle} {column} {number(next_y)}")
        x, y = next_x, next_y
    return "".join(steps)


def _point(point: Sequence[float]) -> str:
    return f"{number(point[0])} {number(point[1])}"


def stub_elements(placed: PlacedDiagram, metrics: TextMetrics) -> Iterator[str]:
    """Yield the short ends of edges without lines, with one label for those at one side of a box."""
    stubs, edges = placed.layout.stubs, placed.diagram.edges
    sides: dict[tuple[int, bool], list[int]] = {}
    for stub, edge in enumerate(stubs.edge.tolist()):
        at_source = Stubs.at_source(stub)
        box = int((edges.source if at_source else edges.target)[edge])
        sides.setdefault((box, at_source), []).append(stub)
    for (box, _), members in sides.items():
        ends = sorted({(*stubs.anchor[stub].tolist(), *stubs.tip[stub].tolist()) for stub in members})
        lines = "".join(f"M{_point(end[:2])}L{_point(end[2:])}" for end in ends)
        values = list(dict.fromkeys(placed.diagram.values[stubs.edge[stub]] for stub in members))
        yield f'<path class="line" d="{lines}"><title>{text(", ".join(values[:_MOST_VALUES]))}</title></path>'
        label = values[0] if len(values) == 1 else f"{len(values):,} values"
        tip = ends[0][2:] if len(ends) == 1 else (sum(end[2] for end in ends) / len(ends), ends[0][3])
        yield _label(placed, box, tip, label, metrics, is_beside=len(ends) == 1)


def _label(
    placed: PlacedDiagram, box: int, tip: Sequence[float], label: str, metrics: TextMetrics, *, is_beside: bool
) -> str:
    """Return a label: beside a stub that is alone, at the side where no lines are, or above several."""
    middle, half = float(placed.layout.x[box]), float(placed.graph.width[box]) / 2
    is_left = is_beside and tip[0] < middle
    side = -1 if is_left else 1
    room = 2 * half if not is_beside else half - side * (tip[0] - middle) + _ROOM_BESIDE
    anchor = "middle" if not is_beside else "end" if is_left else "start"
    x = tip[0] + side * _LABEL_GAP * is_beside
    # Ends of a lower row stand at its top, so that two labels between rows do not meet.
    is_below = tip[1] > placed.layout.y[box]
    y = tip[1] if is_below else tip[1] + _LABEL_HEIGHT * is_beside - _LABEL_GAP * (not is_beside)
    shown = elide(label, metrics.small, max(room, _LEAST_ROOM) / _LABEL_SCALE, keeps_end=True)
    return f'<text class="label" text-anchor="{anchor}" x="{number(x)}" y="{number(y)}">{text(shown)}</text>'
