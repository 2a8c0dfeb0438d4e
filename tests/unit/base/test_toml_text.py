"""TOML text to values and back; hostile texts."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.base.toml_text import TomlTextError, parse_toml, render_toml_text


def test_that_values_are_those_of_the_standard_library() -> None:
    text = 'a.b = [1, 0x10, 2.5, "é"]\n[[c]]\nd = 1979-05-27\n'

    assert tomllib.loads(text) == parse_toml(text)


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("x = " + "[" * 60 + "]" * 60, "nested deeper than 50 levels", (1, 55)),
        ("[" + "a." * 5000 + "a]\nx = 1\n", "nested deeper than 50 levels", (1, 2)),
        ("y = 1\nx = " + "[" * 5000, "it is nested too deeply", (None, None)),
        ("y = 1\nx = " + "9" * 5000, "a number has too many digits", (2, 5)),
        ("y = 1\nx = [1, 0x" + "f" * 5000 + "]", "a number has too many digits", (2, 9)),
        ('x = """\n', "a string is not closed", (2, 1)),
    ],
    ids=["lists", "tables", "too deep to read", "decimal", "hexadecimal", "end"],
)
def test_that_a_text_which_nobody_would_write_is_refused_at_its_place(
    text: str, message: str, place: tuple[int | None, int | None]
) -> None:
    with pytest.raises(TomlTextError) as caught:
        parse_toml(text)

    assert place == (caught.value.line, caught.value.column)
    assert message in str(caught.value)


def test_that_what_people_nest_is_taken() -> None:
    parse_toml("x = " + "[" * 49 + "]" * 49)


@settings(deadline=None)
@given(st.text())
def test_that_any_text_comes_back_from_a_document(text: str) -> None:
    assert {"x": text} == tomllib.loads(f"x = {render_toml_text(text)}")


@pytest.mark.parametrize("letter", ["\x00", "\x7f", "\x1f", "\n", "\\", '"', "😀", "\u2028"])
def test_that_a_letter_which_needs_an_escape_comes_back(letter: str) -> None:
    assert {"x": letter} == tomllib.loads(f"x = {render_toml_text(letter)}")
