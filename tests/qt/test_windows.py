"""Several workspaces after one another, the first page, the welcome page, trust, and checks after a pause."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from opstudio.qt.language import Language
from opstudio.qt.main_window import MainWindow
from opstudio.qt.preferences import Preferences
from opstudio.qt.theme.theme import Theme
from opstudio.qt.windows import StartWindow, Windows
from opstudio.workspace.folder import open_workspace
from opstudio.workspace.trust import Trust
from tests.qt.events import OPERATOR
from tests.support.workspaces import TestWorkspace


@pytest.fixture
def windows(qapp: QApplication, theme: Theme, language: Language) -> Iterator[Windows]:
    preferences = Preferences()
    preferences.was_welcomed = True
    made = Windows(qapp, theme, language, preferences)
    yield made
    made.close_at_once()
    made.end()


def shown(windows: Windows) -> MainWindow:
    window = windows.shown
    assert isinstance(window, MainWindow)
    return window


def test_that_another_workspace_takes_the_place_of_the_window(
    windows: Windows, workspace: TestWorkspace, tmp_path: Path
) -> None:
    other = TestWorkspace(tmp_path / "other")
    other.add("relu6_scale", "mine")
    first = windows.show_workspace(open_workspace(workspace.root))
    first.request_workspace(other.root)
    second = shown(windows)
    assert second is not first
    assert second.selection.operator == "mine"
    assert first.isHidden()
    assert second.preferences.recent == (other.root, workspace.root)


def test_that_a_folder_which_is_no_workspace_is_told_and_the_window_stays(
    windows: Windows, workspace: TestWorkspace, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    window = windows.show_workspace(open_workspace(workspace.root))
    window.request_workspace(tmp_path / "empty")
    assert shown(windows) is window
    assert "is not a workspace" in window.notice.text


def test_that_unsaved_text_keeps_the_window(windows: Windows, workspace: TestWorkspace, tmp_path: Path) -> None:
    other = TestWorkspace(tmp_path / "other")
    window = windows.show_workspace(open_workspace(workspace.root))
    page = window.editors.current
    assert page is not None
    page.editor.insertPlainText("x")
    window.request_workspace(other.root)
    assert shown(windows) is window
    assert "Not saved: relu6_scale/relu6_scale.cpp" in window.notice.text
    page.forget_unsaved()
    page.editor.undo()


def test_that_the_first_page_leads_to_a_workspace(windows: Windows, workspace: TestWorkspace) -> None:
    start = windows.show_start()
    assert isinstance(start, StartWindow)
    start.workspace_chosen.emit(workspace.root)
    assert shown(windows).selection.operator == OPERATOR
    assert start.isHidden()


def test_that_a_new_person_is_welcomed_once(
    qapp: QApplication, theme: Theme, language: Language, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    preferences = Preferences()
    windows = Windows(qapp, theme, language, preferences)
    window = windows.show_workspace(open_workspace(workspace.root))
    assert window.center.shown is window.reading.welcome
    qtbot.mouseClick(window.reading.welcome.buttons[0], Qt.MouseButton.LeftButton)
    assert window.center.shown is not window.reading.welcome
    assert window.editors.current is not None
    windows.close_at_once()
    second = windows.show_workspace(open_workspace(workspace.root))
    assert second.center.shown is not second.reading.welcome
    second.actions_.welcome.trigger()
    assert second.center.shown is second.reading.welcome
    qtbot.mouseClick(second.reading.welcome.buttons[1], Qt.MouseButton.LeftButton)
    assert second.selection.stage == "value"
    second.actions_.welcome.trigger()
    qtbot.mouseClick(second.reading.welcome.buttons[2], Qt.MouseButton.LeftButton)
    assert second.finder.picker.field.text() == "+"
    windows.close_at_once()
    windows.end()


def test_that_each_perspective_keeps_its_own_layout(
    theme: Theme, language: Language, workspace: TestWorkspace, qapp: QApplication
) -> None:
    windows = Windows(qapp, theme, language, Preferences())
    window = windows.show_workspace(open_workspace(workspace.root))
    panels = window.docks.panels
    assert (panels["findings"].isVisible(), panels["history"].isHidden()) == (True, False)
    window.perspectives.show("history")
    assert not panels["findings"].isVisible()
    assert panels["history"].isVisible()
    window.docks.reveal("findings")
    window.perspectives.show("kernels")
    window.perspectives.show("history")
    assert panels["findings"].isVisible()
    window.close()
    again = windows.show_workspace(open_workspace(workspace.root))
    assert again.perspectives.shown == "history"
    assert again.docks.panels["findings"].isVisible()
    again.close()
    reset = windows.show_workspace(open_workspace(workspace.root), reset_layout=True)
    assert reset.perspectives.shown == "kernels"
    reset.perspectives.show("history")
    assert not reset.docks.panels["findings"].isVisible()
    windows.close_at_once()
    windows.end()


def test_that_a_workspace_from_elsewhere_asks_once_and_can_be_read(
    windows: Windows, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    Trust.of_user().revoke(workspace.root)
    window = windows.show_workspace(open_workspace(workspace.root))
    qtbot.waitUntil(lambda: "comes from elsewhere" in window.notice.text)
    assert window.editors.current is not None
    assert "opstudio/kernel.h" in window.editors.current.editor.toPlainText()
    assert not window.session.is_open
    assert not window.actions_.run_fresh.isEnabled()
    assert not (workspace.root / ".opstudio" / "artifacts").exists()
    qtbot.mouseClick(window.notice.buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.is_open, timeout=60_000)
    assert Trust.of_user().is_trusted(workspace.root)
    window.close()
    again = windows.show_workspace(open_workspace(workspace.root))
    qtbot.waitUntil(lambda: again.session.is_open, timeout=60_000)
    assert again.notice.isHidden()


def test_that_a_pause_in_typing_saves_where_the_person_wants_it(window: MainWindow, qtbot: QtBot) -> None:
    page = window.editors.current
    assert page is not None
    qtbot.keyClicks(page.editor, "// a")
    qtbot.wait(1200)
    assert page.is_modified
    window.actions_.rebuild_on_pause.trigger()
    assert window.preferences.checks_on_pause
    qtbot.keyClicks(page.editor, "b")
    qtbot.waitUntil(lambda: not page.is_modified, timeout=5000)
    assert page.path.read_text(encoding="utf-8").startswith("// ab")


def test_that_trust_is_given_later_from_the_menu(windows: Windows, workspace: TestWorkspace, qtbot: QtBot) -> None:
    Trust.of_user().revoke(workspace.root)
    window = windows.show_workspace(open_workspace(workspace.root))
    qtbot.waitUntil(lambda: "comes from elsewhere" in window.notice.text)
    qtbot.mouseClick(window.notice.buttons[1], Qt.MouseButton.LeftButton)  # only read
    assert window.notice.isHidden()
    assert not window.session.is_open
    assert window.actions_.trust.isEnabled()
    window.actions_.trust.trigger()
    assert "comes from elsewhere" in window.notice.text
    qtbot.mouseClick(window.notice.buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.is_open, timeout=60_000)
    assert not window.actions_.trust.isEnabled()
    assert Trust.of_user().is_trusted(workspace.root)
