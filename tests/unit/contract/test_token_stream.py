"""Tokens of a one-line text."""

from __future__ import annotations

import re

import pytest

from opstudio.contract.token_stream import TextError, TokenStream

PATTERN = re.compile(r"\s*(?:(?P<number>\d+)|(?P<name>[a-z]+)|(?P<string>'[^']*')|(?P<symbol>->|.))")


class OwnError(TextError):
    pass


def stream(text: str) -> TokenStream:
    return TokenStream(text, PATTERN, OwnError)


def tokens(text: str) -> list[tuple[str, str, int]]:
    source, found = stream(text), []
    while (token := source.advance()).kind != "end":
        found.append((token.kind, token.text, token.column))
    return [*found, (token.kind, token.text, token.column)]


def test_that_tokens_have_kind_text_and_column() -> None:
    assert tokens("  ab->12 'x y'é") == [
        ("name", "ab", 3),
        ("symbol", "->", 5),
        ("number", "12", 7),
        ("string", "'x y'", 10),
        ("symbol", "é", 15),
        ("end", "the end", 16),
    ]


@pytest.mark.parametrize("text", ["", " ", "\t \n"])
def test_that_a_text_without_tokens_is_at_its_end(text: str) -> None:
    assert tokens(text) == [("end", "the end", len(text) + 1)]


def test_that_space_behind_the_last_token_is_no_token() -> None:
    assert tokens("a \n") == [("name", "a", 1), ("end", "the end", 4)]


def test_that_looking_ahead_takes_nothing_and_ends_at_the_end() -> None:
    source = stream("a b")

    assert tuple(source.peek(ahead).text for ahead in (0, 1, 2, 9)) == ("a", "b", "the end", "the end")
    assert source.advance().text == "a"


def test_that_the_end_can_be_taken_again_and_again() -> None:
    source = stream("a")

    assert [source.advance().text for _ in range(3)] == ["a", "the end", "the end"]


def test_that_only_the_wanted_symbol_or_word_is_accepted() -> None:
    source = stream("a -> 1 'b'")

    assert [source.accept(text) for text in ("->", "a", "a", "->")] == [False, True, False, True]
    assert [source.accept("1"), source.accept("'b'")] == [False, False]
    source.advance()
    assert (source.accept("'b'"), source.peek().text) == (False, "'b'")


def test_that_an_error_names_what_was_found_and_where() -> None:
    source = stream("ab cd")
    first = source.advance()

    with pytest.raises(OwnError, match=r"^expected !, found cd$") as caught:
        source.expect("!")
    assert (caught.value.column, caught.value.text) == (4, "ab cd")
    assert source.error("wrong", first).column == 1
    with pytest.raises(OwnError, match=r"^expected the end of the text, found cd$"):
        source.expect_end()
