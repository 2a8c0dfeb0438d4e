"""Pictures of models for the tests of the canvas."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from pytestqt.qtbot import QtBot

from opstudio.model.diagram.building import build_diagram
from opstudio.model.diagram.placing import place_diagram
from opstudio.model.diagram.text_metrics import ESTIMATED
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.value_index import index_model
from opstudio.qt.graph.graph_session import GraphSession, GraphState
from opstudio.qt.graph.picture import Picture

PATIENCE_MS = 60_000


def picture_of(path: Path, collapsed: Collection[str] | None = frozenset()) -> Picture:
    """Return the picture of a model's main graph, all groups open."""
    model = read_model(path)
    diagram = build_diagram(model, index_model(model).main, collapsed)
    return Picture(place_diagram(diagram, ESTIMATED))


def wait_for_picture(session: GraphSession, qtbot: QtBot, *, resolved: bool = False) -> None:
    """Wait until a model is read and drawn, and until it is known who implements its nodes."""

    def is_there() -> bool:
        is_drawn = session.state is GraphState.READY and session.placed is not None and not session.is_placing
        return is_drawn and not (resolved and session.is_resolving)

    qtbot.waitUntil(is_there, timeout=PATIENCE_MS)


def box_named(picture: Picture, text: str) -> int:
    """Return the one box whose title, name, value or group is this text."""
    (found,) = [
        number
        for number, box in enumerate(picture.placed.diagram.boxes)
        if text in (box.title, box.name, box.value, box.group) and text
    ]
    return found
