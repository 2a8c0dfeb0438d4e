"""C++ sources read as text: where the functions of an operator are defined."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_MACRO = re.compile(r"^\s*OPSTUDIO_KERNEL\(\s*(?:\w+::)*(\w+)\s*(?:,\s*(?:\w+::)*(\w+)\s*)?\)", re.MULTILINE)
_BLOCK = re.compile(
    r"\bTORCH_LIBRARY_IMPL\s*\(\s*\w+\s*,\s*(\w+)\s*,\s*\w+\s*\)\s*\{(.*?)\}[^\S\n]*$", re.MULTILINE | re.DOTALL
)
_KEYS = {
    "forward": ("CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd"),
    "meta": ("Meta",),
    "autograd": ("Autograd", "AutogradCPU"),
}
"""The dispatch keys under which sources that register themselves put a function."""


def find_function(texts: Mapping[str, str], role: str, operator: str) -> tuple[str, int] | None:
    """Find the function of an operator that has a role.

    ``OPSTUDIO_KERNEL(forward, backward)`` names the functions of a native kernel, ``m.impl`` those of sources that
    register themselves; otherwise they are known by their names.

    Args:
        texts: the sources by path, without comments.
        role: ``forward``, ``backward``, ``meta`` or ``autograd``.
        operator: the name of the operator.

    Returns:
        The path and the line, or ``None`` where no source defines it.
    """
    for name in _names(texts, role, operator):
        for path, text in texts.items():
            if (line := _definition_line(text, name)) is not None:
                return path, line
    return None


def blank_comments(text: str) -> str:
    """Replace C++ comments by spaces, so that positions stay; strings are left alone."""

    def blank(match: re.Match[str]) -> str:
        whole = match[0]
        return whole if whole[0] in "\"'" else re.sub(r"[^\n]", " ", whole)

    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text, flags=re.DOTALL)


def _names(texts: Mapping[str, str], role: str, operator: str) -> Iterator[str]:
    """Yield patterns of names that the function may have, the surest first."""
    macros = [macro for text in texts.values() if (macro := _MACRO.search(text))]
    if macros:
        name = macros[0][2] if role == "backward" else macros[0][1]
        yield from [rf"{name}\w*"] if name else []
        return
    for text in texts.values():
        for key, body in _BLOCK.findall(text):
            if key in _KEYS.get(role, ()):
                yield from re.findall(rf"\.\s*impl\s*\(\s*\"(?:\w+::)?{operator}\"\s*,[^;]*?(\w+)\s*\)", body)
    if role == "backward":
        yield from (rf"{operator}_backward\w*", "backward")
    elif role == "forward":
        yield from (rf"{operator}\w*", "forward")
    else:
        yield rf"{operator}_{role}\w*"


def _definition_line(text: str, name: str) -> int | None:
    definition = re.search(
        rf"^[^\S\n]*(?![#\s])[\w:<>,&*\s]*\b(?P<name>{name})\s*\([^;]*?\)[^;]*?\{{", text, re.MULTILINE
    )
    return text.count("\n", 0, definition.start("name")) + 1 if definition else None
