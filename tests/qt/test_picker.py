"""The field that finds everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from opstudio.qt.main_window import MainWindow
from opstudio.qt.picker.pick import Pick, fitting
from tests.qt.conftest import MakeWindow
from tests.qt.events import OPERATOR, a_finding, bad_run
from tests.qt.window_access import feed
from tests.support.workspaces import TestWorkspace


def texts(window: MainWindow) -> list[str]:
    return [pick.text for pick in window.finder.picker.picks]


def choose(window: MainWindow, typed: str, qtbot: QtBot) -> None:
    """Type into the field that is open, and press Enter."""
    field = window.finder.picker.field
    qtbot.keyClicks(field, typed)
    qtbot.keyClick(field, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("relu", ["relu.cpp", "leaky_relu.cpp", "prelu.cpp", "contract.toml"]),
        ("relu cpp", ["relu.cpp", "leaky_relu.cpp", "prelu.cpp"]),
        ("RELU.CPP", ["relu.cpp", "leaky_relu.cpp", "prelu.cpp"]),
        ("lrc", ["leaky_relu.cpp"]),
        ("q", []),
    ],
)
def test_that_what_starts_with_the_words_comes_first(typed: str, expected: list[str]) -> None:
    picks = [
        Pick(text=text, detail=detail, run=list)
        for text, detail in (
            ("contract.toml", "relu"),
            ("prelu.cpp", ""),
            ("leaky_relu.cpp", ""),
            ("relu.cpp", ""),
        )
    ]
    assert [pick.text for pick in fitting(picks, typed)] == expected


def test_that_quick_open_opens_a_file_of_the_workspace(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_.go_to_file.trigger()
    assert not window.finder.picker.isHidden()
    choose(window, "refer", qtbot)
    assert window.finder.picker.isHidden()
    assert window.editors.current is not None
    assert window.editors.current.path.name == "reference.py"
    # What was opened last stands first the next time.
    window.actions_.go_to_file.trigger()
    assert texts(window)[0] == "reference.py"


def test_that_the_files_of_the_studio_are_not_offered(make_window: MakeWindow, workspace: TestWorkspace) -> None:
    for hidden in (".opstudio/results/a.json", "dist/x.cpp", f"{OPERATOR}/__pycache__/x.pyc", ".git/config"):
        (workspace.root / hidden).parent.mkdir(parents=True, exist_ok=True)
        (workspace.root / hidden).write_text("")
    window = make_window(workspace.root)
    window.actions_.go_to_file.trigger()
    own = {path.name for path in (workspace.root / OPERATOR).iterdir() if path.is_file()}
    assert set(texts(window)) == own | {"opstudio.toml"}


def test_that_the_button_in_the_menu_bar_opens_the_field(window: MainWindow, qtbot: QtBot) -> None:
    assert window.finder.button.isVisible()
    qtbot.mouseClick(window.finder.button, Qt.MouseButton.LeftButton)
    assert window.focusWidget() is window.finder.picker.field


def test_that_a_prefix_leads_to_another_source(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_.go_to_file.trigger()
    choose(window, ":8:3", qtbot)
    page = window.editors.current
    assert page is not None
    cursor = page.editor.textCursor()
    assert (cursor.blockNumber(), cursor.positionInBlock()) == (7, 2)


def test_that_the_palette_carries_out_every_action_by_its_name(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_.command_palette.trigger()
    listed = set(texts(window))
    expected = {window.actions_.palette_text(action) for action in window.actions_.all} - {"Command palette"}
    assert listed == expected
    choose(window, "go to panel log", qtbot)
    assert window.focusWidget() in window.docks.panels["log"].header_widgets()


def test_that_what_cannot_be_done_now_is_not_done(window: MainWindow, qtbot: QtBot) -> None:
    assert not window.actions_.save.isEnabled()
    window.actions_.command_palette.trigger()
    field = window.finder.picker.field
    qtbot.keyClicks(field, "save all")
    assert not window.finder.picker.picks[0].is_enabled
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert not window.finder.picker.isHidden()


def test_that_escape_gives_the_keyboard_back(window: MainWindow, qtbot: QtBot) -> None:
    page = window.editors.current
    assert page is not None
    page.editor.setFocus()
    window.actions_.command_palette.trigger()
    assert window.focusWidget() is window.finder.picker.field
    qtbot.keyClick(window.finder.picker.field, Qt.Key.Key_Escape)
    assert window.finder.picker.isHidden()
    assert window.focusWidget() is page.editor


def test_that_arrows_choose_and_nothing_fits_is_said(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_.go_to_file.trigger()
    second = texts(window)[1]
    field = window.finder.picker.field
    qtbot.keyClick(field, Qt.Key.Key_Down)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.editors.current is not None
    assert window.editors.current.path.name == second
    window.actions_.go_to_file.trigger()
    qtbot.keyClicks(field, "no such file anywhere")
    assert texts(window) == []
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert not window.finder.picker.isHidden()


def test_that_problems_of_all_operators_can_be_reached(
    make_window: MakeWindow, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    workspace.add("relu6_scale", "another")
    window = make_window(workspace.root)
    window.selection.select_operator(OPERATOR)
    feed(window, *bad_run(a_finding("NUM012", line=8)))
    feed(window, *bad_run(a_finding("REG007", line=14, file="another/relu6_scale.cpp"), operator="another"))
    window.actions_.go_to_problem.trigger()
    assert [pick.key for pick in window.finder.picker.picks] == ["NUM012", "REG007"]
    choose(window, "another", qtbot)
    assert window.selection.operator == "another"
    assert line_of(window) == 14
    window.actions_.next_problem.trigger()
    assert (window.selection.operator, line_of(window)) == (OPERATOR, 8)
    window.actions_.previous_problem.trigger()
    assert (window.selection.operator, line_of(window)) == ("another", 14)


def line_of(window: MainWindow) -> int:
    page = window.editors.current
    assert page is not None
    return page.editor.textCursor().blockNumber() + 1


def test_that_a_new_operator_is_made_from_a_template(
    window: MainWindow, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    window.actions_.new_operator.trigger()
    assert not any(pick.is_enabled for pick in window.finder.picker.picks)
    choose(window, "my gelu", qtbot)
    assert (workspace.root / "my_gelu" / "contract.toml").is_file()
    assert window.selection.operator == "my_gelu"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("9lives", "does not begin with a digit"),
        ("Gelu", "G cannot stand in a name"),
        ("a-b", "- cannot stand in a name"),
        ("relu6_scale", "relu6_scale exists already"),
    ],
)
def test_that_a_name_that_cannot_be_is_told_while_it_is_typed(
    window: MainWindow, workspace: TestWorkspace, name: str, why: str, qtbot: QtBot
) -> None:
    before = sorted(path.name for path in workspace.root.iterdir())
    window.actions_.new_operator.trigger()
    assert "small letters, digits and _" in texts(window)[0]
    qtbot.keyClicks(window.finder.picker.field, name)
    first, *templates = window.finder.picker.picks
    assert why in first.text
    assert len(templates) == 3
    assert not any(pick.is_enabled for pick in (first, *templates))
    qtbot.keyClick(window.finder.picker.field, Qt.Key.Key_Return)
    assert not window.finder.picker.isHidden()
    assert sorted(path.name for path in workspace.root.iterdir()) == before
    qtbot.keyClicks(window.finder.picker.field, "_2")
    assert ("exists" in why) == all(pick.is_enabled for pick in window.finder.picker.picks)


def test_that_each_template_is_described_in_a_line(window: MainWindow) -> None:
    window.actions_.new_operator.trigger()
    _hint, *templates = window.finder.picker.picks
    assert [pick.text for pick in templates] == ["elementwise", "reduction", "raw"]
    assert all(len(pick.detail) > 30 for pick in templates)


def test_that_recent_workspaces_are_offered(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "older").mkdir()
    window.preferences.remember(tmp_path / "older")
    window.actions_.go_to_workspace.trigger()
    with qtbot.waitSignal(window.workspace_requested) as asked:
        choose(window, "older", qtbot)
    assert asked.args == [tmp_path / "older"]


def test_that_ten_thousand_files_are_searched_while_typing(
    make_window: MakeWindow, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    folder = workspace.root / "many"
    folder.mkdir()
    for number in range(10_000):
        (folder / f"file_{number}.txt").touch()
    window = make_window(workspace.root)
    window.actions_.go_to_file.trigger()
    choose(window, "file_9999", qtbot)
    assert window.editors.current is not None
    assert window.editors.current.path.name == "file_9999.txt"
