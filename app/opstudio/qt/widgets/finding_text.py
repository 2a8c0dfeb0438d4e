"""A finding as rich text: title, cause, fix, places as links, evidence."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from opstudio.base.finding import Finding, Json
from opstudio.qt.theme.fonts import SMALL_PIXELS, mono_font
from opstudio.qt.theme.tokens import Tokens

_MOST_EVIDENCE = 12
_LONGEST_VALUE = 600


def finding_html(finding: Finding, tokens: Tokens) -> str:
    """Render a finding. The links of its places are their numbers, from zero."""
    places = "<br>".join(
        f"<a href='{number}' style='{_mono()} color:{tokens.accent}'>{html.escape(str(place))}</a>"
        for number, place in enumerate(finding.places)
        if str(place)
    )
    sections = [
        f"<p style='margin:0 0 10px 0; font-weight:600'>{_lines(finding.title)}</p>",
        _section(_tr("Cause"), _lines(finding.cause), tokens),
        _section(_tr("Fix"), _lines(finding.fix), tokens),
        _section(_tr("Place"), places, tokens),
        _section(_tr("Evidence"), _evidence(finding.evidence, tokens), tokens),
    ]
    return "".join(sections)


def plain_html(title: str, text: str, tokens: Tokens) -> str:
    """Render a title and a sentence."""
    return (
        f"<p style='margin:0 0 6px 0; font-weight:600'>{_lines(title)}</p>"
        f"<p style='margin:0; color:{tokens.text_2}'>{_lines(text)}</p>"
    )


def _section(title: str, content: str, tokens: Tokens) -> str:
    if not content:
        return ""
    return (
        f"<p style='margin:0; font-size:{SMALL_PIXELS}px; color:{tokens.text_2}'>{html.escape(title)}</p>"
        f"<div style='margin:1px 0 10px 0'>{content}</div>"
    )


def _evidence(evidence: Mapping[str, Json], tokens: Tokens) -> str:
    rows = [
        f"<tr><td style='color:{tokens.text_2}; padding-right:12px'>{html.escape(key.replace('_', ' '))}</td>"
        f"<td style='{_mono()}'>{_value(value, tokens)}</td></tr>"
        for key, value in list(evidence.items())[:_MOST_EVIDENCE]
    ]
    return f"<table cellspacing='0' cellpadding='1'>{''.join(rows)}</table>" if rows else ""


def _value(value: Json, tokens: Tokens) -> str:
    """Render a value: records of one form as a table, everything else as text."""
    if isinstance(value, Sequence) and not isinstance(value, str) and value:
        keys = {tuple(item) if isinstance(item, Mapping) else () for item in value}
        if len(keys) == 1 and (names := next(iter(keys))):
            return _table(names, [item for item in value if isinstance(item, Mapping)], tokens)
    return _lines(_plain(value))


def _table(names: tuple[str, ...], rows: Sequence[Mapping[str, Json]], tokens: Tokens) -> str:
    head = "".join(
        f"<td align='right' style='color:{tokens.text_2}; padding-left:8px'>{html.escape(name)}</td>" for name in names
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td align='right' style='padding-left:8px'>{_lines(_plain(row[name]))}</td>" for name in names)
        + "</tr>"
        for row in rows[:_MOST_EVIDENCE]
    )
    return f"<table cellspacing='0' cellpadding='0'><tr>{head}</tr>{body}</table>"


def _plain(value: Json) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]} …"


def _lines(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")


def _mono() -> str:
    return f'font-family:"{mono_font().family()}"; font-size:{SMALL_PIXELS + 0.5}px;'


def _tr(text: str) -> str:
    return QCoreApplication.translate("Finding", text)
