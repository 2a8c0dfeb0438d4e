"""Everything in the palette; the menu Edit; the size of the text; about; how F5 and Ctrl+S answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QFontInfo, QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from opstudio import __version__
from opstudio.qt.about import ABOUT
from opstudio.qt.editor.editor_page import EditorPage
from opstudio.qt.language import LanguageChoice
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panels.log import LogPanel
from opstudio.qt.preferences import Preferences
from opstudio.qt.theme.theme import Theme, ThemeChoice
from tests.qt.conftest import MakeWindow
from tests.qt.events import OPERATOR, output
from tests.qt.window_access import activate, feed, panel_of
from tests.support.workspaces import TestWorkspace


def choose(window: MainWindow, typed: str, qtbot: QtBot) -> None:
    window.actions_.command_palette.trigger()
    window.finder.picker.field.insert(typed)  # keys could type no Chinese
    qtbot.keyClick(window.finder.picker.field, Qt.Key.Key_Return)


def page_of(window: MainWindow) -> EditorPage:
    page = window.editors.current
    assert page is not None
    return page


def leaves(menu: QMenu) -> list[QAction]:
    found: list[QAction] = []
    for action in menu.actions():
        below = action.menu()
        found += leaves(below) if isinstance(below, QMenu) else [] if action.isSeparator() else [action]
    return found


def test_that_every_action_of_the_menus_is_in_the_palette(window: MainWindow) -> None:
    menus = [action.menu() for action in window.menuBar().actions()]
    actions = [action for menu in menus if isinstance(menu, QMenu) for action in leaves(menu)]
    assert len(actions) > 60
    assert [action.text() for action in actions if action not in window.actions_.all] == []


def test_that_theme_language_panels_and_perspectives_are_chosen_in_the_palette(
    window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    choose(window, "light theme", qtbot)
    assert (theme.choice, window.preferences.theme) == (ThemeChoice.LIGHT, ThemeChoice.LIGHT)
    choose(window, "show or hide log", qtbot)
    assert not window.docks.panels["log"].isVisible()
    choose(window, "perspective history", qtbot)
    assert window.perspectives.shown == "history"
    choose(window, "language: 简体中文", qtbot)
    assert window.preferences.language is LanguageChoice.CHINESE
    assert window.actions_.save.text() == "保存"


def test_that_the_menu_edit_works_where_the_keyboard_is(window: MainWindow, qtbot: QtBot) -> None:
    editor, clipboard = page_of(window).editor, QGuiApplication.clipboard()
    activate(window, qtbot)
    editor.setFocus()
    before = editor.file_text()
    qtbot.keyClicks(editor, "word")
    choose(window, "undo", qtbot)
    assert editor.file_text() == before
    choose(window, "redo", qtbot)
    assert editor.file_text() == f"word{before}"
    choose(window, "select all", qtbot)
    choose(window, "cut", qtbot)
    assert (editor.file_text(), clipboard.text()) == ("", f"word{before}")
    choose(window, "paste", qtbot)
    assert editor.file_text() == f"word{before}"
    page_of(window).forget_unsaved()
    editor.document().setModified(False)


def test_that_the_menu_edit_offers_only_what_can_be_done(window: MainWindow, qtbot: QtBot) -> None:
    def offered() -> set[str]:
        window.actions_.about_to_show.emit()
        names = {"Undo", "Redo", "Cut", "Copy", "Paste", "Select all"}
        return {action.text() for action in window.actions_.all if action.text() in names and action.isEnabled()}

    QGuiApplication.clipboard().clear()
    activate(window, qtbot)
    page_of(window).editor.setFocus()
    assert offered() == {"Select all"}
    page_of(window).editor.selectAll()
    assert offered() == {"Select all", "Cut", "Copy"}


def test_that_keys_of_the_menu_edit_stay_those_of_the_text(window: MainWindow, qtbot: QtBot) -> None:
    editor = page_of(window).editor
    activate(window, qtbot)
    editor.setFocus()
    before = editor.file_text()
    qtbot.keyClicks(editor, "x")
    qtbot.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.file_text() == before


def test_that_lines_of_the_log_are_copied_by_the_menu(window: MainWindow, qtbot: QtBot) -> None:
    feed(window, output("line one\nline two\n"))
    activate(window, qtbot)
    window.docks.reveal("log")
    panel_of(window, LogPanel)._view.setFocus()
    choose(window, "select all", qtbot)
    choose(window, "copy", qtbot)
    copied = QGuiApplication.clipboard().text().splitlines()
    assert [line.split("  ")[-1] for line in copied] == ["line one", "line two"]


def test_that_the_text_is_larger_and_stays_so(window: MainWindow, theme: Theme) -> None:
    editor = page_of(window).editor
    usual = QFontInfo(editor.font()).pixelSize()
    window.actions_.larger_text.trigger()
    window.actions_.larger_text.trigger()
    assert QFontInfo(editor.font()).pixelSize() == usual + 2
    assert window.preferences.text_steps == 2
    area = QPointF(editor.viewport().rect().center())
    down = Qt.ScrollPhase.NoScrollPhase
    for modifier, steps in ((Qt.KeyboardModifier.ControlModifier, 1), (Qt.KeyboardModifier.NoModifier, 1)):
        turn = QWheelEvent(area, area, QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton, modifier, down, False)
        QApplication.sendEvent(editor.viewport(), turn)
        assert theme.text_steps == steps
    window.actions_.usual_text.trigger()
    assert QFontInfo(editor.font()).pixelSize() == usual
    theme.set_text_steps(-100)
    assert QFontInfo(editor.font()).pixelSize() >= 8


def test_that_the_size_of_the_text_is_a_preference(settings_folder: Path) -> None:
    del settings_folder
    first = Preferences.of_person()
    first.text_steps = -3
    first.sync()
    assert Preferences.of_person().text_steps == -3


def test_that_about_tells_releases_and_licences_in_place(window: MainWindow) -> None:
    window.status.show_environment((("torch", "2.13.0"),))
    window.actions_.about.trigger()
    assert window.center.shown is window.reading.page
    assert window.reading.page.help.page == ABOUT
    shown = window.reading.page.help.browser.toPlainText()
    assert __version__ in shown
    assert "2.13.0" in shown
    assert "LGPL" in shown
    assert "tree-sitter" in shown
    assert "MIT" in shown


def test_that_the_help_is_read_in_the_middle_and_left_with_escape(window: MainWindow, qtbot: QtBot) -> None:
    activate(window, qtbot)
    before = window.center.shown
    window.actions_.help.trigger()
    assert window.center.shown is window.reading.page
    assert window.reading.page.help.isVisible()
    assert window.focusWidget() is window.reading.page.help.search
    qtbot.keyClicks(window.reading.page.help.search, "strides")
    qtbot.keyClick(window.reading.page.help.search, Qt.Key.Key_Escape)
    assert window.center.shown is window.reading.page
    qtbot.keyClick(window.reading.page.help.search, Qt.Key.Key_Escape)
    assert window.center.shown is before


def test_that_f5_saves_the_files_of_the_operator_first(
    make_window: MakeWindow, workspace: TestWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.add("relu6_scale", "another")
    window = make_window(workspace.root)
    window.selection.select_operator("another")
    page_of(window).editor.insertPlainText("// theirs\n")
    theirs = page_of(window)
    window.selection.select_operator(OPERATOR)
    page_of(window).editor.insertPlainText("// mine\n")
    window.editors.open_file(workspace.root / OPERATOR / "reference.py").editor.insertPlainText("# mine\n")
    run: list[str] = []
    monkeypatch.setattr(window.session, "run_fresh", run.append)
    window.actions_.run_fresh.setEnabled(True)  # the loop is not open
    window.actions_.run_fresh.trigger()
    assert run == [OPERATOR]
    for name in ("relu6_scale.cpp", "reference.py"):
        assert "mine" in (workspace.root / OPERATOR / name).read_text(encoding="utf-8").splitlines()[0]
    assert theirs.is_modified
    assert "saves the files" in window.actions_.run_fresh.toolTip()
    theirs.editor.undo()
    theirs.forget_unsaved()


def test_that_f5_runs_nothing_where_a_file_cannot_be_saved(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    page = page_of(window)
    page.editor.insertPlainText("// mine\n")
    page.path.write_text("// theirs\n", encoding="utf-8")
    run: list[str] = []
    monkeypatch.setattr(window.session, "run_fresh", run.append)
    window.actions_.run_fresh.setEnabled(True)  # the loop is not open
    window.actions_.run_fresh.trigger()
    assert run == []
    assert "changed by another program" in page.notice.text
    page.editor.undo()
    page.forget_unsaved()


def test_that_saving_against_a_conflict_leads_to_the_choice(window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(window)
    activate(window, qtbot)
    page.editor.setFocus()
    page.editor.insertPlainText("// mine\n")
    page.path.write_text("// theirs\n", encoding="utf-8")
    page.look_outside()
    assert "changed by another program" in page.notice.text
    assert window.focusWidget() is page.editor
    qtbot.keyClick(page.editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is page.notice.buttons[0]
    assert page.path.read_text(encoding="utf-8") == "// theirs\n"
    qtbot.keyClick(page.notice.buttons[0], Qt.Key.Key_Space)
    assert page.editor.file_text() == "// theirs\n"


def test_that_saves_after_a_pause_take_no_keyboard_and_repeat_no_refusal(window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(window)
    activate(window, qtbot)
    page.editor.setFocus()
    window.actions_.rebuild_on_pause.setChecked(True)
    page.editor.insertPlainText("// mine\n")
    page.path.write_text("// theirs\n", encoding="utf-8")
    shown: list[Sequence[object]] = []
    for _ in range(3):
        page.editor.insertPlainText("x")
        page.paused.emit()
        assert "changed by another program" in page.notice.text
        assert window.focusWidget() is page.editor
        shown.append(page.notice.buttons)
    assert shown[0] == shown[1] == shown[2]
    page.notice.forget()
    page.forget_unsaved()
    page.editor.document().setModified(False)


def test_that_a_refusal_is_closed_and_stays_closed_while_saves_after_a_pause_fail_alike(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = page_of(window)
    page.path.write_bytes(b"caf\xe9\n")
    page.look_outside()
    page.editor.insertPlainText("算")
    assert not page.save(by_itself=True)
    assert "cannot be written" in page.notice.text
    qtbot.mouseClick(page.notice._close, Qt.MouseButton.LeftButton)
    assert page.notice.isHidden()
    assert not page.save(by_itself=True)
    assert page.notice.isHidden()
    assert not page.save()
    assert not page.notice.isHidden()
    page.editor.undo()
    page.forget_unsaved()
