"""The languages that the editor knows: grammar, and the query that says what is coloured.

A language more is one entry here and one file in ``resources/syntax``.
"""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass

from tree_sitter import Language, Query

from opstudio.base.assets import asset_root


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    suffixes: frozenset[str]
    grammar: str
    """The module of the grammar."""
    queries: tuple[str, ...]


_ENTRIES = (
    _Entry(
        suffixes=frozenset({".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp"}),
        grammar="tree_sitter_cpp",
        queries=("cpp",),
    ),
    _Entry(suffixes=frozenset({".cu", ".cuh"}), grammar="tree_sitter_cuda", queries=("cpp", "cuda")),
    _Entry(suffixes=frozenset({".py", ".pyi"}), grammar="tree_sitter_python", queries=("python",)),
    _Entry(suffixes=frozenset({".toml"}), grammar="tree_sitter_toml", queries=("toml",)),
)


@dataclass(frozen=True, slots=True)
class SyntaxLanguage:
    """A grammar and its query, ready for use."""

    grammar: Language
    query: Query


def language_of(suffix: str) -> SyntaxLanguage | None:
    """Return the language of files with a suffix, or ``None`` where the editor knows none."""
    entry = next((entry for entry in _ENTRIES if suffix.lower() in entry.suffixes), None)
    return None if entry is None else _load(entry)


@functools.cache
def _load(entry: _Entry) -> SyntaxLanguage:
    grammar = Language(importlib.import_module(entry.grammar).language())
    folder = asset_root("resources") / "syntax"
    text = "\n".join((folder / f"{name}.scm").read_text(encoding="utf-8") for name in entry.queries)
    return SyntaxLanguage(grammar, Query(grammar, text))
