"""English, Chinese and back, with something in every panel: nothing of the language before stays."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from opstudio.jobs.events import JobOutcome
from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panels.evidence import EvidencePanel
from opstudio.qt.panels.history import HistoryPanel
from tests.qt.conftest import MakeWindow
from tests.qt.events import OPERATOR, finished, good_run, output, started, verdict
from tests.qt.window_access import feed, panel_of
from tests.support.workspaces import TestWorkspace


@pytest.fixture
def window(make_window: MakeWindow, checked_workspace: TestWorkspace) -> MainWindow:
    return make_window(checked_workspace.root)


def shown_texts(root: QWidget) -> list[str]:
    """Return what every visible widget says, its tool tip, and the cells and titles of every list."""
    found: list[str] = []
    for widget in [widget for widget in root.findChildren(QWidget) if widget.isVisibleTo(root)]:
        found += [widget.toolTip(), widget.accessibleName()]
        if isinstance(widget, QAbstractButton | QLabel):
            found.append(widget.text())
        elif isinstance(widget, QLineEdit):
            found.append(widget.placeholderText())
        elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
            found += cells(widget.model())
    return [text for text in found if text]


def cells(model: QAbstractItemModel) -> list[str]:
    columns = range(1 if isinstance(model, QAbstractListModel) else model.columnCount())
    titles = [str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns]
    rows = [str(model.index(row, column).data() or "") for row in range(model.rowCount()) for column in columns]
    return titles + rows


def is_english(text: str) -> bool:
    """Whether a text holds two words in a row in small Latin letters: a sentence or a label, no name and no code."""
    words = [word.isascii() and word.isalpha() for word in text.replace("…", " ").split()]
    return any(one and other for one, other in pairwise(words))


def fill(window: MainWindow, qtbot: QtBot) -> None:
    """Let every panel have something to show."""
    feed(window, *good_run(), output("g++ relu6_scale.cpp\n"))
    feed(window, started(), finished(JobOutcome.CANCELLED))
    feed(window, *good_run())
    window.selection.select_operator(OPERATOR)
    window.selection.select_stage("value")
    for panel in ("history", "jobs", "log", "help", "evidence"):
        window.docks.reveal(panel)
        QApplication.processEvents()
    evidence, history = panel_of(window, EvidencePanel), panel_of(window, HistoryPanel)
    window.docks.reveal("history")
    history.refresh()
    qtbot.waitUntil(lambda: evidence.evidence is not None and history.model.rowCount() > 0, timeout=20_000)
    window.selection.select_build(1)
    qtbot.waitUntil(lambda: evidence.evidence is not None and evidence.evidence.number == 1, timeout=20_000)


@pytest.mark.parametrize("panel", ["operators", "findings", "evidence", "log", "jobs", "history"])
def test_that_nothing_of_the_language_before_stays(
    window: MainWindow, language: Language, panel: str, qtbot: QtBot
) -> None:
    fill(window, qtbot)
    window.docks.reveal(panel)
    content = window.docks.panels[panel].parentWidget()

    def settled() -> list[str]:
        for _ in range(3):
            qtbot.wait(150)  # evidence and history are looked at again a moment later
        return shown_texts(content)

    before = settled()
    assert len(before) > 2
    language.choose(LanguageChoice.CHINESE)
    chinese = settled()
    data = {text for text in chinese if text in before}
    assert [text for text in chinese if is_english(text) and not is_known_data(text)] == [], data
    language.choose(LanguageChoice.ENGLISH)
    assert settled() == before


def is_known_data(text: str) -> bool:
    """What is data in every language: what the loop, its tools and the operator say."""
    return any(part in text for part in ("relu6_scale", "g++", "after 400 ms", "cases", "elements", "float", "torch"))


def test_that_an_empty_panel_offers_its_action_in_the_language_of_the_moment(
    make_window: MakeWindow, workspace: TestWorkspace, language: Language
) -> None:
    window = make_window(workspace.root)
    window.docks.reveal("jobs")
    language.choose(LanguageChoice.CHINESE)
    QApplication.processEvents()
    buttons = [button.text() for button in window.docks.panels["jobs"].findChildren(QAbstractButton) if button.text()]
    assert buttons == [window.actions_.run_fresh.text()]
    assert not is_english(buttons[0])


def test_that_jobs_that_ended_are_told_in_the_language_of_the_moment(
    make_window: MakeWindow, workspace: TestWorkspace, language: Language
) -> None:
    window = make_window(workspace.root)
    feed(window, started(), verdict(), finished())
    view = window.docks.panels["jobs"].findChild(QAbstractItemView)
    assert view is not None
    assert "good" in cells(view.model())
    language.choose(LanguageChoice.CHINESE)
    assert "good" not in cells(view.model())
    assert "通过" in cells(view.model())
