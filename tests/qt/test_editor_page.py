from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from opstudio.qt.editor.editor_page import EditorPage
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.workspace.unsaved_texts import UnsavedTexts
from tests.qt.window_access import answer

OpenPage = Callable[..., EditorPage]


@pytest.fixture
def open_page(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot) -> Iterator[OpenPage]:
    pages: list[EditorPage] = []

    def open_it(
        data: bytes = b"one\ntwo\n", *, editable: bool = True, unsaved: UnsavedTexts | None = None
    ) -> EditorPage:
        path = tmp_path / "kernel.cpp"
        path.write_bytes(data)
        page = EditorPage(path, theme, icons, editable=editable, unsaved=unsaved)
        qtbot.addWidget(page)
        page.show()
        pages.append(page)
        return page

    yield open_it
    for page in pages:
        page.close()
        page.deleteLater()


def replace_outside(page: EditorPage, data: bytes) -> None:
    """Write as editors do: beside, then renamed into place."""
    beside = page.path.with_suffix(".part")
    beside.write_bytes(data)
    beside.replace(page.path)


def test_that_saving_writes_the_text_and_ends_the_mark(open_page: OpenPage) -> None:
    page = open_page(b"one\r\n")
    page.editor.textCursor().insertText("new\n")
    assert page.is_modified
    assert page.save()
    assert page.path.read_bytes() == b"new\r\none\r\n"
    assert not page.is_modified


def test_that_typing_back_what_was_saved_ends_the_mark(open_page: OpenPage) -> None:
    page = open_page()
    page.editor.textCursor().insertText("x")
    page.editor.undo()
    assert not page.is_modified


def test_that_a_change_outside_is_taken_over_where_nothing_was_typed(open_page: OpenPage) -> None:
    page = open_page()
    page.editor.go_to(2, 3)
    replace_outside(page, b"zero\none\ntwo\n")
    page.look_outside()
    assert page.editor.file_text() == "zero\none\ntwo\n"
    assert not page.is_modified
    assert page.editor.textCursor().block().text() == "two"
    assert page.notice.isHidden()


def test_that_a_change_outside_is_asked_about_where_something_was_typed(open_page: OpenPage, qtbot: QtBot) -> None:
    page = open_page()
    page.editor.textCursor().insertText("mine ")
    replace_outside(page, b"theirs\n")
    page.look_outside()
    assert "changed by another program" in page.notice.text
    assert page.editor.file_text() == "mine one\ntwo\n"
    answer(page.notice, "Load that version", qtbot)
    assert (page.editor.file_text(), page.is_modified) == ("theirs\n", False)
    assert page.notice.isHidden()


def test_that_keeping_one_s_own_text_lets_the_next_save_replace_the_other(open_page: OpenPage, qtbot: QtBot) -> None:
    page = open_page()
    page.editor.textCursor().insertText("mine ")
    replace_outside(page, b"theirs\n")
    page.look_outside()
    answer(page.notice, "Keep mine", qtbot)
    page.look_outside()
    assert page.notice.isHidden()
    assert page.save()
    assert page.path.read_bytes() == b"mine one\ntwo\n"


def test_that_saving_never_overwrites_a_change_that_was_not_seen(open_page: OpenPage) -> None:
    page = open_page()
    page.editor.textCursor().insertText("mine ")
    replace_outside(page, b"theirs\n")
    assert not page.save()
    assert page.path.read_bytes() == b"theirs\n"
    assert "changed by another program" in page.notice.text


def test_that_a_touched_file_is_not_asked_about(open_page: OpenPage) -> None:
    page = open_page()
    page.editor.textCursor().insertText("mine ")
    os.utime(page.path, ns=(1, 1))
    page.look_outside()
    assert page.notice.isHidden()
    assert page.save()


def test_that_a_deleted_file_can_be_saved_again(open_page: OpenPage, qtbot: QtBot) -> None:
    page = open_page()
    page.path.unlink()
    page.look_outside()
    assert page.is_modified
    answer(page.notice, "Save it again", qtbot)
    assert page.path.read_bytes() == b"one\ntwo\n"
    assert not page.is_modified


def test_that_a_deleted_file_that_comes_back_is_taken_over(open_page: OpenPage) -> None:
    page = open_page()
    page.path.unlink()
    page.look_outside()
    replace_outside(page, b"back\n")
    page.look_outside()
    assert (page.editor.file_text(), page.is_modified) == ("back\n", False)


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"\x7fELF\0\0", "binary data"), ("a\u2029b\n".encode(), "characters that the editor cannot keep")],
)
def test_that_what_cannot_be_kept_is_not_edited(open_page: OpenPage, data: bytes, said: str) -> None:
    page = open_page(data)
    assert page.editor.isReadOnly()
    assert said in page.notice.text
    assert not page.save()
    assert page.path.read_bytes() == data


def test_that_a_save_that_fails_says_why_and_keeps_the_text(open_page: OpenPage) -> None:
    page = open_page(b"caf\xe9\n")
    page.editor.textCursor().insertText("算")
    assert not page.save()
    assert "has no place in LATIN-1" in page.notice.text
    assert page.is_modified
    assert page.path.read_bytes() == b"caf\xe9\n"


def test_that_what_was_typed_survives_the_studio(open_page: OpenPage, tmp_path: Path, qtbot: QtBot) -> None:
    state = tmp_path / ".opstudio"
    theirs, ours = UnsavedTexts(state), UnsavedTexts(state)
    killed = open_page(unsaved=theirs)
    killed.editor.textCursor().insertText("算子 😀\n")
    qtbot.waitUntil(lambda: len(list((state / "unsaved").glob("*.json"))) == 1)
    theirs.close()  # as the system does when a process ends

    page = open_page(unsaved=ours)
    assert page.editor.file_text() == "one\ntwo\n"
    assert "unsaved text" in page.notice.text
    answer(page.notice, "Restore it", qtbot)

    assert page.editor.file_text() == "算子 😀\none\ntwo\n"
    assert page.is_modified
    assert page.save()
    assert list((state / "unsaved").iterdir()) == []


def left_behind(state: Path, path: Path, text: str) -> None:
    """Keep a text as a studio does that ends then."""
    ended = UnsavedTexts(state)
    ended.keep(path, text)
    ended.close()


def test_that_what_was_found_waits_for_an_answer(open_page: OpenPage, tmp_path: Path, qtbot: QtBot) -> None:
    state = tmp_path / ".opstudio"
    left_behind(state, tmp_path / "kernel.cpp", "found\n")
    unsaved = UnsavedTexts(state)
    page = open_page(unsaved=unsaved)
    page.editor.textCursor().insertText("typed\n")
    qtbot.wait(900)
    assert page.save()
    found = unsaved.find(page.path)
    assert found is not None
    assert found.text == "found\n"
    answer(page.notice, "Discard it", qtbot)
    assert unsaved.find(page.path) is None
    assert page.path.read_bytes() == b"typed\none\ntwo\n"


def test_that_the_offer_outlives_a_change_from_outside_and_new_text_is_kept_beside_it(
    open_page: OpenPage, tmp_path: Path, qtbot: QtBot
) -> None:
    state = tmp_path / ".opstudio"
    left_behind(state, tmp_path / "kernel.cpp", "found\n")
    page = open_page(unsaved=UnsavedTexts(state))
    page.path.write_bytes(b"one\ntwo\nthree\n")
    page.look_outside()
    assert page.editor.file_text() == "one\ntwo\nthree\n"
    assert "unsaved text" in page.notice.text
    assert page.notice.isVisibleTo(page)
    page.editor.textCursor().insertText("typed\n")
    qtbot.waitUntil(lambda: len(list((state / "unsaved").glob("*.json"))) == 2)
    texts = {json.loads(path.read_text(encoding="utf-8"))["text"] for path in (state / "unsaved").glob("*.json")}
    assert texts == {"found\n", "typed\none\ntwo\nthree\n"}


def test_that_what_another_studio_still_has_is_not_offered(open_page: OpenPage, tmp_path: Path) -> None:
    state = tmp_path / ".opstudio"
    other, ours = UnsavedTexts(state), UnsavedTexts(state)
    other.keep(tmp_path / "kernel.cpp", "theirs\n")
    page = open_page(unsaved=ours)
    assert page.notice.isHidden()
    ours.discard(page.path)
    other.close()
    found = ours.find(page.path)
    assert found is not None
    assert found.text == "theirs\n"


def test_that_a_file_that_comes_back_as_it_was_is_not_modified(open_page: OpenPage) -> None:
    page = open_page()
    content = page.path.read_bytes()
    aside = page.path.rename(page.path.with_suffix(".aside"))
    page.look_outside()
    assert page.is_modified
    assert "deleted or moved" in page.notice.text
    aside.rename(page.path)
    page.look_outside()
    assert (page.is_modified, page.notice.isHidden()) == (False, True)
    page.path.unlink()
    page.look_outside()
    page.path.write_bytes(content + b"three\n")
    page.look_outside()
    assert (page.is_modified, page.editor.file_text()) == (False, "one\ntwo\nthree\n")


def test_that_text_typed_while_the_file_was_away_is_asked_about(open_page: OpenPage) -> None:
    page = open_page()
    page.editor.textCursor().insertText("mine\n")
    page.path.unlink()
    page.look_outside()
    page.path.write_bytes(b"theirs\n")
    page.look_outside()
    assert page.editor.file_text() == "mine\none\ntwo\n"
    assert "changed by another program" in page.notice.text


def test_that_saving_again_makes_the_folder_as_well(open_page: OpenPage, qtbot: QtBot) -> None:
    page = open_page()
    shutil.rmtree(page.path.parent)
    page.look_outside()
    answer(page.notice, "Save it again", qtbot)
    assert page.path.read_bytes() == b"one\ntwo\n"


@pytest.mark.parametrize("end", ["save", "undo", "give up"])
def test_that_nothing_is_kept_of_what_is_no_longer_unsaved(
    open_page: OpenPage, tmp_path: Path, qtbot: QtBot, end: str
) -> None:
    kept = tmp_path / ".opstudio" / "unsaved"
    page = open_page(unsaved=UnsavedTexts(tmp_path / ".opstudio"))
    page.editor.textCursor().insertText("typed\n")
    qtbot.waitUntil(lambda: list(kept.glob("*.json")) != [])
    {"save": page.save, "undo": page.editor.undo, "give up": page.forget_unsaved}[end]()
    assert list(kept.iterdir()) == []


def test_that_a_damaged_copy_is_as_good_as_none(open_page: OpenPage, tmp_path: Path) -> None:
    left_behind(tmp_path / ".opstudio", tmp_path / "kernel.cpp", "found\n")
    (entry,) = (tmp_path / ".opstudio" / "unsaved").iterdir()
    entry.write_text("{", encoding="utf-8")
    page = open_page(unsaved=UnsavedTexts(tmp_path / ".opstudio"))
    assert page.notice.isHidden()
