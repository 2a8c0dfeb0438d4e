"""Several operators in the real loop: who is checked first, and what happens to those that come and go."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from opstudio.jobs.events import StageStarted, VerdictReached
from opstudio.qt.bridge import WindowEvent
from opstudio.qt.language import Language
from opstudio.qt.main_window import MainWindow
from opstudio.qt.models.operator_view import Activity
from opstudio.qt.theme.theme import Theme
from opstudio.workspace.folder import open_workspace
from tests.qt.conftest import child_processes
from tests.support.workspaces import ALONE, TestWorkspace

LIMIT_MS = 240_000
NAMES = ("first", "second", "third")


@pytest.fixture
def others() -> set[int]:
    return child_processes()


@pytest.fixture
def workspace(tmp_path: Path, built_artifacts: Path) -> TestWorkspace:
    made = TestWorkspace(tmp_path / "workspace")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    for name in NAMES:
        made.add("relu6_scale", name, *ALONE)
    return made


@pytest.fixture
def live(others: set[int], theme: Theme, language: Language, workspace: TestWorkspace) -> Iterator[MainWindow]:
    del others  # looked at before the window is made
    window = MainWindow(open_workspace(workspace.root), theme, language)
    window.show()
    yield window
    window.close_at_once()
    window.deleteLater()


class Told:
    """What the loop tells, in its order."""

    def __init__(self, window: MainWindow) -> None:
        self.events: list[str] = []
        window.state.received.connect(self._take)

    def _take(self, events: list[WindowEvent]) -> None:
        for event in events:
            match event:
                case StageStarted(operator=operator, stage=stage):
                    self.events.append(f"{operator} {stage}")
                case VerdictReached(operator=operator, final=False):
                    self.events.append(f"{operator} verdict")


@pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")
def test_that_every_operator_gets_its_verdict_before_slow_stages_go_on_and_the_looked_at_one_first(
    live: MainWindow, qtbot: QtBot
) -> None:
    told = Told(live)
    live.start()
    live.selection.select_operator("second")
    qtbot.waitUntil(lambda: all(live.state.view(name).has_verdict for name in NAMES), timeout=LIMIT_MS)
    verdicts = [event.removesuffix(" verdict") for event in told.events if event.endswith(" verdict")]
    assert verdicts == ["second", "first", "third"]
    # Of the first two, slow stages have begun at most, and none was waited for.
    assert not any(live.state.view(name).is_final for name in NAMES)
    live.session.cancel()


@pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")
def test_that_what_is_saved_goes_before_all_that_waits(
    live: MainWindow, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    live.start()
    qtbot.waitUntil(lambda: all(live.state.view(name).has_verdict for name in NAMES), timeout=LIMIT_MS)
    live.selection.select_operator("third")
    page = live.editors.current
    assert page is not None
    for name in ("first", "second"):
        workspace.edit(name, "relu6_scale.cpp", "Compute(0)), Compute", "Compute(0.0)), Compute")
    told = Told(live)
    qtbot.waitUntil(lambda: any(event.startswith("first ") for event in told.events), timeout=LIMIT_MS)
    page.editor.replace_text(page.editor.file_text().replace("Compute(0)), Compute", "Compute(0.00)), Compute"))
    live.actions_.save.trigger()
    told.events.clear()
    qtbot.waitUntil(lambda: sum(event.endswith(" verdict") for event in told.events) == 3, timeout=LIMIT_MS)
    verdicts = [event.removesuffix(" verdict") for event in told.events if event.endswith(" verdict")]
    assert verdicts[0] == "third"
    assert sorted(verdicts) == sorted(NAMES)
    live.session.cancel()


@pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")
def test_that_operators_that_go_and_come_back_are_noticed_and_their_unsaved_text_stays(
    live: MainWindow, workspace: TestWorkspace, qtbot: QtBot
) -> None:
    live.start()
    qtbot.waitUntil(lambda: live.session.is_open, timeout=LIMIT_MS)
    live.session.cancel()
    live.selection.select_operator("second")
    page = live.editors.current
    assert page is not None
    page.editor.textCursor().insertText("// mine\n")

    aside = (workspace.root / "second").rename(workspace.root.parent / "aside")
    qtbot.waitUntil(lambda: live.state.names == ("first", "third"), timeout=20_000)
    live.editors.look_outside()
    assert live.editors.current is page
    assert page.editor.file_text().startswith("// mine\n")
    assert "deleted or moved" in page.notice.text

    aside.rename(workspace.root / "second")
    qtbot.waitUntil(lambda: live.state.names == NAMES, timeout=20_000)
    qtbot.waitUntil(lambda: live.state.view("second").activity is not Activity.IDLE, timeout=20_000)
    live.editors.look_outside()
    assert page.editor.file_text().startswith("// mine\n")
    live.session.cancel()
    page.forget_unsaved()
    page.editor.undo()
