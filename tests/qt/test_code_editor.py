from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from opstudio.base.colours import DARK, LIGHT
from opstudio.base.finding import Severity
from opstudio.qt.editor.code_editor import CodeEditor
from opstudio.qt.editor.line_marks import LineMark
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme, ThemeChoice
from tests.qt.events import a_finding

TEXT = "int a;\nvoid f() {\n  g();\n}\n"


@pytest.fixture
def editor(theme: Theme, icons: Icons, qtbot: QtBot) -> Iterator[CodeEditor]:
    editor = CodeEditor(theme, icons, ".cpp")
    qtbot.addWidget(editor)
    editor.setPlainText(TEXT)
    editor.resize(600, 300)
    editor.show()
    yield editor
    editor.close()
    editor.deleteLater()


def put(editor: CodeEditor, line: int, column: int) -> None:
    editor.go_to(line, column)


def test_that_marks_move_with_the_text(editor: CodeEditor) -> None:
    editor.set_marks([LineMark(3, a_finding())])
    assert editor.marks.lines == (2,)
    put(editor, 1, 1)
    editor.textCursor().insertText("// new\n// lines\n")
    assert editor.marks.lines == (4,)
    assert editor.document().findBlockByNumber(4).text() == "  g();"


def test_that_the_gravest_finding_of_a_line_comes_first(editor: CodeEditor) -> None:
    note = a_finding("PRF007", severity=Severity.NOTE)
    editor.set_marks([LineMark(3, note), LineMark(3, a_finding("NUM012")), LineMark(99, note)])
    assert [mark.finding.id for mark in editor.marks.at(2)] == ["NUM012", "PRF007"]
    assert editor.marks.lines == (2, 4)


def test_that_a_marked_line_stands_on_a_tinted_ground(editor: CodeEditor) -> None:
    editor.set_marks([LineMark(3, a_finding())])
    image = editor.viewport().grab().toImage()
    rows = {block.blockNumber(): round(place.center().y()) for block, place in editor.visible_blocks()}
    right = image.width() - 2
    assert image.pixelColor(right, rows[2]).name().upper() == DARK.tint("bad")
    assert image.pixelColor(right, rows[0]).name().upper() != DARK.tint("bad")


def test_that_the_tool_tip_of_a_marked_line_explains_its_findings(editor: CodeEditor) -> None:
    editor.set_marks([LineMark(3, a_finding(title="a < b & c"))])
    assert "a &lt; b &amp; c" in editor.tool_tip_at(2)
    assert "Compute the element by hand" in editor.tool_tip_at(2)
    assert editor.tool_tip_at(0) == ""


def test_that_hard_spaces_are_kept(editor: CodeEditor) -> None:
    editor.setPlainText("a\u00a0b\n")
    assert editor.file_text() == "a\u00a0b\n"


def test_that_replacing_a_text_keeps_the_cursor_and_can_be_undone(editor: CodeEditor) -> None:
    put(editor, 4, 2)
    editor.replace_text(TEXT.replace("int a;", "int 😀 = 1;"))
    assert editor.textCursor().blockNumber() == 3
    assert editor.file_text() == TEXT.replace("int a;", "int 😀 = 1;")
    editor.replace_text(TEXT)
    assert editor.file_text() == TEXT
    editor.undo()
    assert editor.file_text() == TEXT.replace("int a;", "int 😀 = 1;")


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier])
def test_that_enter_begins_a_line_as_deep_as_the_last(
    editor: CodeEditor, qtbot: QtBot, modifier: Qt.KeyboardModifier
) -> None:
    put(editor, 3, 7)
    qtbot.keyClick(editor, Qt.Key.Key_Return, modifier)
    qtbot.keyClicks(editor, "h();")
    assert editor.file_text() == TEXT.replace("  g();", "  g();\n  h();")


def test_that_tab_goes_to_the_next_stop_of_the_file(editor: CodeEditor, qtbot: QtBot) -> None:
    put(editor, 1, 2)
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.file_text().splitlines()[0] == "i nt a;"


def test_that_selected_lines_are_indented_and_back(editor: CodeEditor, qtbot: QtBot) -> None:
    cursor = editor.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(TEXT.index("  g();"), QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.file_text() == "  int a;\n  void f() {\n  g();\n}\n"
    qtbot.keyClick(editor, Qt.Key.Key_Backtab)
    assert editor.file_text() == TEXT


def test_that_going_to_a_place_beyond_the_text_goes_to_its_end(editor: CodeEditor) -> None:
    editor.go_to(99, 99)
    assert editor.textCursor().atEnd()


def test_that_the_margin_grows_with_the_number_of_lines(editor: CodeEditor) -> None:
    before = editor.viewport().geometry().left()
    editor.setPlainText("\n" * 20_000)
    assert editor.viewport().geometry().left() > before


def test_that_the_line_under_the_pointer_is_found(editor: CodeEditor) -> None:
    place = next(place for block, place in editor.visible_blocks() if block.blockNumber() == 2)
    assert editor.cursorForPosition(QPoint(5, round(place.center().y()))).blockNumber() == 2


def colours_of(editor: CodeEditor, line: int) -> dict[str, str]:
    """Return the coloured stretches of a line (counted from zero)."""
    block = editor.document().findBlockByNumber(line)
    text = block.text()
    return {
        text[item.start : item.start + item.length]: item.format.foreground().color().name().upper()  # type: ignore[attr-defined]
        for item in block.layout().formats()
    }


def test_that_code_is_coloured_and_follows_what_is_typed(editor: CodeEditor, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: colours_of(editor, 0) == {"int": DARK.syntax["type"]})
    assert colours_of(editor, 2) == {"g": DARK.syntax["function"]}
    put(editor, 3, 1)
    qtbot.keyClicks(editor, "//")
    qtbot.waitUntil(lambda: colours_of(editor, 2) == {"//  g();": DARK.syntax["comment"]})


def test_that_lines_are_coloured_when_they_come_into_view(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.setPlainText("int a;\n" * 500)
    qtbot.waitUntil(lambda: colours_of(editor, 0) == {"int": DARK.syntax["type"]})
    assert colours_of(editor, 450) == {}
    editor.go_to(451)
    assert colours_of(editor, 450) == {"int": DARK.syntax["type"]}


def test_that_colours_follow_the_theme(editor: CodeEditor, theme: Theme, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: colours_of(editor, 0) != {})
    before = theme.choice
    theme.choose(ThemeChoice.LIGHT)
    assert colours_of(editor, 0) == {"int": LIGHT.syntax["type"]}
    theme.choose(before)


def test_that_colours_are_no_change_of_the_text(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.document().setModified(False)
    qtbot.waitUntil(lambda: colours_of(editor, 0) != {})
    assert not editor.document().isModified()
    assert not editor.document().isUndoAvailable()


def test_that_the_pair_of_a_bracket_is_shown(editor: CodeEditor, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: colours_of(editor, 0) != {})
    put(editor, 4, 2)
    image = editor.viewport().grab().toImage()
    for line in (1, 3):
        block = editor.document().findBlockByNumber(line)
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + block.text().index("{" if line == 1 else "}"))
        corner = editor.cursorRect(cursor)
        assert image.pixelColor(corner.left() + 1, corner.top() + 1).name().upper() == DARK.selection
    put(editor, 1, 1)
    assert editor.viewport().grab().toImage() != image
