"""The syntax of a text that is being edited: what is coloured, and which brackets belong together.

Places are counted in units of UTF-16 from zero, as Qt counts them. The grammar is given that encoding, so that no place
has to be converted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tree_sitter import Node, Parser, Point, QueryCursor, Tree

from opstudio.qt.editor.languages import SyntaxLanguage

MOST_UNITS = 2**20
"""Longer texts are not parsed: the first look at one would take a noticeable part of a second."""
_WIDTH = 2
"""Bytes of a unit."""
_PARTNERS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_OPENERS = {closer: opener for opener, closer in _PARTNERS.items()}


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the text and what it is: ``keyword``, ``type``, ``comment`` and so on."""

    start: int
    end: int
    kind: str


class SyntaxTree:
    """Follows a text edit by edit; each new tree is made from the one before, once it is asked for."""

    def __init__(self, language: SyntaxLanguage, text: Callable[[], str]) -> None:
        """Read the text, lines ended by line feeds, through ``text`` whenever it has changed."""
        self._language, self._text = language, text
        self._parser = Parser(language.grammar)
        self._data = b""
        self._tree: Tree | None = None
        self._is_current = False
        self._expected_bytes = 0

    def edit(self, position: int, removed: int, added: int) -> None:
        """Follow one edit: ``removed`` units at ``position`` gave way to ``added``."""
        self._is_current = False
        if self._tree is None:
            return
        start, removed, added = (count * _WIDTH for count in (position, removed, added))
        self._expected_bytes += added - removed
        # Bytes alone decide; rows and columns are for those who ask for them.
        self._tree.edit(
            start_byte=start,
            old_end_byte=start + removed,
            new_end_byte=start + added,
            start_point=Point(0, start),
            old_end_point=Point(0, start + removed),
            new_end_point=Point(0, start + added),
        )

    def spans(self, start: int, end: int) -> list[Span]:
        """Return what is coloured between two places, outer spans before the inner ones that win over them."""
        tree = self._current()
        if tree is None:
            return []
        cursor = QueryCursor(self._language.query)
        cursor.set_byte_range(start * _WIDTH, end * _WIDTH)
        found = [
            Span(node.start_byte // _WIDTH, node.end_byte // _WIDTH, kind)
            for kind, nodes in cursor.captures(tree.root_node).items()
            for node in nodes
            # What the parser inserts to make sense of a broken text is empty.
            if node.start_byte < node.end_byte
        ]
        return sorted(found, key=lambda span: (span.start, -span.end, span.kind == "type"))

    def brackets_at(self, position: int) -> tuple[int, int] | None:
        """Return the places of a pair of brackets one of which stands before or behind a place.

        Brackets within texts and comments are none, and neither are signs of comparison.
        """
        tree = self._current()
        for place in (position - 1, position) if tree is not None else ():
            sign = (
                self._data[place * _WIDTH : (place + 1) * _WIDTH].decode("utf-16-le", "replace") if place >= 0 else ""
            )
            pair = self._pair(place) if sign in _PARTNERS or sign in _OPENERS else None
            if pair is not None:
                return pair
        return None

    def _pair(self, place: int) -> tuple[int, int] | None:
        tree = self._current()
        node = tree and tree.root_node.descendant_for_byte_range(place * _WIDTH, (place + 1) * _WIDTH)
        if not node or node.parent is None:
            return None
        partner = _PARTNERS.get(node.type) or _OPENERS.get(node.type)
        for other in _siblings(node) if partner else ():
            if other.type == partner:
                first, second = sorted((place, other.start_byte // _WIDTH))
                return first, second
        return None

    def _current(self) -> Tree | None:
        """Return the tree of the text as it is now; ``None`` where the text is too long."""
        if self._is_current:
            return self._tree
        self._data = self._text().encode("utf-16-le", "surrogatepass")
        length = len(self._data)
        if length > MOST_UNITS * _WIDTH:
            self._tree = None
        # Where Qt replaces everything it counts the end of the last line as well.
        elif self._tree is None or length != self._expected_bytes:
            self._tree = self._parser.parse(self._data, encoding="utf16le")
        else:
            self._tree = self._parser.parse(self._data, self._tree, encoding="utf16le")
        self._is_current, self._expected_bytes = True, length
        return self._tree


def _siblings(node: Node) -> Iterator[Node]:
    """Yield the nodes beside an opening bracket from the first on, beside a closing one from the last."""
    step: Callable[[Node], Node | None] = _next if node.type in _PARTNERS else _previous
    other = step(node)
    while other is not None:
        yield other
        other = step(other)


def _next(node: Node) -> Node | None:
    return node.next_sibling


def _previous(node: Node) -> Node | None:
    return node.prev_sibling
