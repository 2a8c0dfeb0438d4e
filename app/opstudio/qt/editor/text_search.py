"""Searching a text and replacing what is found. Places are in units of UTF-16, as Qt counts them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QRegularExpression, QRegularExpressionMatch

MOST_MATCHES = 10_000
"""Nobody looks at more; replacing goes on behind them."""
_REFERENCE = re.compile(r"\\(\\|n|t|\d{1,2})")
_SIGNS = {"\\": "\\", "n": "\n", "t": "\t"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """What is searched for, and how."""

    text: str
    match_case: bool = False
    whole_words: bool = False
    is_pattern: bool = False

    @property
    def expression(self) -> QRegularExpression:
        """The query as a regular expression; not valid where the person's own is not."""
        pattern = self.text if self.is_pattern else QRegularExpression.escape(self.text)
        if self.whole_words:
            # Not \b: a query such as "->x" does not begin with a letter.
            pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
        options = QRegularExpression.PatternOption.MultilineOption
        options |= QRegularExpression.PatternOption.UseUnicodePropertiesOption
        if not self.match_case:
            options |= QRegularExpression.PatternOption.CaseInsensitiveOption
        return QRegularExpression(pattern, options)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The matches in order, up to :data:`MOST_MATCHES`; ``error`` says why an expression is none."""

    matches: tuple[QRegularExpressionMatch, ...] = ()
    is_cut: bool = False
    error: str = ""

    @property
    def stretches(self) -> list[tuple[int, int]]:
        """Where the matches begin and end."""
        return [(match.capturedStart(), match.capturedEnd()) for match in self.matches]


def search(text: str, query: SearchQuery, most: int = MOST_MATCHES) -> SearchResult:
    """Find all matches of a query. A match of no length counts for nothing."""
    expression = query.expression
    if not query.text:
        return SearchResult()
    if not expression.isValid():
        return SearchResult(error=expression.errorString())
    found: list[QRegularExpressionMatch] = []
    matches = expression.globalMatch(text)
    while matches.hasNext():
        match = matches.next()
        if match.capturedLength() == 0:
            continue
        if len(found) == most:
            return SearchResult(matches=tuple(found), is_cut=True)
        found.append(match)
    return SearchResult(matches=tuple(found))


def replacement_of(match: QRegularExpressionMatch, query: SearchQuery, replacement: str) -> str:
    r"""Return what a match gives way to.

    With a pattern, ``\1`` stands for its first group, ``\0`` for the whole match, ``\n`` and ``\t`` for what they
    are in C++.
    """
    if not query.is_pattern:
        return replacement

    def expand(reference: re.Match[str]) -> str:
        name = reference[1]
        return match.captured(int(name)) if name.isdigit() else _SIGNS[name]

    return _REFERENCE.sub(expand, replacement)
