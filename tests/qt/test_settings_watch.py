"""The settings of a workspace, changed and broken while it is open."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from opstudio.qt.main_window import MainWindow
from tests.qt.events import OPERATOR, good_run
from tests.qt.window_access import answer, feed
from tests.support.workspaces import TestWorkspace


@pytest.fixture
def settings(workspace: TestWorkspace) -> Path:
    return workspace.root / "opstudio.toml"


def write(window: MainWindow, settings: Path, text: str) -> None:
    # Of another length each time: two writes may fall into one moment.
    settings.write_text(text, encoding="utf-8")
    window.settings_watch.look()


def test_that_broken_settings_are_told_by_their_line_and_the_last_good_ones_stay(
    window: MainWindow, settings: Path, qtbot: QtBot
) -> None:
    good = settings.read_text(encoding="utf-8")
    write(window, settings, f"{good}\n[limits]\nmemory_gib = 0.1\n")
    line = settings.read_text(encoding="utf-8").splitlines().index("memory_gib = 0.1") + 1
    assert f"opstudio.toml:{line}" in window.notice.text
    assert "the frameworks alone need half a GiB" in window.notice.text
    assert "Allow 1 at least" in window.notice.text
    assert "settings from before" in window.notice.text
    window.session.look_again()
    feed(window, *good_run())
    assert window.state.names == (OPERATOR,)
    assert window.state.view(OPERATOR).has_verdict
    answer(window.notice, "Show the line", qtbot)
    page = window.editors.current
    assert page is not None
    assert (page.path, page.editor.textCursor().blockNumber() + 1) == (settings, line)
    write(window, settings, "[workspace\n")
    assert not window.notice.isHidden()
    write(window, settings, good)
    assert window.notice.isHidden()


def test_that_settings_that_are_gone_are_told(window: MainWindow, settings: Path) -> None:
    settings.unlink()
    window.settings_watch.look()
    assert "opstudio.toml" in window.notice.text


def test_that_changed_settings_offer_to_open_the_workspace_again(
    window: MainWindow, settings: Path, qtbot: QtBot
) -> None:
    write(window, settings, '[workspace]\nname = "another name"\n')
    assert "opstudio.toml was changed" in window.notice.text
    with qtbot.waitSignal(window.workspace_requested) as asked:
        answer(window.notice, "Open it again", qtbot)
    assert asked.args == [settings.parent]


def test_that_another_notice_is_not_taken_away_when_settings_settle(window: MainWindow, settings: Path) -> None:
    good = settings.read_text(encoding="utf-8")
    write(window, settings, "[workspace\n")
    window.notices.ask_for_trust(lambda: None)
    write(window, settings, good)
    assert "comes from elsewhere" in window.notice.text


def test_that_a_file_that_says_the_same_in_other_words_is_not_worth_a_word(window: MainWindow, settings: Path) -> None:
    write(window, settings, settings.read_text(encoding="utf-8") + "# a comment\n")
    assert window.notice.isHidden()
