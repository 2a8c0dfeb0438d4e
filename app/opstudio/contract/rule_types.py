"""Whether a shape rule uses each attribute as its type allows.

Integers and truth values may be computed with, and so may the items of lists of integers; any list has a length; a text
may be compared with texts, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opstudio.contract.operator import AttributeKind
from opstudio.contract.shape_syntax import (
    AttributeItem,
    AttributeLength,
    AttributeReference,
    OutputRule,
    Star,
    TextIs,
    parts_of,
)

_COMPUTABLE = frozenset({AttributeKind.INT, AttributeKind.BOOL})


def misuses(rule: OutputRule, kinds: Mapping[str, AttributeKind]) -> Iterator[str]:
    """Yield what a rule does with attributes that their types do not allow; attributes of unknown type may anything."""
    for element in rule.elements:
        for node in () if isinstance(element, Star) else parts_of(element):
            match node:
                case AttributeReference(name) if name in kinds and kinds[name] not in _COMPUTABLE:
                    yield f"{_described(name, kinds)}; a rule can compute with integers and truth values only"
                case AttributeItem(name, _) if name in kinds and kinds[name] is not AttributeKind.INTS:
                    yield f"{_described(name, kinds)}; {name}[…] needs a list of integers"
                case AttributeLength(name) if name in kinds and not kinds[name].is_list:
                    yield f"{_described(name, kinds)}; len({name}) needs a list"
                case TextIs(name, value) if name in kinds and kinds[name] is not AttributeKind.STRING:
                    yield f"{_described(name, kinds)}, which is never equal to the text {value!r}"


def _described(name: str, kinds: Mapping[str, AttributeKind]) -> str:
    return f"{name} is of type {kinds[name].value}"
