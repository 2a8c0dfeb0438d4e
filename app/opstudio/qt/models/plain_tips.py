"""Tips that show a text as it is: names come from files of others, and Qt takes some for rich text."""

from __future__ import annotations

import html

_MOST_LETTERS = 2_000


def plain_tip(text: str) -> str:
    """Return a tip that shows a text letter by letter; a very long one is cut."""
    shown = text if len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]} …"
    return f"<span style='white-space:pre-wrap'>{html.escape(shown)}</span>" if shown else ""
