"""TOML text to values; whatever is wrong with it, hostile texts included, ends in one error that knows its place.

Texts are written as well, since TOML refuses some of the strings of JSON.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from opstudio.base.toml_positions import TomlPath, find_position

_DEEPEST = 50
"""Tables and lists within one another; more would exhaust the stack of those who walk through the values."""
_LONGEST_INTEGER_BITS = 4096
"""Integers in hexadecimal may have any length for Python, which then refuses to print them."""

_UNCLOSED = ("Illegal character '\\n'", "Illegal character '\\r'", "Unterminated string")
"""How tomllib says that a string goes on to the end of its line, or of the text."""

_TOO_LONG = "a number has too many digits"


class TomlTextError(ValueError):
    """A text is not TOML, or is nothing that a person would write. Line and column count from one, where known."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a text.

    Raises:
        TomlTextError: it is not TOML, nested too deeply, or holds an integer of thousands of digits.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _located(text, str(error)) from error
    except RecursionError as error:
        raise TomlTextError("it is nested too deeply") from error
    except ValueError as error:  # int() refuses to read thousands of digits
        found = re.search(r"[0-9_]{1000,}", text)
        place = _line_and_column(text, found.start() if found else 0)
        raise TomlTextError(_TOO_LONG, *place) from error
    if (excess := _first_excess(data)) is not None:
        path, message = excess
        position = find_position(text, path, "value")
        raise TomlTextError(message, *((position.line, position.column) if position else ()))
    return data


def render_toml_text(text: str) -> str:
    """Return a text as a basic string of TOML."""
    # JSON escapes what TOML asks for, apart from the last of the control characters.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _located(text: str, message: str) -> TomlTextError:
    """Return the error that tomllib words as ``Invalid value (at line 1, column 5)``."""
    cause = re.sub(r" \(at .*\)$", "", message)
    if cause in _UNCLOSED:
        cause = "a string is not closed: its second quote is missing"
    if (found := re.search(r"\(at line (\d+), column (\d+)\)$", message)) is not None:
        return TomlTextError(cause, int(found[1]), int(found[2]))
    return TomlTextError(cause, *_line_and_column(text, len(text)))


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _first_excess(data: dict[str, Any]) -> tuple[TomlPath, str] | None:
    """Return the path of a value that is nested too deeply or has too many digits, and what is wrong with it."""
    waiting: list[tuple[TomlPath, object]] = [((), data)]
    while waiting:
        path, value = waiting.pop()
        if len(path) > _DEEPEST:
            return path, f"it is nested deeper than {_DEEPEST} levels"
        if isinstance(value, dict):
            waiting += [((*path, key), item) for key, item in value.items()]
        elif isinstance(value, list):
            waiting += [((*path, index), item) for index, item in enumerate(value)]
        elif isinstance(value, int) and value.bit_length() > _LONGEST_INTEGER_BITS:
            return path, _TOO_LONG
    return None
