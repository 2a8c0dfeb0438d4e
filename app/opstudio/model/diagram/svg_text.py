"""Texts and numbers as SVG takes them. Names in models are untrusted: nothing of them becomes markup."""

from __future__ import annotations

import functools
import re
from xml.sax.saxutils import escape, quoteattr

LONGEST = 400
"""Letters of a text; longer ones are cut."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


def text(content: str) -> str:
    """Return a text as the content of an element."""
    return escape(_plain(content))


def attribute(content: str) -> str:
    """Return a text as the value of an attribute, with quotes around it."""
    return quoteattr(_plain(content))


@functools.lru_cache(maxsize=1 << 14)
def number(value: float) -> str:
    """Return a number with two digits behind the point at most.

    Kept, since a picture of thousands of lines has few heights, and each place of a line stands several times.
    """
    # Zero has two signs that are equal, of which one answer is kept.
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".")


def _plain(content: str) -> str:
    if len(content) > LONGEST:
        content = f"{content[: LONGEST - 1]}…"
    return _NOT_XML.sub("\ufffd", content)
