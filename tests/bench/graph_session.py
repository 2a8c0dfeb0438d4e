"""One model on the canvas, measured from inside; prints one JSON line. ``… MODEL``, a file with very many nodes.

All groups are open: what is measured is the whole graph, not the few boxes that a person sees at first.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtTest import QTest

from opstudio.model.diagram.building import build_diagram
from opstudio.model.diagram.placing import place_diagram
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.value_index import index_model
from opstudio.qt.application import make_application
from opstudio.qt.graph.canvas import GraphCanvas
from opstudio.qt.graph.colouring import ColourBy, colour
from opstudio.qt.graph.look import Look
from opstudio.qt.graph.picture import Picture
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme, ThemeChoice
from tests.bench.window_session import resident_bytes

_SIZE = (1400, 900)
_PAN_FRAMES, _ZOOM_FRAMES = 60, 80
_PAN_PIXELS = 60.0


def measure(path: Path) -> dict[str, object]:
    """Open, lay out, paint, then move; times are in seconds, memory in bytes."""
    application = make_application()
    theme = Theme(application, ThemeChoice.DARK)
    canvas = GraphCanvas(theme, Icons(theme))
    canvas.resize(*_SIZE)
    canvas.show()
    QTest.qWaitForWindowExposed(canvas)
    started = time.perf_counter()
    model = read_model(path)
    index = index_model(model)
    read = time.perf_counter()
    placed = place_diagram(build_diagram(model, index.main, frozenset()), canvas.metrics)
    drawn = time.perf_counter()
    picture = Picture(placed)
    look = Look.plain(picture)
    look.colouring = colour(placed.diagram, model.graph.nodes, {}, ColourBy.FAMILY)
    canvas.set_picture(picture, look)
    canvas.show_start()
    canvas.repaint()
    painted = time.perf_counter()
    frames = list(_frames(canvas, picture))
    return {
        "nodes": len(model.graph.nodes),
        "read": read - started,
        "layout": drawn - read,
        "first_paint": painted - drawn,
        "frames": frames,
        "memory": resident_bytes(),
    }


def _frames(canvas: GraphCanvas, picture: Picture) -> Iterator[float]:
    """Yield the seconds of each frame: moving when near, zooming out to all, moving far away."""
    width, height = picture.size
    canvas.center_on(width / 2, height / 2)
    canvas.set_zoom(1.0)
    for _ in range(_PAN_FRAMES):
        canvas.camera.pan(0.0, -_PAN_PIXELS)
        yield _repaint(canvas)
    factor = math.exp(math.log(canvas.camera.fitting) / _ZOOM_FRAMES)
    for _ in range(_ZOOM_FRAMES):
        canvas.set_zoom(canvas.camera.zoom * factor)
        yield _repaint(canvas)
    canvas.set_zoom(0.2)
    for _ in range(_PAN_FRAMES):
        canvas.camera.pan(0.0, -_PAN_PIXELS)
        yield _repaint(canvas)


def _repaint(canvas: GraphCanvas) -> float:
    started = time.perf_counter()
    canvas.repaint()
    return time.perf_counter() - started


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
