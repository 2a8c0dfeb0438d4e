"""What fails while it paints leaves no painter open: an open painter ends the process at the next painting."""

from __future__ import annotations

import re

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.dock import TitleLine
from tests.support.workspaces import KERNELS


def test_that_a_failure_in_painting_closes_the_painter(qtbot: QtBot, qapp: QApplication) -> None:
    theme = Theme(qapp)
    line = TitleLine((), theme)
    qtbot.addWidget(line)
    line.resize(200, 30)
    line._theme = None  # type: ignore[assignment]
    with qtbot.captureExceptions(), pytest.raises(AttributeError) as failure:
        line.grab()
    # The traceback holds the frame that painted, and with it the painter.
    assert failure.traceback[-1].name == "paintEvent"
    assert not line.paintingActive()


def test_that_every_painter_of_the_window_ends_with_its_block() -> None:
    sources = sorted((KERNELS.parent / "app" / "opstudio" / "qt").rglob("*.py"))
    uses = [path for path in sources if "with QPainter(" in path.read_text(encoding="utf-8")]
    others = [path for path in sources if re.search(r"(?<!with )\bQPainter\(", path.read_text(encoding="utf-8"))]
    assert len(uses) > 5
    assert others == []
