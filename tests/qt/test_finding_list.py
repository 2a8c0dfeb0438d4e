"""The list of findings and what stands beside it, in panels of any shape: nothing is squeezed away."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from opstudio.base.finding import Finding
from opstudio.qt.models.operator_view import ShownFinding
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.finding_list import FindingList

FINDING = Finding(id="ORT001", stage="graph", title="Nobody implements it", cause="no library", fix="Register one")
WORDS = ("Make inputs of ai.onnx:Clip", "Lower opset to 10", "Explain MOD004")


@pytest.mark.parametrize(("width", "height"), [(1000, 190), (625, 190), (520, 190), (380, 400), (300, 700)])
def test_that_list_and_text_have_room_beside_the_buttons(
    qtbot: QtBot, theme: Theme, icons: Icons, width: int, height: int
) -> None:
    shown = FindingList(theme, icons)
    qtbot.addWidget(shown)
    shown.resize(width, height)
    shown.show()
    shown.set_rows([ShownFinding(finding=FINDING, stale=False)])
    shown.set_buttons([QPushButton(word) for word in WORDS])
    qtbot.waitExposed(shown)

    qtbot.waitUntil(lambda: shown.view.width() >= 150 and shown.detail.width() >= 180)
    buttons = shown.findChildren(QPushButton)
    assert all(button.visibleRegion().boundingRect() == button.rect() for button in buttons)
