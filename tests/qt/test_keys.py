"""The keyboard: into the text and out of it, the keys that cancel and check, and the buttons that close."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from opstudio.base.finding import Finding
from opstudio.jobs.lanes import Job
from opstudio.qt.editor.code_editor import CodeEditor
from opstudio.qt.main_window import MainWindow
from tests.qt.conftest import MakeWindow
from tests.qt.events import OPERATOR, a_finding, bad_run, started
from tests.qt.window_access import activate, feed
from tests.support.workspaces import ROOT, TestWorkspace

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
MOST_STOPS = 200


def editor_of(window: MainWindow) -> CodeEditor:
    page = window.editors.current
    assert page is not None
    return page.editor


def focused(window: MainWindow) -> QWidget:
    widget = window.focusWidget()
    assert widget is not None
    return widget


def test_that_tab_reaches_the_text_from_the_strip(window: MainWindow, qtbot: QtBot) -> None:
    activate(window, qtbot)
    window.strip.focus_content()
    stops = 0
    while focused(window) is not editor_of(window) and stops < MOST_STOPS:
        qtbot.keyClick(focused(window), Qt.Key.Key_Tab)
        stops += 1
    assert focused(window) is editor_of(window)


def test_that_shift_tab_outdents_and_leaves_where_nothing_is_to_be_taken_away(window: MainWindow, qtbot: QtBot) -> None:
    activate(window, qtbot)
    editor = editor_of(window)
    editor.setFocus()
    before = editor.file_text()
    editor.insertPlainText("  indented")
    qtbot.keyClick(editor, Qt.Key.Key_Backtab, SHIFT)
    assert editor.file_text() == f"indented{before}"
    assert focused(window) is editor
    qtbot.keyClick(editor, Qt.Key.Key_Backtab, SHIFT)
    assert focused(window) is not editor
    assert editor.file_text() == f"indented{before}"
    forget(window)


def test_that_a_key_lets_tab_leave_the_text(window: MainWindow, qtbot: QtBot) -> None:
    activate(window, qtbot)
    editor = editor_of(window)
    editor.setFocus()
    before = editor.file_text()
    qtbot.keyClick(editor, Qt.Key.Key_M, CONTROL)
    assert window.actions_.tab_leaves.isChecked()
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert focused(window) is not editor
    assert editor.file_text() == before
    # It holds for files that are opened later.
    page = window.editors.open_file(window._workspace.root / OPERATOR / "reference.py")
    assert page.editor.tab_leaves
    qtbot.keyClick(page.editor, Qt.Key.Key_M, CONTROL)
    qtbot.keyClick(page.editor, Qt.Key.Key_Tab)
    assert page.editor.file_text().startswith("    ")
    forget(window)


@pytest.mark.parametrize("language", ["", "zh_CN"])
def test_that_the_keys_of_the_text_are_in_the_help(language: str) -> None:
    text = (ROOT / "resources" / "help" / language / "window.md").read_text(encoding="utf-8")
    for key in ("Ctrl+M", "Shift+Tab", "Ctrl+=", "Ctrl+-", "Ctrl+0"):
        assert f"`{key}`" in text


def test_that_escape_cancels_one_check_and_with_shift_all(
    make_window: MakeWindow, workspace: TestWorkspace, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    workspace.add("relu6_scale", "another")
    window = make_window(workspace.root)
    activate(window, qtbot)
    jobs = [Job("check", name, lambda _context: None, lambda _event: None) for name in ("another", OPERATOR)]
    monkeypatch.setattr(window.session, "_pending", lambda: jobs)

    def cancelled() -> list[str]:
        return [job.key for job in jobs if job.cancel.is_cancelled]

    window.selection.select_operator(OPERATOR)
    editor_of(window).setFocus()
    qtbot.keyClick(editor_of(window), Qt.Key.Key_Escape)
    assert cancelled() == []  # nothing runs
    feed(window, started(), started("another"))
    qtbot.keyClick(editor_of(window), Qt.Key.Key_Escape)
    assert cancelled() == [OPERATOR]
    qtbot.keyClick(editor_of(window), Qt.Key.Key_Escape, SHIFT)
    assert cancelled() == ["another", OPERATOR]


def test_that_a_refusal_is_closed_with_its_button(window: MainWindow, qtbot: QtBot) -> None:
    window.notices.tell_refusal(Finding(id="STU001", stage="x", title="It failed", cause="why", fix="Do this"))
    assert window.notice.text == "It failed: why. Do this."
    assert window.notice._close.isVisible()
    assert window.notice._close.accessibleName() == "Close"
    qtbot.mouseClick(window.notice._close, Qt.MouseButton.LeftButton)
    assert window.notice.isHidden()
    window.notices.ask_for_trust(lambda: None)
    assert not window.notice._close.isVisible()


def test_that_a_note_at_a_line_begins_with_the_cause(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    metrics = "opstudio.qt.editor.code_editor.QFontMetricsF"

    class Listening:
        def __init__(self, _font: object) -> None:
            pass

        def elidedText(self, text: str, *_rest: object) -> str:  # noqa: N802 - Qt's name
            said.append(text)
            return text

    feed(window, *bad_run(a_finding(line=2)))
    editor = editor_of(window)
    editor.grab()
    monkeypatch.setattr(metrics, Listening)
    editor.grab()
    assert [text.partition("  ")[2] for text in said][:1] == [
        "12 of 64 elements differ  →  Compute the element by hand"
    ]


def forget(window: MainWindow) -> None:
    for page in window.editors.modified:
        page.forget_unsaved()
        page.editor.document().setModified(False)
