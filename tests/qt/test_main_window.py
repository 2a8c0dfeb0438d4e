from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from opstudio.base.finding import Place
from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.main_window import MainWindow
from opstudio.qt.preferences import Preferences
from opstudio.qt.theme.theme import Theme, ThemeChoice
from opstudio.qt.window_memory import WindowMemory
from opstudio.workspace.folder import open_workspace
from tests.qt.conftest import MakeWindow
from tests.qt.events import OPERATOR, a_finding, bad_run, finished, started
from tests.qt.window_access import answer, feed
from tests.support.workspaces import TestWorkspace


def insert(window: MainWindow, text: str) -> Path:
    page = window.editors.current
    assert page is not None
    page.editor.textCursor().insertText(text)
    return page.path


def test_that_the_title_tells_file_operator_and_workspace(window: MainWindow) -> None:
    assert window.windowTitle() == "relu6_scale.cpp[*] – relu6_scale – tests – OpStudio"
    assert not window.isWindowModified()
    insert(window, "x")
    assert window.isWindowModified()


def test_that_save_is_offered_only_where_there_is_something_to_save(window: MainWindow) -> None:
    assert not window.actions_.save.isEnabled()
    path = insert(window, "// new\n")
    assert window.actions_.save.isEnabled()
    window.actions_.save.trigger()
    assert path.read_text(encoding="utf-8").startswith("// new\n")
    assert not window.actions_.save.isEnabled()


def test_that_cancel_is_offered_only_while_something_runs(window: MainWindow) -> None:
    assert not window.actions_.cancel.isEnabled()
    feed(window, started())
    assert window.actions_.cancel.isEnabled()
    feed(window, finished())
    assert not window.actions_.cancel.isEnabled()


def test_that_findings_are_marked_at_their_lines(window: MainWindow) -> None:
    feed(window, *bad_run(a_finding(line=8), a_finding(line=None)))
    page = window.editors.current
    assert page is not None
    assert page.editor.marks.lines == (7,)
    feed(window, started())
    assert [mark.stale for mark in page.editor.marks.at(7)] == [True]


def test_that_a_place_in_another_operator_selects_that_operator(
    make_window: MakeWindow, workspace: TestWorkspace
) -> None:
    workspace.add("relu6_scale", "another")
    window = make_window(workspace.root)
    window.go_to(Place(file="relu6_scale/reference.py", line=6))
    assert window.selection.operator == OPERATOR
    page = window.editors.current
    assert page is not None
    assert (page.path.name, page.editor.textCursor().blockNumber()) == ("reference.py", 5)


def test_that_closing_with_unsaved_text_asks_in_place(window: MainWindow, qtbot: QtBot) -> None:
    path = insert(window, "// mine\n")
    assert not window.close()
    assert window.isVisible()
    assert "relu6_scale.cpp" in window.notice.text
    answer(window.notice, "Stay", qtbot)
    assert window.isVisible()
    assert window.notice.isHidden()
    assert not window.close()
    answer(window.notice, "Save and close", qtbot)
    assert not window.isVisible()
    assert path.read_text(encoding="utf-8").startswith("// mine\n")


def test_that_unsaved_text_can_be_given_up(window: MainWindow, qtbot: QtBot) -> None:
    path = insert(window, "// mine\n")
    window.close()
    answer(window.notice, "Close without saving", qtbot)
    assert not window.isVisible()
    assert not path.read_text(encoding="utf-8").startswith("// mine\n")


def test_that_every_action_of_the_menus_has_a_key_of_its_own(window: MainWindow) -> None:
    keys = [action.shortcut().toString() for action in window.actions() if not action.shortcut().isEmpty()]
    assert len(keys) > 10
    assert sorted(set(keys)) == sorted(keys)


@pytest.mark.parametrize("size", [(1600, 1000), (1000, 700), (640, 400)])
def test_that_the_window_takes_the_size_it_is_given(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    assert (window.width(), window.height()) == size


def test_that_layout_operator_and_files_are_remembered(
    theme: Theme, language: Language, workspace: TestWorkspace, tmp_path: Path
) -> None:
    workspace.add("relu6_scale", "another")
    file = tmp_path / "memory.ini"
    first = MainWindow(open_workspace(workspace.root), theme, language, memory=WindowMemory(file))
    first.session.look_again()
    first.show()
    first.resize(700, 600)
    toggle(first, "log")
    first.selection.select_operator(OPERATOR)
    first.open_file(workspace.root / OPERATOR / "README.md", 3, 2)
    first.close()
    first.deleteLater()

    second = MainWindow(open_workspace(workspace.root), theme, language, memory=WindowMemory(file))
    second.session.look_again()
    second.show()
    assert (second.width(), second.height()) == (700, 600)
    assert not second.docks.panels["log"].isVisible()
    assert second.selection.operator == OPERATOR
    assert second.editors.current is not None
    assert second.editors.current.path.name == "README.md"
    assert second.editors.current.editor.textCursor().blockNumber() == 2
    second.actions_.reset_layout.trigger()
    assert second.docks.panels["log"].isVisible()
    second.close()
    second.deleteLater()


def toggle(window: MainWindow, panel: str) -> None:
    number = [manifest.id for manifest in window.docks.manifests].index(panel)
    window.docks.toggles()[number].trigger()


def test_that_preferences_hold_for_every_workspace(settings_folder: Path, tmp_path: Path) -> None:
    first = Preferences.of_person()
    first.theme, first.language, first.checks_on_pause = ThemeChoice.LIGHT, LanguageChoice.CHINESE, True
    for name in ("a", "b", "a"):
        (tmp_path / name).mkdir(exist_ok=True)
        first.remember(tmp_path / name)
    first.sync()
    second = Preferences.of_person()
    assert (second.theme, second.language, second.checks_on_pause) == (ThemeChoice.LIGHT, LanguageChoice.CHINESE, True)
    assert second.recent == (tmp_path / "a", tmp_path / "b")
    (tmp_path / "a").rmdir()
    assert second.recent == (tmp_path / "b",)
    assert (settings_folder / "opstudio" / "preferences.ini").is_file()


def test_that_each_workspace_has_a_memory_of_its_own(settings_folder: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        memory = WindowMemory.of_workspace(tmp_path / name / "myops")
        memory.operator = name
        memory.sync()
    assert WindowMemory.of_workspace(tmp_path / "a" / "myops").operator == "a"
    assert len(list(settings_folder.rglob("*.ini"))) == 2
