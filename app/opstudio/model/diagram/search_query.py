"""What is looked for in a model: a line of words that all must fit.

=========================  ===========================================================================================
``relu``                   in the name, the type, the domain, or the name of a value that the node reads or makes
``3x3``                    has an attribute, such as ``kernel_shape``, or a value of these sizes
``type:conv``              in the type; also ``name:``, ``domain:`` (the standard one is ``ai.onnx``) and ``value:``
``type:"Conv"``            exactly; quotes also keep words together
``name:/layer.[0-3]$/``     a regular expression
``attribute:axis``         has the attribute; ``attribute:axis=1`` has it with this value, ``pads=1,1,1,1`` with these
``shape:1x64``             reads or makes a value of this shape; ``*`` stands for any size
``dtype:float16``          reads or makes a value of this element type
``by:cuda``                in the name of the party that implements the node
``unresolved``             nobody implements the node
``-type:conv``             not
=========================  ===========================================================================================

Letters match large and small ones.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass

from opstudio.base.errors import InputError

Matcher = Callable[[str], bool]
"""Whether a text fits."""
_TERM = re.compile(r'(?P<key>-?(?:[a-z]+:)?)(?P<value>/(?:[^/\\]|\\.)+/(?=\s|$)|"[^"]*"(?=\s|$)|\S+)|(?P<rest>\S+)')
_SHORTEST_PATTERN = 3
"""Letters of a regular expression with its slashes; a slash alone is a part of a name."""


class Key(enum.StrEnum):
    """What of a node a word is looked for in."""

    ANY = "any"
    NAME = "name"
    TYPE = "type"
    DOMAIN = "domain"
    VALUE = "value"
    ATTRIBUTE = "attribute"
    SHAPE = "shape"
    DTYPE = "dtype"
    BY = "by"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One word. ``text`` is what was written behind the key, ``matches`` whether something fits it."""

    key: Key
    text: str
    matches: Matcher
    is_negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Words that all must fit. Without any, everything does."""

    terms: tuple[Term, ...]


def parse_query(text: str) -> Query:
    """Return what a line asks for.

    Raises:
        InputError: a regular expression is broken.
    """
    return Query(terms=tuple(_term(match.group()) for match in _TERM.finditer(text)))


def _term(word: str) -> Term:
    is_negated = word.startswith("-") and len(word) > 1
    word = word[1:] if is_negated else word
    if word.casefold() == Key.UNRESOLVED:
        return Term(key=Key.UNRESOLVED, text="", matches=lambda _: True, is_negated=is_negated)
    name, colon, value = word.partition(":")
    key = _KEYS.get(name.casefold()) if colon and value else None
    # Names of values may have colons: what is no key is a part of the word.
    key, value = (Key.ANY, word) if key is None else (key, value)
    matches = _exact_matcher(value) if key is Key.DTYPE else _matcher(value)
    return Term(key=key, text=value, matches=matches, is_negated=is_negated)


_KEYS = {
    "name": Key.NAME,
    "type": Key.TYPE,
    "domain": Key.DOMAIN,
    "value": Key.VALUE,
    "attribute": Key.ATTRIBUTE,
    "attr": Key.ATTRIBUTE,
    "shape": Key.SHAPE,
    "dtype": Key.DTYPE,
    "by": Key.BY,
}


def _matcher(value: str) -> Matcher:
    if (pattern := _pattern(value)) is not None:
        return lambda text: pattern.search(text) is not None
    if _is_quoted(value):
        return _exact_matcher(value)
    wanted = value.casefold()
    return lambda text: wanted in text.casefold()


def _exact_matcher(value: str) -> Matcher:
    if (pattern := _pattern(value)) is not None:
        return lambda text: pattern.search(text) is not None
    wanted = value.strip('"').casefold()
    return lambda text: text.casefold() == wanted


def _is_quoted(value: str) -> bool:
    return len(value) > 1 and value[0] == value[-1] == '"'


def _pattern(value: str) -> re.Pattern[str] | None:
    if len(value) < _SHORTEST_PATTERN or not value[0] == value[-1] == "/":
        return None
    try:
        return re.compile(value[1:-1], re.IGNORECASE)
    except re.error as error:
        raise InputError.of(
            f"{value} is not a regular expression",
            cause=f"At letter {1 + (error.pos or 0)} of it: {error.msg}",
            fix="Write a backslash before a letter that means itself, or leave the slashes out to look for plain text",
            stage="search",
        ) from error
