from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

import opstudio.qt
from opstudio.base.assets import asset_root
from opstudio.base.colours import DARK, LIGHT
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme, ThemeChoice

PACKAGE = Path(opstudio.qt.__file__).parent


def test_that_choosing_a_theme_changes_the_palette_and_tells_it_once(qapp: QApplication, theme: Theme) -> None:
    told: list[str] = []
    theme.changed.connect(lambda: told.append(theme.tokens.name))
    theme.choose(ThemeChoice.LIGHT)
    theme.choose(ThemeChoice.LIGHT)
    assert told == ["light"]
    assert qapp.palette().color(QPalette.ColorRole.Base).name().upper() == LIGHT.surface
    theme.choose(ThemeChoice.DARK)
    assert qapp.palette().color(QPalette.ColorRole.Base).name().upper() == DARK.surface


def test_that_only_the_tokens_name_colours() -> None:
    colour = re.compile(r"#[0-9A-Fa-f]{6}\b|Qt\.GlobalColor\.(?!transparent)|\brgba?\(\d")
    found = [
        path.name
        for path in PACKAGE.parent.rglob("*.py")
        if path.name != "colours.py" and colour.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_that_an_icon_is_drawn_in_the_pixels_of_the_screen(icons: Icons, ratio: float) -> None:
    pixmap = icons.pixmap("good", "good", ratio=ratio)
    assert pixmap.width() == round(16 * ratio)
    assert pixmap.deviceIndependentSize().width() == 16


def test_that_an_icon_has_the_colour_of_its_token_in_each_theme(theme: Theme, icons: Icons) -> None:
    def colours() -> set[str]:
        image = icons.pixmap("modified", "bad", size=64).toImage()
        return {image.pixelColor(32, 32).name().upper()}

    assert colours() == {DARK.bad}
    theme.choose(ThemeChoice.LIGHT)
    assert colours() == {LIGHT.bad}


def test_that_every_icon_that_the_code_names_is_there() -> None:
    named: set[str] = set()
    pattern = re.compile(r'(?:icon=|Mark\(|pixmap\(|\.icon\(|paint\(painter, )"([a-z_]+)"')
    for path in PACKAGE.rglob("*.py"):
        named |= set(pattern.findall(path.read_text(encoding="utf-8")))
    drawn = {path.stem for path in (asset_root("resources") / "icons").glob("*.svg")}
    assert len(named) > 10
    assert named - drawn == set()
