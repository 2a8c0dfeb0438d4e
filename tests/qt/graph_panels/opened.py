"""What tests of the panels do to the window: open a model, wait for what is said of it, read what a panel shows."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from opstudio.qt.graph.details_page import SectionView
from opstudio.qt.graph.details_records import Details, Section, Target
from opstudio.qt.graph.graph_session import GraphState
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panels.node_details import NodeDetailsPanel
from tests.qt.window_access import panel_of

PATIENCE_MS = 60_000
"""The runtime of the tests is asked once, which takes some seconds on a busy machine."""


def show_panels(window: MainWindow, *names: str) -> None:
    """Bring panels to the front, whichever perspective is shown."""
    for name in names or ("models", "node_details", "model_findings", "node_list"):
        window.docks.reveal(name)


def open_model(window: MainWindow, path: Path, qtbot: QtBot, *, resolved: bool = True) -> None:
    """Open a model and wait until it is read, and until it is known who implements its nodes."""
    show_panels(window)
    window.graph.open(path)
    qtbot.waitUntil(lambda: window.graph.state is not GraphState.READING, timeout=PATIENCE_MS)
    if resolved:
        qtbot.waitUntil(lambda: not window.graph.is_resolving, timeout=PATIENCE_MS)


def details_of(window: MainWindow, qtbot: QtBot) -> Details:
    """Return what the panel Node says once everything is read."""
    panel = panel_of(window, NodeDetailsPanel)
    panel.refresh()
    qtbot.waitUntil(lambda: not panel.is_reading, timeout=PATIENCE_MS)
    assert panel.details is not None
    return panel.details


def section_of(details: Details, title: str) -> Section:
    """Return the one section with a title."""
    (found,) = [section for section in details.sections if section.title == title]
    return found


def table_of(details: Details, title: str) -> dict[str, str]:
    """Return the rows of a section by their names."""
    return {row.name: "".join(span.text for span in row.spans) for row in section_of(details, title).rows}


def target_of(details: Details, text: str) -> Target:
    """Return where the one stretch of text leads that reads so."""
    spans = [span for section in details.sections for row in section.rows for span in row.spans]
    found = {span.target for span in spans if span.text == text and span.target is not None}
    (target,) = found
    return target


def view_of(window: MainWindow, title: str) -> SectionView:
    """Return the widget of the section with a title."""
    views = panel_of(window, NodeDetailsPanel).page.sections
    (found,) = [view for view in views if view.section is not None and view.section.title == title]
    return found
