"""TOML files read strictly, with every problem at its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.base.toml_document import Table, TomlDocument
from tests.support.contracts import MARK, position_of, take_marks


def read(folder: Path, text: str | bytes) -> TomlDocument:
    path = folder / "file.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return TomlDocument.read(path, stage="workspace")


def problems_of(document: TomlDocument) -> tuple[Finding, ...]:
    with pytest.raises(InputError) as caught:
        document.raise_problems()
    return caught.value.findings


GOOD = """
text = "a"
count = 3
ratio = 2.5
whole = 2
flag = true
texts = ["a", "b"]
numbers = [1, 2.5]
table = { x = 1 }
empty = []
[[rows]]
n = 1
[[rows]]
n = 2
"""


def test_that_values_come_in_their_types(tmp_path: Path) -> None:
    root = read(tmp_path, GOOD).root

    assert (
        root.text("text"),
        root.integer("count"),
        root.number("ratio"),
        root.number("whole"),
        root.boolean("flag", default=False),
    ) == ("a", 3, 2.5, 2.0, True)
    assert (root.texts("texts"), root.numbers("numbers"), root.texts("empty", ["z"])) == (("a", "b"), (1.0, 2.5), ())
    assert root.table("table").integer("x") == 1
    assert [row.integer("n") for row in root.tables("rows")] == [1, 2]


def test_that_absent_keys_take_their_defaults(tmp_path: Path) -> None:
    document = read(tmp_path, "")
    root = document.root

    assert (
        root.text("a", "d"),
        root.optional_text("b"),
        root.integer("c", 7),
        root.number("d", 0.5),
        root.boolean("e", default=True),
    ) == ("d", None, 7, 0.5, True)
    assert (
        root.texts("f", ["x"]),
        root.numbers("g", [1.5]),
        root.tables("h"),
        root.table("i").keys(),
    ) == (("x",), (1.5,), (), ())
    document.raise_problems()


WRONG_TYPES: list[tuple[str, Callable[[Table], Any], str, Any]] = [
    (f"k = {MARK}1", lambda root: root.text("k"), "k must be a string, not an integer (1)", ""),
    (f"k = {MARK}1", lambda root: root.text("k", "d"), "k must be a string, not an integer (1)", "d"),
    (f"k = {MARK}[]", lambda root: root.optional_text("k"), "k must be a string, not a list ([])", ""),
    (f'k = {MARK}"1"', lambda root: root.integer("k"), "k must be an integer, not a string ('1')", 0),
    (f"k = {MARK}1.0", lambda root: root.integer("k", 4), "k must be an integer, not a number (1.0)", 4),
    (f"k = {MARK}true", lambda root: root.integer("k"), "k must be an integer, not true or false (True)", 0),
    (f"k = {MARK}true", lambda root: root.number("k"), "k must be a number, not true or false (True)", 0.0),
    (f"k = {MARK}1", lambda root: root.boolean("k", default=True), "k must be true or false, not an integer (1)", True),
    (f'k = {MARK}"a"', lambda root: root.texts("k"), "k must be a list, not a string ('a')", ()),
    (f'k = ["a", {MARK}1]', lambda root: root.texts("k"), "k must be a string, not an integer (1)", ()),
    (f"k = [\n  1,\n  {MARK}true]", lambda root: root.numbers("k"), "k must be a number, not true or false (True)", ()),
    (f"k = {MARK}1", lambda root: root.table("k").keys(), "k must be a table, not an integer (1)", ()),
    (f"k = {MARK}[1]", lambda root: root.tables("k"), "k must be an array of tables ([[k]]), not a list ([1])", ()),
    (
        f"[{MARK}k]\nx = 1",
        lambda root: root.tables("k"),
        "k must be an array of tables ([[k]]), not a table ({'x': 1})",
        (),
    ),
]


@pytest.mark.parametrize(("text", "use", "cause", "result"), WRONG_TYPES)
def test_that_a_wrong_type_is_noted_at_the_value_and_reading_goes_on(
    tmp_path: Path, text: str, use: Callable[[Table], Any], cause: str, result: Any
) -> None:
    plain, (place,) = take_marks(text)
    document = read(tmp_path, plain)

    assert result == use(document.root)

    (finding,) = problems_of(document)
    assert ("CON002", cause, place, "workspace") == (finding.id, finding.cause, position_of(finding), finding.stage)


@pytest.mark.parametrize("value", ["1979-05-27", "07:32:00", "1979-05-27T07:32:00Z"])
def test_that_dates_are_no_texts(tmp_path: Path, value: str) -> None:
    document = read(tmp_path, f"k = {value}")
    document.root.text("k")

    assert [finding.id for finding in problems_of(document)] == ["CON002"]


def test_that_missing_keys_are_noted_at_their_table(tmp_path: Path) -> None:
    text, (first, second) = take_marks(f"x = 1\n[{MARK}a]\n[{MARK}a.b]\n")
    document = read(tmp_path, text)
    document.root.table("a").text("name")
    document.root.table("a").table("b").integer("size")

    name, size = problems_of(document)
    assert ("CON003", "[a] needs name", "Add name = …", first) == (name.id, name.cause, name.fix, position_of(name))
    assert ("CON003", "[a.b] needs size", second) == (size.id, size.cause, position_of(size))


def test_that_a_key_missing_at_the_top_has_the_file_as_its_place(tmp_path: Path) -> None:
    document = read(tmp_path, "")
    document.root.text("name")

    (finding,) = problems_of(document)
    assert ("the file needs name", str(tmp_path / "file.toml")) == (finding.cause, finding.places[0].file)


def test_that_unknown_keys_are_noted_with_the_nearest_known_one(tmp_path: Path) -> None:
    text, (first, second) = take_marks(f"[t]\nname = 1\n{MARK}nmae = 2\n{MARK}q = 3\n")
    document = read(tmp_path, text)
    table = document.root.table("t")
    table.value("name")
    table.optional_text("label")
    table.finish()

    near, far = problems_of(document)
    assert ("CON001", "Unknown key nmae in [t]", first) == (near.id, near.title, position_of(near))
    assert "did you mean name?" in near.cause
    assert ("CON001", second) == (far.id, position_of(far))
    assert "known are label, name" in far.cause


def test_that_problems_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    document = read(tmp_path, "a = 1\nb = 1\nc = 1\nd = 1\n")
    for key in "cadb":
        document.root.text(key)

    assert [finding.places[0].line for finding in problems_of(document)] == [1, 2, 3, 4]


def test_that_problems_of_one_line_are_told_from_left_to_right(tmp_path: Path) -> None:
    document = read(tmp_path, "t = { a = 1, b = 1, c = 1 }\n")
    for key in "cab":
        document.root.table("t").text(key)

    assert [finding.places[0].column for finding in problems_of(document)] == [11, 18, 25]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"a = 1\nb = {MARK}\n", "Invalid value"),
        (f'a = "é"\nb = 1 {MARK}2\n', "Expected newline or end of document after a statement"),
        (f"[a]\n{MARK}= 1\n", "Invalid statement"),
        (f"[a]\n[a{MARK}]\n", "Cannot declare ('a',) twice"),
        (f"a = 1\na = 2{MARK}\n", "Cannot overwrite a value"),
        (f'a = "b{MARK}\n"\n', "a string is not closed: its second quote is missing"),
        (f"a = 0{MARK}1\n", "Expected newline or end of document after a statement"),
    ],
)
def test_that_a_file_which_is_not_toml_is_refused_at_its_place(tmp_path: Path, text: str, cause: str) -> None:
    plain, (place,) = take_marks(text)

    with pytest.raises(InputError) as caught:
        read(tmp_path, plain)

    (finding,) = caught.value.findings
    assert ("CON005", cause, place) == (finding.id, finding.cause, position_of(finding))


def test_that_a_text_which_ends_too_early_is_refused_at_its_last_line(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, 'a = 1\nb = """never closed')

    assert (caught.value.findings[0].id, caught.value.findings[0].places[0].line) == ("CON005", 2)


def test_that_a_text_which_ends_too_early_is_refused_with_its_column(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, 'a = 1\nb = """never closed')

    assert position_of(caught.value.findings[0]) == (2, 20)


@pytest.mark.parametrize("text", ["x = " + "[" * 5000, "x = " + "9" * 5000])
def test_that_a_hostile_text_is_refused_like_any_other(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        read(tmp_path, text)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_that_lines_count_alike_whatever_ends_them(tmp_path: Path, line_end: str) -> None:
    document = read(tmp_path, line_end.join(["# é", "[t]", 'x = """', '两行"""', "y = 1", ""]))
    document.root.table("t").text("y")

    assert position_of(problems_of(document)[0]) == (5, 5)


def test_that_the_byte_order_mark_of_windows_editors_is_no_part_of_the_text(tmp_path: Path) -> None:
    document = read(tmp_path, b"\xef\xbb\xbfx = 1\n")
    document.root.text("x")

    assert position_of(problems_of(document)[0]) == (1, 5)


@pytest.mark.parametrize("content", [b"x = 1 # \xe9\n", "x = 1".encode("utf-16")])
def test_that_a_file_in_another_encoding_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError, match="Cannot read") as caught:
        read(tmp_path, content)

    (finding,) = caught.value.findings
    assert (str(tmp_path / "file.toml"), "workspace") == (finding.places[0].file, finding.stage)
    assert "UTF-8" in finding.fix


@pytest.mark.parametrize(("name", "cause"), [("absent", "No such file or directory"), ("", "Is a directory")])
def test_that_a_file_which_cannot_be_read_is_refused(tmp_path: Path, name: str, cause: str) -> None:
    with pytest.raises(InputError) as caught:
        TomlDocument.read(tmp_path / name, stage="contract")

    assert ("STU002", cause) == (caught.value.findings[0].id, caught.value.findings[0].cause)


def test_that_an_integer_beyond_all_numbers_is_endless(tmp_path: Path) -> None:
    root = read(tmp_path, f"x = -{'9' * 400}\ny = [{'9' * 400}]\n").root

    assert (root.number("x"), root.numbers("y")) == (float("-inf"), (float("inf"),))


def test_that_a_long_value_is_cut_in_a_message(tmp_path: Path) -> None:
    document = read(tmp_path, f'x = "{"a" * 10_000}"\n')
    document.root.integer("x")

    (finding,) = problems_of(document)
    assert len(finding.cause) < 200
