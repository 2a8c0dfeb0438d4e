"""Where in a TOML file a key or a value stands.

``tomllib`` forgets positions, so the tree-sitter grammar finds them again; only when something is to be reported.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    """Find a key or its value in a TOML text; the nearest enclosing table where the path itself is absent."""
    import tree_sitter
    import tree_sitter_toml

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))
    keys: dict[TomlPath, Node] = {}
    values: dict[TomlPath, Node] = {}
    _collect_document(parser.parse(text.encode("utf-8")).root_node, keys, values)
    chosen = values if part == "value" else keys
    for length in range(len(path), 0, -1):
        prefix = path[:length]
        node = chosen.get(prefix) or keys.get(prefix) or values.get(prefix)
        if node is not None:
            row, byte_column = node.start_point
            line = text.encode("utf-8").split(b"\n")[row]
            return Position(row + 1, len(line[:byte_column].decode("utf-8", "replace")) + 1)
    return None


def _collect_document(root: Node, keys: dict[TomlPath, Node], values: dict[TomlPath, Node]) -> None:
    counts: dict[TomlPath, int] = {}
    for child in root.children:
        if child.type == "pair":
            _collect_pair(child, (), keys, values)
        elif child.type in ("table", "table_array_element"):
            header = next(node for node in child.children if node.type in _KEY_TYPES)
            prefix: TomlPath = _indexed(_key_parts(header), counts)
            if child.type == "table_array_element":
                index = counts.get(prefix, 0)
                counts[prefix] = index + 1
                prefix = (*prefix, index)
            keys[prefix] = header
            for node in child.children:
                if node.type == "pair":
                    _collect_pair(node, prefix, keys, values)


_KEY_TYPES = frozenset({"bare_key", "quoted_key", "dotted_key"})


def _indexed(parts: tuple[str, ...], counts: dict[TomlPath, int]) -> TomlPath:
    """Insert the current index behind every part that names an array of tables above this one."""
    path: TomlPath = ()
    for position, part in enumerate(parts):
        path = (*path, part)
        if position < len(parts) - 1 and path in counts:
            path = (*path, counts[path] - 1)
    return path


def _key_parts(node: Node) -> tuple[str, ...]:
    if node.type == "dotted_key":
        return tuple(part for child in node.children if child.type in _KEY_TYPES for part in _key_parts(child))
    text = (node.text or b"").decode("utf-8")
    return (text[1:-1] if node.type == "quoted_key" else text,)


def _collect_pair(pair: Node, prefix: TomlPath, keys: dict[TomlPath, Node], values: dict[TomlPath, Node]) -> None:
    key_node, value_node = pair.children[0], pair.children[-1]
    path: TomlPath = (*prefix, *_key_parts(key_node))
    keys[path] = key_node
    _collect_value(value_node, path, keys, values)


def _collect_value(node: Node, path: TomlPath, keys: dict[TomlPath, Node], values: dict[TomlPath, Node]) -> None:
    values[path] = node
    if node.type == "inline_table":
        for child in node.children:
            if child.type == "pair":
                _collect_pair(child, path, keys, values)
    elif node.type == "array":
        items = [child for child in node.children if child.type not in ("[", "]", ",", "comment")]
        for index, item in enumerate(items):
            _collect_value(item, (*path, index), keys, values)
