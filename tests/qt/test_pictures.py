"""Golden pictures of every panel: empty, busy, failing and full, in both themes, full ones in Chinese as well.

``OPSTUDIO_PICTURES=write`` writes them anew; look at each before it is committed. They are compared coarsely, so that
another release of the font renderer passes and a missing button does not.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontDatabase, QImage, QPainter
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget

from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panels.evidence import EvidencePanel
from opstudio.qt.panels.history import HistoryPanel
from opstudio.qt.theme.theme import Theme, ThemeChoice
from opstudio.workspace.folder import open_workspace
from tests.qt.scenes import Scene, make_workspace, play

PICTURES = Path(__file__).parent / "pictures"
FONTS = ("DejaVu Sans", "DejaVu Sans Mono", "Droid Sans Fallback")
PANELS = ("operators", "findings", "log", "jobs", "evidence", "history", "help")
SIZE = QSize(460, 260)
COARSE = QSize(SIZE.width() * 2 // 6, SIZE.height() * 2 // 6)
MOST_DIFFERENT = 0.02
"""Share of coarse pixels that may differ noticeably."""
NOTICEABLE = 24
"""Of 255."""


@pytest.fixture(autouse=True)
def fonts(qapp: QApplication) -> None:
    del qapp  # there are no fonts before it
    missing = [family for family in FONTS if family not in QFontDatabase.families()]
    if missing:
        pytest.skip(f"the pictures were taken with fonts that are not installed: {', '.join(missing)}")


@pytest.mark.parametrize("theme_choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
@pytest.mark.parametrize("language_choice", [LanguageChoice.ENGLISH, LanguageChoice.CHINESE])
def test_that_panels_look_as_they_did(
    theme_choice: ThemeChoice, language_choice: LanguageChoice, theme: Theme, language: Language, tmp_path: Path
) -> None:
    theme.choose(theme_choice)
    language.choose(language_choice)
    scenes = list(Scene) if language_choice is LanguageChoice.ENGLISH else [Scene.FULL]
    taken: dict[str, list[QImage]] = {panel: [] for panel in PANELS}
    for scene in scenes:
        window = MainWindow(open_workspace(make_workspace(tmp_path / scene / "myops", scene).root), theme, language)
        window.resize(1440, 900)
        window.session.look_again()
        window.show()
        play(window, scene)
        for panel in PANELS:
            window.docks.reveal(panel)
            QApplication.processEvents()
            taken[panel].append(picture_of(window.docks.panels[panel]))
        window.close_at_once()
        window.deleteLater()
    differing = {}
    for panel, images in taken.items():
        file = PICTURES / f"{panel}-{theme_choice}-{language_choice}.png"
        image = sheet(images)
        if os.environ.get("OPSTUDIO_PICTURES") == "write":
            assert image.save(str(file))
        share = different_share(image, QImage(str(file)))
        if share > MOST_DIFFERENT:
            image.save(str(tmp_path / file.name))
            differing[file.name] = f"{share:.1%}, see {tmp_path / file.name}"
    assert differing == {}


def picture_of(panel: QWidget) -> QImage:
    """Return a panel at the size of the pictures; outside of its dock, which would give it another one."""
    dock = panel.parentWidget()
    assert isinstance(dock, QDockWidget)
    holder = QWidget()
    holder.resize(SIZE)
    panel.setParent(holder)
    panel.setGeometry(holder.rect())
    panel.show()
    holder.show()
    if isinstance(panel, EvidencePanel | HistoryPanel):
        panel.refresh()  # what they show is read a moment later
    QApplication.processEvents()
    image = QImage(SIZE, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.black)
    panel.render(image)
    dock.setWidget(panel)
    holder.deleteLater()
    return image


def sheet(images: list[QImage]) -> QImage:
    """Return the pictures beside and below each other."""
    columns = min(len(images), 2)
    rows = -(-len(images) // columns)
    result = QImage(SIZE.width() * columns, SIZE.height() * rows, QImage.Format.Format_RGB32)
    painter = QPainter(result)
    for number, image in enumerate(images):
        painter.drawImage((number % columns) * SIZE.width(), (number // columns) * SIZE.height(), image)
    painter.end()
    return result


def different_share(one: QImage, other: QImage) -> float:
    """Return the share of coarse pixels that differ noticeably; everything where the sizes differ."""
    if one.size() != other.size():
        return 1.0
    first, second = (coarse(image) for image in (one, other))
    pairs = [
        (first.pixelColor(x, y), second.pixelColor(x, y)) for x in range(first.width()) for y in range(first.height())
    ]
    different = sum(
        max(abs(a.red() - b.red()), abs(a.green() - b.green()), abs(a.blue() - b.blue())) > NOTICEABLE for a, b in pairs
    )
    return different / len(pairs)


def coarse(image: QImage) -> QImage:
    size = QSize(image.width() // 6, image.height() // 6)
    return image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)


def test_that_the_comparison_sees_a_missing_button() -> None:
    blank = QImage(SIZE, QImage.Format.Format_RGB32)
    blank.fill(Qt.GlobalColor.black)
    with_button = blank.copy()
    painter = QPainter(with_button)
    painter.fillRect(180, 120, 90, 28, Qt.GlobalColor.gray)
    painter.end()
    assert different_share(blank, with_button) > MOST_DIFFERENT / 2
    assert different_share(blank, blank.copy()) == 0.0
