"""Where in a TOML file a key or a value stands.

``tomllib`` forgets positions, so the tree-sitter grammar finds them again; only when something is to be reported.
"""

from __future__ import annotations

import contextlib
import functools
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tree_sitter import Node

TomlPath = tuple[str | int, ...]
"""Keys and list indices from the top of a document, for example ``("input", 0, "types", 1)``."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a text; lines and columns count from one."""

    line: int
    column: int


def find_position(text: str, path: TomlPath, part: Literal["key", "value"] = "key") -> Position | None:
    """Find a key or its value in a TOML text.

    A table that only its parts mention is found at the first of them. Where the path itself is absent, the nearest
    enclosing table answers.
    """
    index = _index(text)
    chosen = index.values if part == "value" else index.keys
    for length in range(len(path), 0, -1):
        prefix = path[:length]
        for position in (chosen.get(prefix), index.keys.get(prefix), index.values.get(prefix), index.below(prefix)):
            if position is not None:
                return position
    return None


@dataclass(slots=True)
class _Index:
    """The positions of everything in a text, in the order in which it stands there."""

    lines: list[bytes]
    keys: dict[TomlPath, Position] = field(default_factory=dict)
    values: dict[TomlPath, Position] = field(default_factory=dict)

    def position(self, node: Node) -> Position:
        row, byte_column = node.start_point
        return Position(row + 1, len(self.lines[row][:byte_column].decode("utf-8", "replace")) + 1)

    def below(self, prefix: TomlPath) -> Position | None:
        """Return the first key below a path that has no entry of its own."""
        return next((position for path, position in self.keys.items() if path[: len(prefix)] == prefix), None)


@functools.lru_cache(maxsize=4)
def _index(text: str) -> _Index:
    import tree_sitter
    import tree_sitter_toml

    data = text.encode("utf-8")
    index = _Index(data.split(b"\n"))
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))
    _collect_document(parser.parse(data).root_node, index)
    return index


def _collect_document(root: Node, index: _Index) -> None:
    counts: dict[TomlPath, int] = {}
    for child in root.children:
        if child.type == "pair":
            _collect_pair(child, (), index)
        elif child.type in ("table", "table_array_element"):
            header = next(node for node in child.children if node.type in _KEY_TYPES)
            prefix: TomlPath = _indexed(_key_parts(header), counts)
            if child.type == "table_array_element":
                number = counts.get(prefix, 0)
                counts[prefix] = number + 1
                prefix = (*prefix, number)
            index.keys[prefix] = index.position(header)
            for node in child.children:
                if node.type == "pair":
                    _collect_pair(node, prefix, index)


_KEY_TYPES = frozenset({"bare_key", "quoted_key", "dotted_key"})
_DEEPEST = 100
"""Parts of the longest path that is looked for; what is nested deeper would exhaust the stack."""
_NO_VALUES = frozenset({"[", "]", ",", "=", "comment"})


def _indexed(parts: tuple[str, ...], counts: dict[TomlPath, int]) -> TomlPath:
    """Insert the current index behind every part that names an array of tables above this one."""
    path: TomlPath = ()
    for position, part in enumerate(parts):
        path = (*path, part)
        if position < len(parts) - 1 and path in counts:
            path = (*path, counts[path] - 1)
    return path


def _key_parts(node: Node) -> tuple[str, ...]:
    """Return the parts of a key; a dotted one is a dotted one and a last part, and may have thousands of them."""
    parts: list[str] = []
    while node.type == "dotted_key":
        keys = [child for child in node.children if child.type in _KEY_TYPES]
        parts += map(_key_text, reversed(keys[1:]))
        node = keys[0]
    return (_key_text(node), *reversed(parts))


def _key_text(node: Node) -> str:
    text = (node.text or b"").decode("utf-8")
    if node.type != "quoted_key":
        return text
    if "\\" in text and text.startswith('"'):
        with contextlib.suppress(tomllib.TOMLDecodeError):
            return next(iter(tomllib.loads(f"{text} = 0")))
    return text[1:-1]


def _collect_pair(pair: Node, prefix: TomlPath, index: _Index) -> None:
    key_node, *rest = pair.children
    path: TomlPath = (*prefix, *_key_parts(key_node))
    index.keys[path] = index.position(key_node)
    # A comment behind the value is a part of the pair as well.
    for value_node in [node for node in rest if node.type not in _NO_VALUES][:1]:
        _collect_value(value_node, path, index)


def _collect_value(node: Node, path: TomlPath, index: _Index) -> None:
    index.values[path] = index.position(node)
    if len(path) > _DEEPEST:
        return
    if node.type == "inline_table":
        for child in node.children:
            if child.type == "pair":
                _collect_pair(child, path, index)
    elif node.type == "array":
        items = [child for child in node.children if child.type not in _NO_VALUES]
        for number, item in enumerate(items):
            _collect_value(item, (*path, number), index)
