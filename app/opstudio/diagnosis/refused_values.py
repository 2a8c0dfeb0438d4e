"""Which attributes of a node a kernel refuses: the runtime's words, the node and the words that operators take tell."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opstudio.model.graph.records import AttributeRecord, NodeRecord
from opstudio.model.resolution.attribute_words import is_wrong_word, word_meant, words_of

_LONGEST = 60
_SQUASHED = 5
"""Letters that a name without its underscores must have to be looked for in names of the runtime's own types."""
_ASKED = re.compile(r"GetAttrs?(?:<.*?>)?\(\"(\w+)\"|[Aa]ttribute with name:'(\w+)'")


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedValue:
    """An attribute with a value that the kernel does not take. ``words`` are those that it takes, where known."""

    name: str
    value: str
    words: tuple[str, ...] = ()
    meant: str = ""


def lacking_attributes(node: NodeRecord, reason: str) -> list[str]:
    """Return the attributes that a kernel asks for and the node does not have."""
    given = {attribute.name for attribute in node.attributes}
    asked = dict.fromkeys(name for match in _ASKED.finditer(reason) for name in match.groups() if name)
    return [name for name in asked if name not in given]


def refused_values(node: NodeRecord, reason: str, opset: int | None) -> list[RefusedValue]:
    """Return the attributes that are most likely meant; ``opset`` is that of the standard domain, where it is certain.

    Words that the operator does not take count most, then names and values in what the runtime says.
    """
    plain = [item for item in node.attributes if isinstance(item.value, str | int | float) or item.reference]
    wrong = [item for item in plain if _is_wrong_word(node, item, opset)]
    told = [item for item in wrong or plain if _is_named(item.name, reason)]
    if not told:
        told = [item for item in wrong or plain if _is_value_told(item, reason)]
    if not told:
        told = wrong or [item for item in plain if _is_in_type_name(item.name, reason)]
    return [_refused(node, item, opset) for item in told]


def _refused(node: NodeRecord, item: AttributeRecord, opset: int | None) -> RefusedValue:
    value = "given by the caller of the function" if item.reference else repr(item.value)
    words = _words(node, item, opset)
    meant = word_meant(item.value[:_LONGEST], words) if isinstance(item.value, str) else None
    shown = value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"
    return RefusedValue(name=item.name, value=shown, words=words, meant=meant or "")


def _words(node: NodeRecord, item: AttributeRecord, opset: int | None) -> tuple[str, ...]:
    return () if node.domain or opset is None else words_of(node.type, item.name, opset)


def _is_wrong_word(node: NodeRecord, item: AttributeRecord, opset: int | None) -> bool:
    if node.domain or opset is None or not isinstance(item.value, str):
        return False
    return is_wrong_word(node.type, item.name, opset, item.value)


def _is_named(name: str, reason: str) -> bool:
    """Whether the name stands there as a word, also as the kernel's member of that name: ``direction_``."""
    return re.search(rf"\b{re.escape(name)}_?\b", reason) is not None


def _is_value_told(item: AttributeRecord, reason: str) -> bool:
    if not isinstance(item.value, str) or not 1 < len(item.value) <= _LONGEST:
        return False
    return re.search(rf"(?<!\w){re.escape(item.value)}(?!\w)", reason) is not None


def _is_in_type_name(name: str, reason: str) -> bool:
    """Whether the name stands there as a part of another one: ``auto_pad`` in ``AutoPadType``."""
    squashed = name.replace("_", "").casefold()
    return len(squashed) >= _SQUASHED and squashed in reason.casefold()
