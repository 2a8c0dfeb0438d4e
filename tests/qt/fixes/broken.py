"""Models with faults that can be mended by machine, and what tests do to the page that mends them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # noqa: TID253 - the second opinion
from onnx import TensorProto, helper, numpy_helper, save_model  # noqa: TID253
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from opstudio.qt.fixes.fix_page import FixPage
from opstudio.qt.fixes.fix_session import FixSession
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panels.model_findings import ModelFindingsPanel
from tests.qt.graph_panels.opened import PATIENCE_MS, open_model
from tests.qt.window_access import panel_of

TOO_NEW = 99


def a_model(*, opset: int = 17, ir_version: int = 8, rows: int | str = 2, custom: str = "") -> Any:
    """Return a model with an import that no node uses; ``custom`` is the domain of a node ``Twice`` in it."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [rows, 3]) for name in ("x", "y")]
    nodes = [
        helper.make_node("Add", ["x", "w"], ["shifted"], name="shift"),
        helper.make_node("Twice" if custom else "Tanh", ["shifted"], ["y"], name="last", domain=custom),
    ]
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], [numpy_helper.from_array(np.float32([1, 2, 3]), "w")])
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("unused", 1)]
    if custom:
        imports.append(helper.make_opsetid(custom, 1))
    return helper.make_model(graph, opset_imports=imports, ir_version=ir_version)


def written(folder: Path, model: Any, name: str = "model.onnx", **options: Any) -> Path:
    """Write a model into a folder of its own, so that what else lies there is seen."""
    folder.mkdir(parents=True, exist_ok=True)
    save_model(model, str(folder / name), **options)
    return folder / name


def is_taken(path: Path) -> bool:
    """Whether ONNX Runtime itself takes a model."""
    try:
        session(path)
    except Exception:  # noqa: BLE001 - its errors have no common class
        return False
    return True


def session(path: Path) -> Any:
    """Return a session of a model."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def open_broken(window: MainWindow, path: Path, qtbot: QtBot) -> tuple[FixSession, FixPage]:
    """Open a model and wait until it is known what can be done about it."""
    fixes = window.models.fixes
    open_model(window, path, qtbot)
    qtbot.waitUntil(lambda: bool(fixes.choices), timeout=PATIENCE_MS)
    return fixes, panel_of(window, ModelFindingsPanel).fixes


def press(window: MainWindow, text: str, qtbot: QtBot) -> None:
    """Press the one button of the panel with these words."""
    panel = panel_of(window, ModelFindingsPanel)
    (button,) = [item for item in panel.findChildren(QPushButton) if item.text() == text and item.isVisible()]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def key_of(fixes: FixSession, fix: str) -> str:
    """Return the key of the one choice of a fix."""
    (found,) = [choice.key for choice in fixes.choices if choice.fix.id == fix]
    return found


def tick(page: FixPage, key: str, qtbot: QtBot) -> None:
    """Click the box of a row."""
    index = page.model.index(page.model.row(key), 0)
    option = QStyleOptionViewItem()
    page.list.itemDelegate().initStyleOption(option, index)
    option.rect, option.widget = page.list.visualRect(index), page.list
    box = page.list.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, page.list)
    qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=box.center())


def finish(fixes: FixSession, qtbot: QtBot) -> None:
    """Wait until nothing is being written."""
    qtbot.waitUntil(lambda: not fixes.is_writing, timeout=PATIENCE_MS)
