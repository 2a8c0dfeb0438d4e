"""A placed picture as an SVG file that stands alone: text as text, colours from the studio's tokens.

Source: "Scalable Vector Graphics (SVG) 1.1", second edition, of which only shapes, text and patterns are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opstudio.base.colours import LIGHT, Tokens, mix
from opstudio.model.diagram.records import Marks, PlacedDiagram
from opstudio.model.diagram.svg_boxes import box_elements
from opstudio.model.diagram.svg_frames import frame_elements, frame_titles
from opstudio.model.diagram.svg_lines import line_elements, stub_elements
from opstudio.model.diagram.svg_text import attribute, number, text
from opstudio.model.diagram.text_metrics import ESTIMATED, TextMetrics

_FRAME_SHADE = 0.25
"""How much of the ground of boxes lies in a frame; frames within frames become darker."""
MARGIN = 24.0
"""Pixels around the picture; labels of stubs at its border stand there."""


def render_svg(
    placed: PlacedDiagram,
    marks: Marks,
    *,
    title: str = "",
    tokens: Tokens = LIGHT,
    metrics: TextMetrics = ESTIMATED,
) -> str:
    """Return a picture as the text of an SVG file.

    Args:
        placed: the picture
        marks: who implements its nodes, as far as it is known
        title: what the picture is of, for programs that tell
        tokens: the colours, light or dark
        metrics: the widths of letters that the boxes were made for
    """
    width, height = (size + 2 * MARGIN for size in placed.layout.size)
    size = f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{text(title)}</title>",
        *_definitions(tokens),
        f'<rect width="{number(width)}" height="{number(height)}" fill={attribute(tokens.ground)}/>',
        f'<g transform="translate({number(MARGIN)} {number(MARGIN)})">',
        *frame_elements(placed),
        *line_elements(placed),
        *frame_titles(placed, metrics),
        *stub_elements(placed, metrics),
        *box_elements(placed, marks, metrics),
        "</g>",
        "</svg>",
        "",
    ]
    return "\n".join(parts)


def _definitions(tokens: Tokens) -> Iterator[str]:
    """Yield the styles of all classes and the hatching."""
    yield "<style>"
    for selector, style in _styles(tokens).items():
        yield f"{selector} {{ {style} }}"
    yield "</style>"
    yield "<defs>"
    yield (
        '<pattern id="hatching" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<rect width="7" height="7" fill={attribute(tokens.tint("bad"))}/>'
        f'<rect width="1.5" height="7" fill={attribute(mix(tokens.bad, tokens.surface, 0.35))}/></pattern>'
    )
    yield "</defs>"


def _styles(tokens: Tokens) -> Mapping[str, str]:
    families = "font-family: Inter, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif;"
    return {
        "text": families,
        ".title": f"font-size: 12px; font-weight: 600; fill: {tokens.text}",
        ".small": f"font-size: 11px; fill: {tokens.text_2}",
        ".detail": f"font-size: 11px; fill: {tokens.text}",
        ".custom": f"fill: {tokens.custom}",
        ".line": f"fill: none; stroke: {tokens.text_3}; stroke-width: 1",
        ".arrow": f"fill: {tokens.text_3}; stroke: none",
        ".label": f"font-size: 10px; fill: {tokens.text_3}",
        ".frame": f"fill: {tokens.raised}; fill-opacity: {_FRAME_SHADE}; stroke: {tokens.line}; stroke-width: 1",
        ".frame-title": f"fill: {mix(tokens.raised, tokens.ground, _FRAME_SHADE)}; stroke: none",
        ".box": f"fill: {tokens.surface}; stroke: {tokens.line}; stroke-width: 1",
        ".value": f"fill: {tokens.tint('info')}; stroke: {tokens.info}; stroke-width: 1",
        ".group": f"fill: {tokens.raised}; stroke: {tokens.text_3}; stroke-width: 1",
        ".custom-box": f"fill: {tokens.tint('custom')}; stroke: {tokens.custom}; stroke-width: 1",
        ".unresolved": f"fill: url(#hatching); stroke: {tokens.bad}; stroke-width: 1; stroke-dasharray: 4 2",
        ".chip": f"fill: {tokens.bad}; stroke: none",
        ".chip-text": f"font-size: 10px; font-weight: 600; fill: {tokens.surface}",
        ".chip-mark": f"fill: none; stroke: {tokens.surface}; stroke-width: 1.2",
    }
