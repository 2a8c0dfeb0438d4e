"""Sections of the panel Node as rich text."""

from __future__ import annotations

import html

from opstudio.base.colours import Tokens
from opstudio.qt.graph.details_records import Row, Section, Span, Target
from opstudio.qt.theme.fonts import SMALL_PIXELS, mono_font

_NAME_WIDTH = "36%"


def section_html(section: Section, tokens: Tokens) -> tuple[str, tuple[Target, ...]]:
    """Render the rows of a section.

    Returns:
        the text, and where its links lead: a link is the number of its target, from zero.
    """
    targets: list[Target] = []
    render = _counted_row if section.is_counted else _row
    rows = "".join(render(row, tokens, targets) for row in section.rows)
    return f"<table width='100%' cellspacing='0' cellpadding='1'>{rows}</table>", tuple(targets)


def _row(row: Row, tokens: Tokens, targets: list[Target]) -> str:
    value = "".join(_span(span, tokens, targets) for span in row.spans)
    if not row.name:
        return f"<tr><td colspan='2'>{value}</td></tr>"
    return f"<tr><td width='{_NAME_WIDTH}' style='padding-right:10px'>{_name(row, tokens)}</td><td>{value}</td></tr>"


def _counted_row(row: Row, tokens: Tokens, targets: list[Target]) -> str:
    """Render a name with figures behind it, which line up with those of other rows."""
    if not row.name:
        return _row(row, tokens, targets).replace("colspan='2'", "colspan='3'")
    figures = "".join(f"<td align='right'>{_span(span, tokens, targets)}</td>" for span in row.spans)
    return f"<tr><td width='60%' style='padding-right:10px'>{_name(row, tokens)}</td>{figures}</tr>"


def _name(row: Row, tokens: Tokens) -> str:
    return f"<span style='color:{tokens.text_2}'>{_lines(row.name)}</span>"


def _span(span: Span, tokens: Tokens, targets: list[Target]) -> str:
    face = f'font-family:"{mono_font().family()}"; font-size:{SMALL_PIXELS}px;' if span.is_code else ""
    text = _lines(span.text)
    if span.target is None:
        return f"<span style='{face} color:{getattr(tokens, span.tone)}'>{text}</span>"
    targets.append(span.target)
    colour = tokens.accent if span.tone == "text" else getattr(tokens, span.tone)
    return f"<a href='{len(targets) - 1}' style='{face} color:{colour}; text-decoration:none'>{text}</a>"


def _lines(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")
