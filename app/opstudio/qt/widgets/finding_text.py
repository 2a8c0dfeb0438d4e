"""A finding as rich text: title, cause, fix, places as links, evidence."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from opstudio.base.colours import Tokens
from opstudio.base.finding import Finding, Json, Place
from opstudio.qt.theme.fonts import SMALL_PIXELS, mono_font

_MOST_EVIDENCE = 12
_LONGEST_VALUE = 600


def finding_html(finding: Finding, tokens: Tokens, place_text: Callable[[Place], str] = str) -> str:
    """Render a finding. Links of places are their numbers, from zero; that of the id is ``help:`` and the id.

    Args:
        finding: what is rendered.
        tokens: the colours.
        place_text: how a place is written; one with an empty text is left out.
    """
    places = "<br>".join(
        f"<a href='{number}' style='{_mono()} color:{tokens.accent}'>{html.escape(place_text(place))}</a>"
        for number, place in enumerate(finding.places)
        if place_text(place)
    )
    title = f"{_lines(finding.title)}&nbsp; {_id_link(finding.id, tokens)}"
    sections = [
        f"<p style='margin:0 0 10px 0; font-weight:600'>{title}</p>",
        _section(QCoreApplication.translate("Finding", "Cause"), _lines(finding.cause), tokens),
        _section(QCoreApplication.translate("Finding", "Fix"), _lines(finding.fix), tokens),
        _section(QCoreApplication.translate("Finding", "Place"), places, tokens),
        _section(QCoreApplication.translate("Finding", "Evidence"), _evidence(finding.evidence, tokens), tokens),
    ]
    return "".join(sections)


def _id_link(finding_id: str, tokens: Tokens) -> str:
    style = f"font-weight:400; font-size:{SMALL_PIXELS}px; color:{tokens.accent}"
    return f"<a href='help:{finding_id}' style='{style}'>{html.escape(finding_id)}</a>"


def _section(title: str, content: str, tokens: Tokens) -> str:
    if not content:
        return ""
    return (
        f"<p style='margin:0; font-size:{SMALL_PIXELS}px; color:{tokens.text_2}'>{html.escape(title)}</p>"
        f"<div style='margin:1px 0 10px 0'>{content}</div>"
    )


def _evidence(evidence: Mapping[str, Json], tokens: Tokens) -> str:
    """Render single values beside their names, and lists of records as tables below."""
    rows: list[str] = []
    tables: list[str] = []
    known = [(key, value) for key, value in evidence.items() if value not in ("", None, [], {})]
    for key, value in known[:_MOST_EVIDENCE]:
        name = f"<span style='color:{tokens.text_2}'>{html.escape(key.replace('_', ' '))}</span>"
        if records := _records(value):
            tables.append(f"<p style='margin:6px 0 0 0'>{name}</p>{_table(records, tokens)}")
        else:
            cell = f"<td style='{_mono()}'>{_lines(_plain(value))}</td>"
            rows.append(f"<tr><td style='padding-right:12px'>{name}</td>{cell}</tr>")
    listed = f"<table cellspacing='0' cellpadding='1'>{''.join(rows)}</table>" if rows else ""
    return listed + "".join(tables)


def _records(value: Json) -> list[Mapping[str, Json]]:
    """Return a list of records of one form, or an empty list where the value is something else."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return []
    records = [item for item in value if isinstance(item, Mapping)]
    same = len(records) == len(value) and len({tuple(record) for record in records}) == 1
    return records if same else []


def _table(records: Sequence[Mapping[str, Json]], tokens: Tokens) -> str:
    cell = "<td align='right' style='padding-right:14px;"
    head = "".join(f"{cell} color:{tokens.text_2}'>{html.escape(name)}</td>" for name in records[0])
    body = "".join(
        "<tr>" + "".join(f"{cell} {_mono()}'>{_lines(_plain(value))}</td>" for value in record.values()) + "</tr>"
        for record in records[:_MOST_EVIDENCE]
    )
    return f"<table cellspacing='0' cellpadding='1'><tr>{head}</tr>{body}</table>"


def _plain(value: Json) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]} …"


def _lines(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")


def _mono() -> str:
    return f'font-family:"{mono_font().family()}"; font-size:{SMALL_PIXELS + 0.5}px;'
