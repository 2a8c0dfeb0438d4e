"""Where keys and values stand in a TOML text."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.base.toml_positions import Position, TomlPath, find_position

DOCUMENT = '''\
top = 1
"quoted key" = "中文"
dotted . key = [1, # one
  2, { k = 3, l.m = [4] }]

[table] # comment
x = """
several
lines"""
名 = 1
中文 = "after non-ASCII text" # this key is bare in newer TOML only
'''


def at(text: str, path: TomlPath) -> tuple[Position | None, Position | None]:
    return find_position(text, path), find_position(text, path, "value")


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("top",), (1, 1), (1, 7)),
        (("quoted key",), (2, 1), (2, 16)),
        (("dotted", "key"), (3, 1), (3, 16)),
        (("dotted", "key", 0), (3, 17), (3, 17)),
        (("dotted", "key", 1), (4, 3), (4, 3)),
        (("dotted", "key", 2), (4, 6), (4, 6)),
        (("dotted", "key", 2, "k"), (4, 8), (4, 12)),
        (("dotted", "key", 2, "l", "m", 0), (4, 22), (4, 22)),
        (("table",), (6, 2), (6, 2)),
        (("table", "x"), (7, 1), (7, 5)),
    ],
)
def test_that_a_key_and_its_value_are_found(path: TomlPath, key: tuple[int, int], value: tuple[int, int]) -> None:
    assert (Position(*key), Position(*value)) == at(DOCUMENT, path)


def test_that_columns_count_characters_and_not_bytes() -> None:
    text = '[t]\nx = { "é中😀" = 1, y = 2 }\n'

    assert (Position(2, 18), Position(2, 22)) == at(text, ("t", "x", "y"))


ARRAYS = """\
[[p]]
n = 1
[p.sub]
k = 2
[[p]]
n = 2
[[p.q]]
r = 1
[[p.q]]
r = 2
[p.q.leaf]
s = 3
"""


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        (("p", 0), 1, 3),
        (("p", 0, "n"), 2, 1),
        (("p", 0, "sub"), 3, 2),
        (("p", 0, "sub", "k"), 4, 1),
        (("p", 1), 5, 3),
        (("p", 1, "n"), 6, 1),
        (("p", 1, "q", 0, "r"), 8, 1),
        (("p", 1, "q", 1, "r"), 10, 1),
        (("p", 1, "q", 1, "leaf", "s"), 12, 1),
    ],
)
def test_that_tables_of_an_array_are_counted(path: TomlPath, line: int, column: int) -> None:
    assert Position(line, column) == find_position(ARRAYS, path)


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [(("p", 1, "absent"), 5, 3), (("p", 0, "sub", "absent", 3, "more"), 3, 2), (("p", 1, "q", 1, "absent"), 9, 3)],
)
def test_that_an_absent_key_is_placed_at_the_nearest_table_around_it(path: TomlPath, line: int, column: int) -> None:
    assert (Position(line, column), Position(line, column)) == at(ARRAYS, path)


@pytest.mark.parametrize("path", [("zz",), ("zz", 1, "y"), ()])
def test_that_what_the_text_does_not_mention_has_no_position(path: TomlPath) -> None:
    assert at(ARRAYS, path) == (None, None)


@pytest.mark.parametrize(
    ("text", "path", "line", "column"),
    [
        ("\n[samples.single]\nx = [1]\n", ("samples",), 2, 2),
        ('\noperator.name = "op"\n', ("operator", "domain"), 2, 1),
        ("\n[[operator]]\nname = 1\n", ("operator",), 2, 3),
        ("[t]\na.b = 1\n", ("t", "a", "c"), 2, 1),
    ],
)
def test_that_a_table_without_a_header_of_its_own_is_placed_at_its_first_part(
    text: str, path: TomlPath, line: int, column: int
) -> None:
    assert Position(line, column) == find_position(text, path)


def test_that_a_key_with_an_escape_is_found() -> None:
    assert Position(1, 1) == find_position('"caf\\u00e9" = 1\n', ("café",))


@pytest.mark.parametrize("text", ["", "[a", "[]\n", "= 1", "[[a]\nx=1", "x = \ny=1\n", "\x00", "{" * 2000])
def test_that_a_text_which_is_not_toml_is_endured(text: str) -> None:
    assert find_position(text, ("absent",)) is None


@dataclass
class Written:
    """A TOML text in the making, with the places of everything written so far."""

    text: str = ""
    keys: dict[TomlPath, Position] = field(default_factory=dict)
    values: dict[TomlPath, Position] = field(default_factory=dict)

    @property
    def here(self) -> Position:
        return Position(self.text.count("\n") + 1, len(self.text) - self.text.rfind("\n"))


WORDS = st.text("abcé中", min_size=1, max_size=3)


def write_value(draw: st.DrawFn, out: Written, path: TomlPath, depth: int, *, inline: bool = False) -> None:
    out.values[path] = out.here
    kind = draw(st.sampled_from(["number", "text", "array", "table"] if depth else ["number", "text"]))
    if kind == "number":
        out.text += draw(st.sampled_from(["1", "-2.5", "true", "1979-05-27", "inf"]))
    elif kind == "text":
        quote = draw(st.sampled_from(['"', "'", '"""'][: 2 if inline else 3]))
        out.text += f"{quote}{draw(WORDS)}{quote}"
    elif kind == "array":
        out.text += "["
        for index in range(draw(st.integers(0, 3))):
            out.text += draw(st.sampled_from(["", " ", "\n  ", " # é\n"][: 2 if inline else 4]))
            write_value(draw, out, (*path, index), depth - 1, inline=inline)
            out.text += ","
        out.text += "]"
    else:
        out.text += "{"
        for index in range(draw(st.integers(0, 3))):
            out.text += ", " if index else " "
            write_pair(draw, out, path, depth - 1, name=f"k{index}", inline=True)
        out.text += " }"


def write_pair(draw: st.DrawFn, out: Written, prefix: TomlPath, depth: int, *, name: str, inline: bool = False) -> None:
    word = draw(WORDS)
    form, parts = draw(
        st.sampled_from(
            [(name, (name,)), (f'"{name} {word}"', (f"{name} {word}",)), (f"{name} . 'z{word}'", (name, f"z{word}"))]
        )
    )
    path = (*prefix, *parts)
    out.keys[path] = out.here
    out.text += form + draw(st.sampled_from([" = ", "=", "  =\t"]))
    write_value(draw, out, path, depth, inline=inline)


@st.composite
def documents(draw: st.DrawFn, line_ends: tuple[str, ...] = ("\n", "\n# é\n")) -> Written:
    out = Written()
    for index in range(draw(st.integers(0, 2))):
        write_pair(draw, out, (), 2, name=f"root{index}")
        out.text += "\n"
    counts = {"many": 0}
    for section in range(draw(st.integers(0, 4))):
        is_array = draw(st.booleans())
        name = "many" if is_array else f"table{section}"
        prefix: TomlPath = (name, counts["many"]) if is_array else (name,)
        counts["many"] += is_array
        out.text += "[[" if is_array else "["
        out.keys[prefix] = out.here
        out.text += (name + "]]" if is_array else name + "]") + draw(st.sampled_from(["\n", " # 中\n", "\n\n"]))
        for index in range(draw(st.integers(0, 3))):
            write_pair(draw, out, prefix, 2, name=f"key{index}")
            out.text += draw(st.sampled_from(line_ends))
    return out


def assert_found(written: Written) -> None:
    tomllib.loads(written.text)  # the text is TOML indeed
    assert written.keys == {path: find_position(written.text, path) for path in written.keys}
    assert written.values == {path: find_position(written.text, path, "value") for path in written.values}


@settings(deadline=None, max_examples=80)
@given(documents())
def test_that_everything_in_a_random_document_is_found_where_it_was_written(written: Written) -> None:
    assert_found(written)


@settings(deadline=None, max_examples=80)
@given(documents(line_ends=("\n", " # a comment behind a value\n")))
def test_that_values_with_a_comment_behind_them_are_found_where_they_were_written(written: Written) -> None:
    assert_found(written)


def test_that_a_value_with_a_comment_behind_it_is_found() -> None:
    assert find_position('name = "op" # the PyTorch name\n', ("name",), "value") == Position(1, 8)
