"""Finding and replacing: what is found, what is shown, what can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from opstudio.base.colours import DARK
from opstudio.qt.editor.editor_page import EditorPage
from opstudio.qt.editor.text_search import MOST_MATCHES, SearchQuery, replacement_of, search
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

TEXT = "int scale = 1;\nfloat Scale = scale * 2;  // 😀 scale\nint rescale = 3;\n"


@pytest.fixture
def page(tmp_path: Path, theme: Theme, icons: Icons, qtbot: QtBot) -> Iterator[EditorPage]:
    path = tmp_path / "kernel.cpp"
    path.write_text(TEXT, encoding="utf-8")
    page = EditorPage(path, theme, icons)
    qtbot.addWidget(page)
    page.resize(900, 400)
    page.show()
    yield page
    page.close()
    page.deleteLater()


def fields(page: EditorPage) -> tuple[QLineEdit, QLineEdit]:
    needle, replacement = page.find_bar.findChildren(QLineEdit)
    return needle, replacement


def click(page: EditorPage, qtbot: QtBot, text: str) -> None:
    (button,) = [item for item in page.find_bar.findChildren(QPushButton) if item.text() == text]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (SearchQuery(text="scale"), ["scale", "Scale", "scale", "scale", "scale"]),
        (SearchQuery(text="scale", match_case=True), ["scale"] * 4),
        (SearchQuery(text="scale", match_case=True, whole_words=True), ["scale"] * 3),
        (SearchQuery(text=r"(\w+) = (\d)", is_pattern=True), ["scale = 1", "rescale = 3"]),
        (SearchQuery(text="^int"), []),
        (SearchQuery(text="^int", is_pattern=True), ["int", "int"]),
        (SearchQuery(text="scale\nfloat", is_pattern=False), []),
        (SearchQuery(text="😀 scale"), ["😀 scale"]),
        (SearchQuery(text="x*", is_pattern=True), []),
        (SearchQuery(text=""), []),
    ],
    ids=lambda value: value.text if isinstance(value, SearchQuery) else "",
)
def test_that_a_query_finds_what_it_says(query: SearchQuery, words: list[str]) -> None:
    assert [match.captured() for match in search(TEXT, query).matches] == words


def test_that_an_expression_that_is_none_is_told() -> None:
    result = search(TEXT, SearchQuery(text="(", is_pattern=True))
    assert result.matches == ()
    assert "parenthes" in result.error


def test_that_an_expression_which_would_take_for_ever_ends() -> None:
    assert search("a" * 5000 + "b", SearchQuery(text="(a+)+c", is_pattern=True)).matches == ()


def test_that_matches_are_cut_where_nobody_looks_any_more() -> None:
    result = search("x" * (MOST_MATCHES + 5), SearchQuery(text="x"))
    assert (len(result.matches), result.is_cut) == (MOST_MATCHES, True)


def test_that_a_replacement_may_name_groups() -> None:
    query = SearchQuery(text=r"(\w+) = (\d)", is_pattern=True)
    (match, _) = search(TEXT, query).matches
    assert replacement_of(match, query, r"\2 = \1\n\\1 \0") == "1 = scale\n\\1 scale = 1"
    assert replacement_of(match, SearchQuery(text="scale"), r"\1") == r"\1"


def test_that_enter_walks_through_the_matches_and_round(page: EditorPage, qtbot: QtBot) -> None:
    page.find_bar.open()
    qtbot.keyClicks(fields(page)[0], "scale")
    assert page.find_bar.count_text == "5 matches"
    seen: list[tuple[int, int]] = []
    for _ in range(6):
        qtbot.keyClick(fields(page)[0], Qt.Key.Key_Return)
        cursor = page.editor.textCursor()
        seen.append((cursor.blockNumber(), cursor.selectionStart() - cursor.block().position()))
    assert seen == [(0, 4), (1, 6), (1, 14), (1, 32), (2, 6), (0, 4)]
    assert page.find_bar.count_text == "1 of 5"
    qtbot.keyClick(fields(page)[0], Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert page.find_bar.count_text == "5 of 5"


def test_that_what_is_selected_is_searched_and_escape_leads_back(page: EditorPage, qtbot: QtBot) -> None:
    page.editor.go_to(1, 5)
    cursor = page.editor.textCursor()
    cursor.movePosition(cursor.MoveOperation.EndOfWord, cursor.MoveMode.KeepAnchor)
    page.editor.setTextCursor(cursor)
    page.find_bar.open()
    assert (fields(page)[0].text(), page.find_bar.count_text) == ("scale", "1 of 5")
    qtbot.keyClick(fields(page)[0], Qt.Key.Key_Escape)
    assert not page.find_bar.isVisible()


def test_that_all_are_replaced_in_one_step(page: EditorPage, qtbot: QtBot) -> None:
    page.find_bar.open(replace=True)
    qtbot.keyClicks(fields(page)[0], "scale")
    fields(page)[1].setText("factor 😀")
    click(page, qtbot, "Replace all")
    assert page.find_bar.count_text == "5 replaced"
    assert page.editor.file_text() == TEXT.replace("scale", "factor 😀").replace("Scale", "factor 😀")
    page.editor.undo()
    assert page.editor.file_text() == TEXT
    assert not page.is_modified


def test_that_one_is_replaced_and_the_next_selected(page: EditorPage, qtbot: QtBot) -> None:
    page.find_bar.open(replace=True)
    qtbot.keyClicks(fields(page)[0], "scale")
    qtbot.keyClicks(fields(page)[1], "s")
    click(page, qtbot, "Replace")
    assert page.editor.file_text() == TEXT
    click(page, qtbot, "Replace")
    assert page.editor.file_text() == TEXT.replace("scale", "s", 1)
    assert page.editor.textCursor().selectedText() == "Scale"


def test_that_matches_stand_on_a_ground_and_follow_the_text(page: EditorPage, qtbot: QtBot) -> None:
    page.find_bar.open()
    qtbot.keyClicks(fields(page)[0], "scale")
    place = page.editor.visible_blocks()[0][1]
    advance = page.editor.fontMetrics().horizontalAdvance("int ")
    spot = (round(place.left()) + advance + 5, round(place.top()) + 1)
    image = page.editor.viewport().grab().toImage()
    assert image.pixelColor(*spot).name().upper() == DARK.tint("warn")
    page.editor.go_to(1, 1)
    page.editor.textCursor().insertText("scale ")
    qtbot.waitUntil(lambda: page.find_bar.count_text == "6 matches")


def test_that_a_file_which_is_only_read_is_not_replaced(
    tmp_path: Path, theme: Theme, icons: Icons, qtbot: QtBot
) -> None:
    path = tmp_path / "header.h"
    path.write_text(TEXT, encoding="utf-8")
    page = EditorPage(path, theme, icons, editable=False)
    qtbot.addWidget(page)
    page.show()
    page.find_bar.open(replace=True)
    assert not fields(page)[1].isVisible()
    fields(page)[0].setText("scale")
    page.find_bar.replace_all()
    page.find_bar.replace()
    assert page.editor.file_text() == TEXT
    page.close()
    page.deleteLater()
