"""Texts of files and tools, made safe to print: no sign of them steers the terminal or hides what follows."""

from __future__ import annotations

_LAST_OF_TWO_DIGITS = 0xFF
_KEPT = "\n\t"
_TURNING = (*range(0x200E, 0x2010), *range(0x2028, 0x202F), *range(0x2066, 0x206A))
"""Signs that turn the direction of what follows, or end a line, without being seen. Source: Unicode's UAX 9."""


def _escape(code: int) -> str:
    named = {0x0A: r"\n", 0x09: r"\t", 0x0D: r"\r"}
    return named.get(code) or (f"\\x{code:02x}" if code <= _LAST_OF_TWO_DIGITS else f"\\u{code:04x}")


_STEERING = {code: _escape(code) for code in (*range(0x20), *range(0x7F, 0xA0), *_TURNING)}
_STEERING_BEYOND_ASCII = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}
_STEERING_BUT_LINES = {code: text for code, text in _STEERING.items() if chr(code) not in _KEPT}


def visible(text: str) -> str:
    r"""Write control characters as escapes such as ``\x1b``; line ends and tabulators stay."""
    return text.translate(_STEERING_BUT_LINES)


def on_one_line(text: str) -> str:
    """Write control characters as escapes, line ends and tabulators too: what stands in one line stays there."""
    return text.translate(_STEERING)


def visible_in_json(text: str) -> str:
    """Escape in a JSON document what JSON itself leaves: the control characters above those of ASCII."""
    return text.translate(_STEERING_BEYOND_ASCII)
