"""Golden pictures of every panel: empty, busy, failing and full, in both themes, full ones in Chinese as well.

``OPSTUDIO_PICTURES=write`` writes them anew; look at each before it is committed. They are compared block by block, so
that slightly other edges of letters pass, and a missing button or another word does not.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCursor, QFontDatabase, QFontInfo, QImage, QPainter
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panels import findings
from opstudio.qt.panels.history import HistoryPanel
from opstudio.qt.panels.jobs import JobsPanel
from opstudio.qt.theme.fonts import mono_font, ui_font
from opstudio.qt.theme.theme import Theme, ThemeChoice
from tests.qt.conftest import MakeWindow
from tests.qt.picture_comparison import largest_difference
from tests.qt.scenes import NOW, OF_RESULTS, STATES, Scene, make_workspace, play, play_checked
from tests.qt.window_access import panel_of

PICTURES = Path(__file__).parent / "pictures"
SIZE = QSize(460, 260)
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
    """Return a panel at the size of the pictures; outside of its dock, which would give it another one."""
    window.docks.reveal(name)
    panel = window.docks.panels[name]
    dock = panel.parentWidget()
    assert isinstance(dock, QDockWidget)
    # Where an earlier test left the pointer is no part of the picture.
    QCursor.setPos(window.screen().geometry().bottomRight())
    holder = QWidget()
    holder.resize(SIZE)
    panel.setParent(holder)
    panel.setGeometry(holder.rect())
    panel.show()
    holder.show()
    QApplication.processEvents()
    assert panel.panel_state is STATES[name][scene]
    for part in panel.findChildren(QWidget):
        part.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, on=False)
    image = QImage(SIZE, QImage.Format.Format_RGB32)
    image.fill(panel.palette().base().color())
    panel.render(image)
    dock.setWidget(panel)
    holder.deleteLater()
    return image


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


def sheet(images: Sequence[QImage]) -> QImage:
    """Return the pictures beside and below each other."""
    columns = min(len(images), 2)
    rows = -(-len(images) // columns)
    result = QImage(SIZE.width() * columns, SIZE.height() * rows, QImage.Format.Format_RGB32)
    result.fill(images[0].pixelColor(0, SIZE.height() - 1))
    painter = QPainter(result)
    for number, image in enumerate(images):
        painter.drawImage((number % columns) * SIZE.width(), (number // columns) * SIZE.height(), image)
    painter.end()
    return result


def moved_by_a_twentieth(image: QImage) -> QImage:
    """Return a picture moved by a twentieth of a pixel: the edges of letters are a little harder or softer."""
    result = image.copy()
    painter = QPainter(result)
    painter.setOpacity(0.05)
    painter.drawImage(1, 0, image)
    painter.end()
    return result
