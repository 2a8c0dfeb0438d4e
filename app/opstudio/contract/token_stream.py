"""The tokens of a one-line text, for the small parsers of this package."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LONGEST_SHOWN = 80
"""Characters of a token that a message repeats."""


class TextError(ValueError):
    """A text does not parse. ``column`` counts from one within the text."""

    def __init__(self, message: str, text: str, column: int) -> None:
        super().__init__(message)
        self.text = text
        self.column = column


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text; ``kind`` is the name of the group that matched it, or ``end``."""

    kind: str
    text: str
    column: int


class TokenStream:
    """Reads tokens one by one.

    Args:
        text: what is parsed.
        pattern: matches one token with the space before it, in one of the groups ``name``, ``number``,
            ``string`` and ``symbol`` (which must match any single character).
        error: the class of the errors that are raised.
    """

    def __init__(self, text: str, pattern: re.Pattern[str], error: type[TextError]) -> None:
        self.text = text
        self._error_class = error
        self._tokens: list[Token] = []
        self._next = 0
        position = 0
        while position < len(text.rstrip()) and (match := pattern.match(text, position)):
            kind = match.lastgroup or "symbol"
            self._tokens.append(Token(kind, match[kind], match.start(kind) + 1))
            position = match.end()
        self._tokens.append(Token("end", "the end", len(text) + 1))

    def peek(self, ahead: int = 0) -> Token:
        """Return a token without taking it; the last one stands for all behind it."""
        return self._tokens[min(self._next + ahead, len(self._tokens) - 1)]

    def advance(self) -> Token:
        """Take a token."""
        token = self.peek()
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def accept(self, text: str) -> bool:
        """Take the symbol or word ``text`` if it is next."""
        token = self.peek()
        if token.kind not in ("symbol", "name") or token.text != text:
            return False
        self.advance()
        return True

    def expect(self, text: str) -> None:
        """Take the symbol or word ``text``, which must be next."""
        if not self.accept(text):
            raise self.error(f"expected {text}")

    def expect_end(self) -> None:
        """Make sure that nothing is left."""
        if self.peek().kind != "end":
            raise self.error("expected the end of the text")

    def error(self, message: str, token: Token | None = None) -> TextError:
        """Return an error at a token, by default the next one."""
        at = token or self.peek()
        found = at.text if len(at.text) <= _LONGEST_SHOWN else f"{at.text[:_LONGEST_SHOWN]}…"
        return self._error_class(f"{message}, found {found}", self.text, at.column)
