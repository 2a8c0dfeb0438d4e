"""What tests of the window do to it and read from it."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from opstudio.qt.bridge import WindowEvent
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import Panel
from opstudio.qt.widgets.notice_bar import NoticeBar

PanelKind = TypeVar("PanelKind", bound=Panel)


def feed(window: MainWindow, *events: WindowEvent) -> None:
    """Let a batch of events reach the window, as its loop would."""
    window.bridge.events_received.emit(list(events))


def panel_of(window: MainWindow, kind: type[PanelKind]) -> PanelKind:
    """Return the one panel of a class."""
    (panel,) = [panel for panel in window.docks.panels.values() if isinstance(panel, kind)]
    return panel


def label_texts(widget: QWidget) -> list[str]:
    """Return the texts of the labels that are shown wherever the widget is."""
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget)]


def words(widget: QWidget) -> str:
    """Return the texts of the labels, one after the other."""
    return " ".join(label_texts(widget))


def answer(notice: NoticeBar, text: str, qtbot: QtBot) -> None:
    """Click the one answer of a notice that has this text."""
    (button,) = [button for button in notice.buttons if button.text() == text]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def activate(window: MainWindow, qtbot: QtBot) -> None:
    """Give a window the keyboard, as a click into it does; without it no key of the menus is taken."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
