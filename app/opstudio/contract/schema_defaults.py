"""Which default values PyTorch's parser takes for an argument of a schema, told by their text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from opstudio.base.names import did_you_mean
from opstudio.contract.token_stream import Token
from opstudio.contract.value_limits import problem_of_default

_WORDS = frozenset({"None", "True", "False", "Mean", "contiguous_format", "strided", "float", "long"})
_WITHOUT_DEFAULT = frozenset({"Device", "Dimname", "Generator"})
_TEXT = re.compile(r"(?:[^\\\n]|\\(?:[\\'\"abfnvt\n]|[0-3][0-7]{2}))*")


def problem_of_value(token: Token, type_text: str) -> str | None:
    """Return why a value is none that PyTorch reads, whatever the argument; ``None`` where it is one."""
    match token.kind:
        case "string" if not _TEXT.fullmatch(token.text[1:-1]):
            return "PyTorch knows the escapes \\\\ \\' \\\" \\a \\b \\f \\n \\t \\v and three octal digits only"
        case "number":
            return _problem_of_number(token.text, type_text)
        case "name" if token.text not in _WORDS:
            return f"{token.text} is no default value; {did_you_mean(token.text, _WORDS)}"
        case _:
            return None


def fits(type_text: str, items: Sequence[Token], *, is_list: bool) -> bool:
    """Whether values that PyTorch reads, one or a list of them, may be the default of an argument of a type."""
    if type_text.endswith("]"):
        base, _, size = type_text.partition("[")
        fits_item = _LISTS.get(base)
        if fits_item is None or "[" in size or not (is_list or size != "]"):
            return False
        return all(fits_item(token) for token in items)
    if is_list or type_text in _WITHOUT_DEFAULT:
        return False
    return type_text != "Tensor" or items[0].text == "None"


def _is_integer(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


_LISTS: Mapping[str, Callable[[Token], bool]] = {
    "int": lambda token: token.kind == "number" and _is_integer(token.text),
    "SymInt": lambda token: token.kind == "number" and _is_integer(token.text),
    "float": lambda token: token.kind == "number",
    "bool": lambda token: token.text in ("True", "False"),
}
"""The lists that may have a default, and which items it may hold."""


def _problem_of_number(text: str, type_text: str) -> str | None:
    if _is_integer(text) and not (type_text == "float" or type_text.startswith("float[")):
        return problem_of_default(int(text))
    value = float(text)
    if value == 0.0 and re.search(r"[1-9]", re.split("[eE]", text)[0]):
        return f"{text} is too small for PyTorch's parser"
    return problem_of_default(value)
