"""What is coloured in real files, followed edit by edit."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.qt.editor.languages import language_of
from opstudio.qt.editor.syntax_tree import MOST_UNITS, SyntaxTree
from tests.support.workspaces import KERNELS, ROOT

CPP = """// one
#include <cmath>
template <class T>
T scale(const T* x, int64_t n) {
  return std::exp(x[n - 1]) * 2.5f;  /* two */
}
"""


class Text:
    """A text that is edited as a document of Qt is, with its tree."""

    def __init__(self, suffix: str, text: str) -> None:
        language = language_of(suffix)
        assert language is not None
        self.text = text
        self.tree = SyntaxTree(language, lambda: self.text)

    def replace(self, start: int, removed: str, added: str) -> None:
        assert self.text[start:].startswith(removed)
        self.text = self.text[:start] + added + self.text[start + len(removed) :]
        self.tree.edit(units(self.text[:start]), units(removed), units(added))


def tree_of(suffix: str, text: str) -> SyntaxTree:
    return Text(suffix, text).tree


def kinds_of(tree: SyntaxTree, text: str) -> list[str]:
    """Return the kind of every unit of a text; inner spans win."""
    units = len(text.encode("utf-16-le")) // 2
    kinds = [""] * units
    for span in tree.spans(0, units):
        kinds[span.start : span.end] = [span.kind] * (span.end - span.start)
    return kinds


def test_that_words_of_cpp_are_what_they_are() -> None:
    kinds = kinds_of(tree_of(".cpp", CPP), CPP)
    expected = {
        "// one": "comment",
        "#include": "preprocessor",
        "<cmath>": "string",
        "template": "keyword",
        "T scale": "type",
        "scale(": "function",
        "const": "keyword",
        "int64_t": "type",
        "return": "keyword",
        "exp(": "function",
        "x[n": "",
        "2.5f": "number",
        "/* two */": "comment",
    }
    assert {word: kinds[CPP.index(word)] for word in expected} == expected


def test_that_cuda_adds_its_own_words() -> None:
    text = "__global__ void add(float* x) { __shared__ float s; }\nvoid run() { add<<<1, 2>>>(nullptr); }\n"
    kinds = kinds_of(tree_of(".cu", text), text)
    expected = {"__global__": "preprocessor", "__shared__": "preprocessor", "<<<": "keyword", "float": "type"}
    assert {word: kinds[text.index(word)] for word in expected} == expected


def test_that_an_expression_within_a_text_of_python_is_no_text() -> None:
    text = 'def tell(x: int) -> str:\n    return f"a {x + 1} b"  # why\n'
    kinds = kinds_of(tree_of(".py", text), text)
    expected = {
        "def": "keyword",
        "tell": "function",
        "int": "type",
        'f"a': "string",
        "x + 1": "plain",
        "# why": "comment",
    }
    assert {word: kinds[text.index(word)] for word in expected} == expected


def test_that_tables_and_keys_of_toml_are_told_apart() -> None:
    text = '[[input]]\nname = "x"  # an input\ndefault = -1\n'
    kinds = kinds_of(tree_of(".toml", text), text)
    expected = {"input": "type", "name": "keyword", '"x"': "string", "# an": "comment", "-1": "number"}
    assert {word: kinds[text.index(word)] for word in expected} == expected


@pytest.mark.parametrize(
    "path",
    [
        *sorted(KERNELS.rglob("*.cpp")),
        *sorted((KERNELS / "include").rglob("*.h")),
        *sorted(KERNELS.rglob("*.toml")),
        ROOT / "app" / "opstudio" / "base" / "units.py",
    ],
    ids=lambda path: path.name,
)
def test_that_edits_lead_to_the_same_spans_as_reading_anew(path: Path) -> None:
    edited = Text(path.suffix, path.read_text(encoding="utf-8"))
    chosen = random.Random(path.name)  # noqa: S311 - the same edits every time
    for _ in range(12):
        start = chosen.randrange(len(edited.text))
        removed = edited.text[start : start + chosen.randrange(6)]
        edited.replace(start, removed, chosen.choice(["", "x", "\n", "{", '"', "/*", "*/", "// 注释 😀\n", "'''"]))
        if chosen.random() < 0.7:  # else the next edit comes before anybody asks
            fresh = tree_of(path.suffix, edited.text)
            assert kinds_of(edited.tree, edited.text) == kinds_of(fresh, edited.text)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(st.text(alphabet="(){}[]<>\"'/* \nax😀", max_size=60), st.data())
@settings(max_examples=60, deadline=None)
def test_that_no_text_is_too_broken(text: str, data: st.DataObject) -> None:
    edited = Text(".cpp", text)
    assert edited.tree.spans(0, units(text)) is not None
    cut = data.draw(st.integers(0, len(text)))
    edited.replace(cut, text[cut:], "")
    length = units(edited.text)
    assert all(0 <= span.start < span.end <= length for span in edited.tree.spans(0, units(text)))
    for place in range(length + 2):
        pair = edited.tree.brackets_at(place)
        assert pair is None or pair[0] < pair[1] < length


@pytest.mark.parametrize(
    ("cursor", "pair"),
    [
        ("f(", "()"),
        ("x[", "[]"),
        ("{", "{}"),
        ("T<", "<>"),
    ],
)
def test_that_brackets_find_each_other(cursor: str, pair: str) -> None:
    text = 'void f(T<int> x) { g(")", x[h(1)], ")"); }  // )\n'
    place = text.index(cursor) + len(cursor)
    found = tree_of(".cpp", text).brackets_at(place)
    assert found is not None
    first, second = found
    assert (first, text[first] + text[second]) == (place - 1, pair)
    closing = {"f(": ") {", "x[": "], ", "{": "}  //", "T<": "> x"}[cursor]
    assert second == text.index(closing)


def test_that_signs_of_comparison_and_brackets_in_texts_have_no_partner() -> None:
    text = 'bool f(int a) { return a < 2 || a > 3; }  // (\nauto t = "(";\n'
    tree = tree_of(".cpp", text)
    assert [tree.brackets_at(text.index(sign) + 1) for sign in ("< 2", "> 3", "(\nauto", '(";')] == [None] * 4


def test_that_files_of_other_kinds_and_huge_ones_stay_plain() -> None:
    assert language_of(".txt") is None
    tree = tree_of(".cpp", "int a;\n" * (MOST_UNITS // 7 + 1))
    assert tree.spans(0, 100) == []
    assert tree.brackets_at(3) is None


def test_that_what_the_parser_inserts_has_no_colour() -> None:
    """Of ``*<>`` the parser makes a template with an empty argument."""
    assert all(span.start < span.end for span in tree_of(".cpp", "*<>").spans(0, 3))
