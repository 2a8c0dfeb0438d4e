"""The window at work: the real loop, the real compiler, real workers, on one workspace."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from opstudio.jobs.events import StageFinished, StageState, Verdict
from opstudio.qt.language import Language
from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.operator_view import Activity, OperatorView
from opstudio.qt.theme.theme import Theme
from opstudio.workspace.folder import open_workspace
from tests.qt.conftest import child_processes
from tests.qt.events import OPERATOR
from tests.support.workspaces import RIGHT_FLOOR, WRONG_FLOOR, TestWorkspace

FIRST_VERDICT_MS = 240_000
"""The first check builds the hosts."""
NEXT_VERDICT_MS = 60_000


@pytest.fixture
def others() -> set[int]:
    """The processes that tests before started and keep, such as those that share memory."""
    return child_processes()


@pytest.fixture
def live(others: set[int], theme: Theme, language: Language, built_workspace: TestWorkspace) -> Iterator[MainWindow]:
    del others  # looked at before the window is made
    window = MainWindow(open_workspace(built_workspace.root), theme, language)
    window.show()
    window.start()
    yield window
    window.close_at_once()
    window.deleteLater()


def view_of(window: MainWindow) -> OperatorView:
    return window.state.view(OPERATOR)


def wait_for(window: MainWindow, qtbot: QtBot, expected: Verdict, limit: int) -> OperatorView:
    def reached() -> bool:
        view = view_of(window)
        return view.has_verdict and view.verdict is expected

    qtbot.waitUntil(reached, timeout=limit)
    return view_of(window)


def type_instead(window: MainWindow, old: str, new: str, qtbot: QtBot) -> int:
    """Replace a piece of the kernel by keys, save by key, and return its line, from one."""
    page = window.editors.current
    assert page is not None
    found = page.editor.document().find(old)
    assert not found.isNull()
    line = found.blockNumber() + 1
    page.editor.setTextCursor(found)
    qtbot.keyClicks(page.editor, new)
    qtbot.keyClick(page.editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert not page.is_modified
    return line


# A watcher of other folders than the operators' may complain of folders that come and go.
@pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")
def test_that_a_save_leads_to_a_verdict_and_a_repair_to_the_next(
    live: MainWindow, others: set[int], built_workspace: TestWorkspace, qtbot: QtBot
) -> None:
    assert live.selection.operator == OPERATOR
    wait_for(live, qtbot, Verdict.GOOD, FIRST_VERDICT_MS)

    type_instead(live, RIGHT_FLOOR, WRONG_FLOOR, qtbot)
    bad = wait_for(live, qtbot, Verdict.BAD, NEXT_VERDICT_MS)
    assert bad.stages["value"].state is StageState.BAD
    assert live.strip.chip("value").detail == bad.first_id
    assert live.strip.verdict.mark.word == "bad"
    finding = bad.stages["value"].findings[0]
    page = live.editors.current
    assert page is not None
    marked = {number + 1 for number in page.editor.marks.lines}
    assert {place.line for place in finding.places if place.file == f"{OPERATOR}/relu6_scale.cpp"} <= marked
    assert built_workspace.line(OPERATOR, "relu6_scale.cpp", "void forward(") in marked

    type_instead(live, WRONG_FLOOR, RIGHT_FLOOR, qtbot)
    good = wait_for(live, qtbot, Verdict.GOOD, NEXT_VERDICT_MS)
    assert good.stages["value"].state is StageState.GOOD
    assert page.editor.marks.lines == ()
    assert child_processes() > others

    live.close()
    assert child_processes() == others


@pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")
def test_that_f5_runs_all_stages_again_and_escape_ends_them(live: MainWindow, qtbot: QtBot) -> None:
    wait_for(live, qtbot, Verdict.GOOD, FIRST_VERDICT_MS)
    qtbot.waitUntil(lambda: view_of(live).activity is Activity.IDLE, timeout=FIRST_VERDICT_MS)
    assert [shown.finding for shown in view_of(live).findings()] == []
    qtbot.keyClick(live, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: view_of(live).running_stage is not None, timeout=NEXT_VERDICT_MS)
    assert not view_of(live).has_verdict
    assert view_of(live).verdict is Verdict.GOOD
    qtbot.keyClick(live, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: view_of(live).is_cancelled, timeout=5_000)
    assert view_of(live).activity is Activity.IDLE


@pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")
def test_that_f5_saves_first_and_still_runs_every_stage_and_another_key_checks_all(
    live: MainWindow, built_workspace: TestWorkspace, qtbot: QtBot
) -> None:
    wait_for(live, qtbot, Verdict.GOOD, FIRST_VERDICT_MS)
    told: list[StageFinished] = []
    live.state.received.connect(
        lambda events: told.extend(event for event in events if isinstance(event, StageFinished))
    )
    page = live.editors.current
    assert page is not None
    text = page.editor.file_text()
    qtbot.keyClicks(page.editor, "// a word")
    qtbot.keyClick(page.editor, Qt.Key.Key_F5)
    assert not page.is_modified
    assert (built_workspace.root / OPERATOR / "relu6_scale.cpp").read_text(encoding="utf-8").startswith("// a word")
    qtbot.wait(1000)  # the save is noticed, and takes the place of what F5 began
    wait_for(live, qtbot, Verdict.GOOD, NEXT_VERDICT_MS)
    # The reference did not change, and ran all the same.
    assert [event.cached for event in told if event.stage == "reference"] == [False]
    live.session.cancel()
    qtbot.waitUntil(lambda: view_of(live).activity is Activity.IDLE, timeout=NEXT_VERDICT_MS)
    page.editor.replace_text(text)
    qtbot.keyClick(page.editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    wait_for(live, qtbot, Verdict.GOOD, NEXT_VERDICT_MS)
    live.session.cancel()
    qtbot.waitUntil(lambda: view_of(live).activity is Activity.IDLE, timeout=NEXT_VERDICT_MS)
    told.clear()
    qtbot.keyClick(page.editor, Qt.Key.Key_F5, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: any(event.stage == "parity" for event in told), timeout=NEXT_VERDICT_MS)
    assert {event.cached for event in told if event.stage in ("reference", "value")} == {True}
    live.session.cancel()


def test_that_closing_while_the_worker_starts_leaves_no_process(
    live: MainWindow, others: set[int], qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: child_processes() > others, timeout=NEXT_VERDICT_MS)
    live.close()
    assert child_processes() == others
