from __future__ import annotations

import re

import pytest

from opstudio.base.colours import DARK, GROUNDS, LIGHT, MARKS, TEXTS, THEMES, Tokens, contrast, mix
from tests.support.workspaces import ROOT

TEXT_CONTRAST = 4.5
MARK_CONTRAST = 3.0
ABOUT = 0.01

both = pytest.mark.parametrize("tokens", THEMES, ids=lambda tokens: tokens.name)


@both
@pytest.mark.parametrize("text", TEXTS)
def test_that_text_stands_out_on_every_ground(tokens: Tokens, text: str) -> None:
    found = {ground: contrast(getattr(tokens, text), getattr(tokens, ground)) for ground in GROUNDS}
    assert {ground: value for ground, value in found.items() if value < TEXT_CONTRAST} == {}


@both
def test_that_marks_and_series_stand_out_on_every_ground(tokens: Tokens) -> None:
    marks = {name: getattr(tokens, name) for name in MARKS} | dict(enumerate(tokens.series))
    found = {
        (name, ground): contrast(mark, getattr(tokens, ground)) for name, mark in marks.items() for ground in GROUNDS
    }
    assert {pair: value for pair, value in found.items() if value < MARK_CONTRAST} == {}


@both
def test_that_text_stands_out_on_selections_and_tints(tokens: Tokens) -> None:
    grounds = [tokens.selection, tokens.hover, *(tokens.tint(state) for state in ("good", "warn", "bad", "info"))]
    assert [ground for ground in grounds if contrast(tokens.text, ground) < TEXT_CONTRAST] == []


@both
def test_that_code_stands_out_on_its_line(tokens: Tokens) -> None:
    grounds = [tokens.surface, tokens.hover, *(tokens.tint(state) for state in ("bad", "warn", "info"))]
    found = {(kind, ground): contrast(colour, ground) for kind, colour in tokens.syntax.items() for ground in grounds}
    assert {pair: value for pair, value in found.items() if value < TEXT_CONTRAST} == {}


def test_that_every_kind_of_the_queries_has_a_colour() -> None:
    queries = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "resources" / "syntax").glob("*.scm"))
    kinds = set(re.findall(r"@(\w+)", queries)) - {"plain"}
    assert kinds == set(DARK.syntax) == set(LIGHT.syntax)


@both
def test_that_the_words_of_states_stand_out_on_what_is_selected(tokens: Tokens) -> None:
    found = {
        state: contrast(getattr(tokens, state), tokens.selection) for state in ("good", "warn", "bad", "info", "text_2")
    }
    assert {state: value for state, value in found.items() if value < MARK_CONTRAST} == {}


@both
def test_that_the_eight_series_are_eight_colours(tokens: Tokens) -> None:
    assert len(set(tokens.series)) == 8


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    # The ends of the scale by definition; the grey is the best known example of one that just fails.
    [("#000000", "#FFFFFF", 21.0), ("#336699", "#336699", 1.0), ("#777777", "#FFFFFF", 4.48)],
)
def test_that_contrast_is_that_of_the_guidelines(one: str, other: str, expected: float) -> None:
    assert contrast(one, other) == pytest.approx(expected, abs=ABOUT)
    assert contrast(other, one) == contrast(one, other)


def test_that_mixing_lays_one_colour_over_another() -> None:
    assert mix("#FF0000", "#0000FF", 0.0) == "#0000FF"
    assert mix("#FF0000", "#0000FF", 1.0) == "#FF0000"
    assert mix("#FFFFFF", "#000000", 0.5) == "#808080"
