"""Scenes of the panels about models: a model that onnx made, one that is none, and a reader that is held up."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper  # noqa: TID253 - models are what is shown
from pytestqt.qtbot import QtBot

from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import ModelRecord
from opstudio.qt import graph_page
from opstudio.qt.graph import graph_session
from opstudio.qt.graph.graph_session import GraphState
from opstudio.qt.graph_page import GraphPage
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import PanelState
from opstudio.qt.panels.models import ModelsPanel
from opstudio.qt.panels.node_details import NodeDetailsPanel
from tests.qt.graph_panels.opened import PATIENCE_MS
from tests.qt.scenes import Scene
from tests.qt.window_access import panel_of
from tests.unit.model.graph.samples import written

EMPTY, BUSY, FAILING, READY = PanelState.EMPTY, PanelState.BUSY, PanelState.FAILING, PanelState.READY
GRAPH = "graph"
STATES: Mapping[str, Mapping[Scene, PanelState]] = {
    GRAPH: {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: READY},
    "models": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: READY},
    "node_details": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: READY},
    # A model that is full of problems fails.
    "node_list": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: FAILING},
    "model_findings": {Scene.EMPTY: EMPTY, Scene.BUSY: BUSY, Scene.FAILING: FAILING, Scene.FULL: FAILING},
}
"""What the page in the middle and the panels show in each scene."""
SWISH, WEIGHT = "/blocks.0/Swish", "blocks.0.weight"
"""A node that nobody implements, and a tensor."""
_BLOCKS, _CHANNELS = 3, 8
_HELD_SECONDS = 3.0
"""How long the reading takes by the time that it is looked at."""
_ERROR_PAGE = "<!DOCTYPE html>\n<html><head><title>404</title></head><body>Not found</body></html>\n"


def make_model() -> ModelProto:
    """Return a model with equal blocks, graphs within a node, a function, and nodes that nobody implements."""
    random = np.random.default_rng(0)
    nodes: list[NodeProto] = []
    weights = []
    value = "image"
    for number in range(_BLOCKS):
        inner = 3 if number == 0 else _CHANNELS
        weight = random.normal(0.0, 0.1, (_CHANNELS, inner, 3, 3)).astype(np.float32)
        weights.append(numpy_helper.from_array(weight, f"blocks.{number}.weight"))
        made = [f"/blocks.{number}/{kind}_output" for kind in ("Conv", "Swish", "Add")]
        names = [f"/blocks.{number}/{kind}" for kind in ("Conv", "Swish", "Add")]
        window = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [1, 1]}
        nodes.append(helper.make_node("Conv", [value, weights[-1].name], made[:1], names[0], **window))
        nodes.append(helper.make_node("Swish", made[:1], made[1:2], names[1], domain="lab", beta=1.5))
        nodes.append(helper.make_node("Add", made[:2], made[2:], names[2]))
        value = made[2]
    nodes += [
        helper.make_node("Gate", [value], ["gated"], "/Gate", domain="local"),
        helper.make_node(
            "If",
            ["flag"],
            ["chosen"],
            "/If",
            then_branch=_branch("then", "Relu"),
            else_branch=_branch("else", "Neg"),
        ),
        helper.make_node("DecodeBoxes", ["chosen"], ["boxes"], "/head/Decode", domain="lab", threshold=0.25),
    ]
    graph = helper.make_graph(
        nodes,
        "detector",
        [
            helper.make_tensor_value_info("image", TensorProto.FLOAT, ["batch", 3, 32, 32]),
            helper.make_tensor_value_info("flag", TensorProto.BOOL, []),
        ],
        [helper.make_tensor_value_info("boxes", TensorProto.FLOAT, None)],
        weights,
    )
    gate = helper.make_function(
        "local",
        "Gate",
        ["x"],
        ["y"],
        [helper.make_node("Sigmoid", ["x"], ["s"]), helper.make_node("Mul", ["x", "s"], ["y"])],
        [helper.make_opsetid("", 18)],
    )
    imports = [helper.make_opsetid(*item) for item in (("", 18), ("lab", 1), ("local", 1))]
    return helper.make_model(graph, opset_imports=imports, functions=[gate], producer_name="onnx.helper", ir_version=10)


def make_models(root: Path) -> tuple[Path, Path]:
    """Write a model and a page of a server under the name of one into a workspace; return both."""
    (root / "exports" / "old").mkdir(parents=True)
    page = root / "exports" / "download.onnx"
    page.write_text(_ERROR_PAGE, encoding="utf-8")
    written(root / "exports" / "old", make_model(), "detector_v1.onnx")
    return written(root / "exports", make_model(), "detector.onnx"), page


def look_for_models(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the panel Models knows what lies in the workspace."""
    panel = panel_of(window, ModelsPanel)
    panel.look_again()
    qtbot.waitUntil(lambda: not panel.is_looking, timeout=PATIENCE_MS)


def open_and_wait(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    """Open a file and wait until all is known of it, and drawn."""
    session = window.graph
    session.open(path)
    qtbot.waitUntil(lambda: session.state is not GraphState.READING, timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: not session.is_resolving and not session.is_placing, timeout=PATIENCE_MS)


def select_node(window: MainWindow, name: str) -> None:
    """Select a node of the main graph."""
    scope = window.graph.current
    assert scope is not None
    window.graph.select_node([node.name for node in scope.content.nodes].index(name))


@contextmanager
def held_reading(window: MainWindow, path: Path, qtbot: QtBot) -> Iterator[None]:
    """Open a model, and let its reading take until this ends."""
    may_go_on = threading.Event()

    def read_later(file: Path) -> ModelRecord:
        may_go_on.wait()
        return read_model(file)

    page = window.center.page(GRAPH)
    assert isinstance(page, GraphPage)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph_session, "read_model", read_later)
        window.graph.open(path)
        now = window.graph.busy_since + _HELD_SECONDS
        patch.setattr(graph_page, "time", SimpleNamespace(monotonic=lambda: now))
        page._show_busy()
        try:
            yield
        finally:
            may_go_on.set()
            qtbot.waitUntil(lambda: window.graph.state is not GraphState.READING, timeout=PATIENCE_MS)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until no panel reads anything more than the model itself."""
    details, models = panel_of(window, NodeDetailsPanel), panel_of(window, ModelsPanel)
    details.refresh()  # which it does itself a moment later
    qtbot.waitUntil(lambda: not details.is_reading and not models.is_looking, timeout=PATIENCE_MS)


def close_groups(window: MainWindow, qtbot: QtBot) -> None:
    """Draw the blocks as one box, and wait until that is drawn."""
    session = window.graph
    assert session.placed is not None
    session.set_collapsed({box.around for box in session.placed.diagram.boxes if box.around})
    qtbot.waitUntil(lambda: not session.is_placing, timeout=PATIENCE_MS)


def _branch(name: str, kind: str) -> GraphProto:
    """Return a graph of one node that reads a value of the graph around it."""
    node = helper.make_node(kind, ["gated"], [f"{name}_output"], f"/{name}/{kind}")
    return helper.make_graph([node], name, [], [helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None)])
