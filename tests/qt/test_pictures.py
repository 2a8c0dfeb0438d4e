"""Golden pictures of every panel: empty, busy, failing and full, in both themes, full ones in Chinese as well.

``OPSTUDIO_PICTURES=write`` writes them anew; look at each before it is committed. They are compared block by block, so
that slightly other edges of letters pass, and a missing button or another word does not.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtGui import QFontDatabase, QFontInfo, QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from opstudio.qt.export.export_target import ExportResult
from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import PanelState
from opstudio.qt.panels import findings
from opstudio.qt.panels.history import HistoryPanel
from opstudio.qt.panels.jobs import JobsPanel
from opstudio.qt.theme.fonts import mono_font, ui_font
from opstudio.qt.theme.theme import Theme, ThemeChoice
from tests.qt import export_scenes, model_scenes
from tests.qt.conftest import MakeWindow
from tests.qt.picture_comparison import largest_difference
from tests.qt.picture_taking import photograph, sheet
from tests.qt.scenes import NOW, OF_RESULTS, STATES, Scene, make_workspace, play, play_checked
from tests.qt.window_access import panel_of
from tests.support.workspaces import TestWorkspace

PICTURES = Path(__file__).parent / "pictures"
THEMES = (ThemeChoice.DARK, ThemeChoice.LIGHT)
LANGUAGES = (LanguageChoice.ENGLISH, LanguageChoice.CHINESE)
OF_EVENTS: Mapping[str, Sequence[Scene]] = {
    "operators": tuple(Scene),
    # Where all stages are good there is nothing to list, which it says in green.
    "findings": tuple(Scene),
    # What is printed is not judged: the log never fails.
    "log": (Scene.EMPTY, Scene.BUSY, Scene.FULL),
    "jobs": tuple(Scene),
    # The pages are the same whatever goes on.
    "help": (Scene.FULL,),
}
"""The scenes that panels which follow events are pictured in; those of results are in all of them."""


@pytest.fixture(autouse=True)
def fonts(theme: Theme) -> None:
    del theme  # there are no fonts before it
    used = {"words": QFontInfo(ui_font()).family(), "code": QFontInfo(mono_font()).family()}
    if used != {"words": "DejaVu Sans", "code": "DejaVu Sans Mono"}:
        pytest.skip(f"the pictures were taken with fonts of the family DejaVu, not with {used}")
    if "Droid Sans Fallback" not in QFontDatabase.families():
        pytest.skip("the pictures were taken with a font that is not installed: Droid Sans Fallback")


@pytest.fixture(autouse=True)
def standing_still(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let it be the same moment in the same time zone whenever pictures are taken, and let no cursor blink."""
    flash_time = qapp.cursorFlashTime()
    qapp.setCursorFlashTime(0)
    monkeypatch.setattr(findings, "time", SimpleNamespace(time=lambda: NOW))
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()
    qapp.setCursorFlashTime(flash_time)


@pytest.fixture(params=itertools.product(THEMES, LANGUAGES), ids="-".join)
def variant(request: pytest.FixtureRequest, theme: Theme, language: Language) -> str:
    """The theme and the language of the window, by name."""
    theme_choice, language_choice = request.param
    theme.choose(theme_choice)
    language.choose(language_choice)
    return f"{theme_choice}-{language_choice}"


@pytest.fixture
def scenes(variant: str, language: Language) -> Sequence[Scene]:
    """Those that a variant is pictured in."""
    del variant  # which chooses the language
    return tuple(Scene) if language.in_force is LanguageChoice.ENGLISH else (Scene.FULL,)


def test_that_panels_look_as_they_did(
    variant: str, scenes: Sequence[Scene], make_window: MakeWindow, tmp_path: Path
) -> None:
    taken: dict[str, list[QImage]] = {panel: [] for panel in OF_EVENTS}
    for scene in scenes:
        window = make_window(make_workspace(tmp_path / scene / "myops", scene).root)
        panel_of(window, JobsPanel).model._clock = lambda: NOW
        play(window, scene)
        for panel in (panel for panel in OF_EVENTS if scene in OF_EVENTS[panel]):
            taken[panel].append(picture_of(window, panel, scene))
    assert differing(taken, variant, tmp_path) == {}


def test_that_panels_of_results_look_as_they_did(
    variant: str,
    scenes: Sequence[Scene],
    make_window: MakeWindow,
    checked_scenes: Mapping[Scene, Path],
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    taken: dict[str, list[QImage]] = {panel: [] for panel in OF_RESULTS}
    for scene in scenes:
        window = make_window(checked_scenes[scene])
        play_checked(window, scene, qtbot)
        for panel in OF_RESULTS:
            taken[panel].append(picture_of(window, panel, scene))
    assert differing(taken, variant, tmp_path) == {}


def test_that_panels_of_models_look_as_they_did(
    variant: str, scenes: Sequence[Scene], make_window: MakeWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    taken: dict[str, list[QImage]] = {panel: [] for panel in model_scenes.STATES}
    root = TestWorkspace(tmp_path / "myops").root
    window = make_window(root)
    window.perspectives.show("graph")

    def take(scene: Scene, *panels: str) -> None:
        for name in (name for name in panels or taken if scene in scenes):
            state = model_scenes.STATES[name][scene]
            taken[name].append(photograph(window, name, state, partial(model_scenes.settle, window, qtbot)))

    model_scenes.look_for_models(window, qtbot)
    take(Scene.EMPTY)
    model, page = model_scenes.make_models(root)
    model_scenes.look_for_models(window, qtbot)
    model_scenes.open_and_wait(window, page, qtbot)
    take(Scene.FAILING)
    model_scenes.open_and_wait(window, model, qtbot)
    model_scenes.select_node(window, model_scenes.SWISH)
    take(Scene.FULL)
    window.graph.select_value(model_scenes.WEIGHT)
    take(Scene.FULL, "node_details")
    model_scenes.close_groups(window, qtbot)
    take(Scene.FULL, "graph")
    with model_scenes.held_reading(window, model, qtbot):
        take(Scene.BUSY)
    assert differing(taken, variant, tmp_path) == {}


def test_that_the_panel_of_exports_looks_as_it_did(
    variant: str,
    scenes: Sequence[Scene],
    make_window: MakeWindow,
    export_results: Mapping[str, ExportResult],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[QImage] = []
    first = next(iter(export_results.values())).target.file
    assert first is not None
    window = make_window(first.parent)
    window.perspectives.show("export")
    if Scene.EMPTY in scenes:
        taken.append(photograph(window, "export", PanelState.EMPTY))
    if Scene.BUSY in scenes:
        export_scenes.wait_for_worker(window, first, monkeypatch)
        taken.append(photograph(window, "export", PanelState.BUSY))
    for name, section, state in export_scenes.SHOWN:
        export_scenes.show_result(window, export_results[name], section)
        taken.append(photograph(window, "export", state))
    assert differing({"export": taken}, variant, tmp_path) == {}


@pytest.mark.parametrize("theme_choice", THEMES)
def test_that_the_comparison_sees_a_hidden_button_and_every_changed_word(
    theme_choice: ThemeChoice, theme: Theme, make_window: MakeWindow, tmp_path: Path
) -> None:
    theme.choose(theme_choice)
    window = make_window(make_workspace(tmp_path / "myops", Scene.EMPTY).root)
    panel = panel_of(window, HistoryPanel)
    before = picture_of(window, "history", Scene.EMPTY)
    assert largest_difference(before, picture_of(window, "history", Scene.EMPTY)).mean == 0.0
    assert not largest_difference(before, moved_by_a_twentieth(before)).is_noticeable

    (button,) = [button for button in panel.findChildren(QPushButton) if button.isVisibleTo(panel)]
    policy = button.sizePolicy()
    policy.setRetainSizeWhenHidden(True)  # so that nothing else moves into its place
    button.setSizePolicy(policy)
    button.hide()
    assert largest_difference(before, picture_of(window, "history", Scene.EMPTY)).is_noticeable
    button.show()
    assert largest_difference(before, picture_of(window, "history", Scene.EMPTY)).mean == 0.0

    labels = [label for label in panel.findChildren(QLabel) if label.isVisibleTo(panel) and label.text()]
    assert {"No builds yet", "F5"} < {label.text() for label in labels}
    for label in labels:
        text, all_words = label.text(), label.text().split()
        for number, word in enumerate(all_words):
            label.setText(" ".join([*all_words[:number], "o" * len(word), *all_words[number + 1 :]]))
            assert largest_difference(before, picture_of(window, "history", Scene.EMPTY)).is_noticeable, word
        label.setText(text)


def picture_of(window: MainWindow, name: str, scene: Scene) -> QImage:
    """Return a panel in a scene of events or results."""
    return photograph(window, name, STATES[name][scene])


def differing(taken: Mapping[str, Sequence[QImage]], variant: str, folder: Path) -> dict[str, str]:
    """Return which pictures are noticeably others than they were, where, and what they look like now."""
    found = {}
    for panel, images in taken.items():
        file = PICTURES / f"{panel}-{variant}.png"
        image = sheet(images)
        if os.environ.get("OPSTUDIO_PICTURES") == "write":
            assert image.save(str(file))
        difference = largest_difference(image, QImage(str(file)))
        if difference.is_noticeable:
            image.save(str(folder / file.name))
            found[file.name] = f"{difference}, see {folder / file.name}"
    return found


def moved_by_a_twentieth(image: QImage) -> QImage:
    """Return a picture moved by a twentieth of a pixel: the edges of letters are a little harder or softer."""
    result = image.copy()
    painter = QPainter(result)
    painter.setOpacity(0.05)
    painter.drawImage(1, 0, image)
    painter.end()
    return result
