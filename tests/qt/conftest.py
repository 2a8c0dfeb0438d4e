"""A window without a screen, and proof that every test leaves nothing behind."""

from __future__ import annotations

import gc
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from opstudio.qt.export.export_target import ExportResult
from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.main_window import MainWindow
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme, ThemeChoice
from opstudio.workspace.folder import OperatorFolder, open_workspace
from tests.qt.events import OPERATOR
from tests.qt.export_scenes import make_results
from tests.qt.scenes import Scene, make_checked_workspace
from tests.support.workspaces import RIGHT_FLOOR, WRONG_FLOOR, TestWorkspace

THREAD_SECONDS = 5.0
WITHOUT_SLOW_STAGES = ("--skip", "export,opcheck,concurrency,sanitizer,cuda,optimization")
MakeWindow = Callable[[Path], MainWindow]


@pytest.fixture(autouse=True)
def settings_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the settings of tests away from those of people."""
    folder = tmp_path_factory.mktemp("config")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def nothing_left(qapp: QApplication, settings_folder: Path) -> Iterator[None]:
    """Fail a test that leaves a widget, a running timer, a thread or a process behind."""
    del settings_folder
    threads, children = set(threading.enumerate()), child_processes()
    yield
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.processEvents()
    assert [widget for widget in qapp.topLevelWidgets() if widget.parent() is None] == []
    assert [timer for timer in gc.get_objects() if is_running_timer(timer)] == []
    # The thread of watchdog that reads from the system ends a moment after its observer.
    last = time.monotonic() + THREAD_SECONDS
    while set(threading.enumerate()) - threads and time.monotonic() < last:
        time.sleep(0.01)
    assert set(threading.enumerate()) - threads == set()
    assert child_processes() - children == set()


def is_running_timer(thing: Any) -> bool:
    # Not isinstance(): it asks objects for their class, and some of other tests' frameworks answer with a warning.
    return issubclass(type(thing), QTimer) and isValid(thing) and thing.isActive()


def child_processes() -> set[int]:
    """Return the processes that this one started and that still run."""
    found: set[int] = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = status.read_text().rpartition(") ")
        except OSError:
            continue
        state, parent = rest.split()[:2]
        if int(parent) == os.getpid() and state != "Z":
            found.add(int(name.split()[0]))
    return found


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    theme = Theme(qapp, ThemeChoice.DARK)
    yield theme
    theme.deleteLater()


@pytest.fixture
def language(qapp: QApplication) -> Iterator[Language]:
    language = Language(qapp, LanguageChoice.ENGLISH)
    yield language
    language.choose(LanguageChoice.ENGLISH)
    language.deleteLater()


@pytest.fixture
def icons(theme: Theme) -> Icons:
    return Icons(theme)


@pytest.fixture
def workspace(tmp_path: Path) -> TestWorkspace:
    """A workspace with one operator that nothing was built of."""
    made = TestWorkspace(tmp_path / "myops")
    made.add("relu6_scale", "relu6_scale")
    return made


@pytest.fixture(scope="session")
def built_workspace(tmp_path_factory: pytest.TempPathFactory) -> TestWorkspace:
    """A workspace whose hosts are built once, by the first test that runs its loop."""
    made = TestWorkspace(tmp_path_factory.mktemp("built") / "myops")
    # A machine that is busy with other tests as well must not be taken for a kernel that hangs.
    settings = '[workspace]\nname = "tests"\n[limits]\nquiet_seconds = 120\n'
    (made.root / "opstudio.toml").write_text(settings, encoding="utf-8")
    made.add("relu6_scale", "relu6_scale")
    return made


@pytest.fixture(scope="session")
def wrong_workspace(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> TestWorkspace:
    """A workspace whose operator was checked once, and found wrong."""
    made = TestWorkspace(tmp_path_factory.mktemp("wrong") / "myops")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    made.add(OPERATOR, OPERATOR, (f"{OPERATOR}.cpp", RIGHT_FLOOR, WRONG_FLOOR))
    assert made.check(OPERATOR, *WITHOUT_SLOW_STAGES).verdict == "bad"
    return made


@pytest.fixture(scope="session")
def checked_workspace(tmp_path_factory: pytest.TempPathFactory, wrong_workspace: TestWorkspace) -> TestWorkspace:
    """A workspace whose operator was checked twice: wrong, then right."""
    made = TestWorkspace(tmp_path_factory.mktemp("checked") / "myops")
    shutil.copytree(wrong_workspace.root, made.root, dirs_exist_ok=True)
    made.edit(OPERATOR, f"{OPERATOR}.cpp", WRONG_FLOOR, RIGHT_FLOOR)
    assert made.check(OPERATOR, *WITHOUT_SLOW_STAGES).verdict == "good"
    return made


@pytest.fixture(scope="session")
def checked_scenes(
    tmp_path_factory: pytest.TempPathFactory, wrong_workspace: TestWorkspace, checked_workspace: TestWorkspace
) -> Mapping[Scene, Path]:
    """The workspaces of the scenes of an operator that was really checked."""
    folder = tmp_path_factory.mktemp("scenes")
    checked = {Scene.BUSY: checked_workspace, Scene.FAILING: wrong_workspace, Scene.FULL: checked_workspace}
    return {scene: make_checked_workspace(folder / scene / "myops", scene, checked.get(scene)).root for scene in Scene}


@pytest.fixture(scope="session")
def export_results(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, ExportResult]:
    """Exports that were really explained."""
    return make_results(TestWorkspace(tmp_path_factory.mktemp("exports") / "myops"))


@pytest.fixture
def make_window(theme: Theme, language: Language) -> Iterator[MakeWindow]:
    """Make windows that list their operators but run nothing."""
    windows: list[MainWindow] = []

    def make(root: Path) -> MainWindow:
        window = MainWindow(open_workspace(root), theme, language)
        windows.append(window)
        window.session.look_again()
        window.show()
        return window

    yield make
    for window in windows:
        window.close_at_once()
        window.deleteLater()


@pytest.fixture
def window(make_window: MakeWindow, workspace: TestWorkspace) -> MainWindow:
    return make_window(workspace.root)


def operator_folder(workspace: TestWorkspace, name: str = "relu6_scale") -> OperatorFolder:
    return OperatorFolder(name, workspace.root / name)
