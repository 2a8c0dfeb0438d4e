"""Looking at a model: its graph in the middle, its nodes, their details and what is wrong with them around it."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from opstudio.qt.graph_page import GraphPage
from opstudio.qt.perspective import PerspectiveManifest

PERSPECTIVE = PerspectiveManifest(
    id="graph",
    title=str(QT_TRANSLATE_NOOP("Perspective", "Graph")),
    icon="graph",
    order=20,
    create=GraphPage,
)
