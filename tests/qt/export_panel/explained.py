"""What tests of the panel Export do to the window, and the models that they let it explain."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from opstudio.model.export_debugging.records import ExportExplanation
from opstudio.qt.export.export_session import ExportSession
from opstudio.qt.export.export_target import ExportResult
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panels.export import ExportPanel
from tests.qt.window_access import panel_of

PATIENCE_MS = 120_000
"""Both exporters take some seconds, on a busy machine many."""

MODELS = """
import os

import torch
from torch import Tensor, nn


@torch.library.custom_op("lab::swish", mutates_args=())
def swish(x: Tensor, beta: float = 1.0) -> Tensor:
    return x * torch.sigmoid(beta * x)


@swish.register_fake
def _(x: Tensor, beta: float = 1.0) -> Tensor:
    return torch.empty_like(x)


class Gate(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(8, 16)

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.inner(x)
        return swish(hidden, beta=1.5)


def make() -> nn.Module:
    return Gate()


def broken() -> nn.Module:
    raise ValueError("there are no weights here")


def dies() -> nn.Module:
    os.abort()


def example_inputs() -> tuple[Tensor, ...]:
    return (torch.randn(4, 8),)
"""
"""A file of models whose operator no exporter can translate."""
CALL = "return swish(hidden, beta=1.5)"
"""The line that calls it."""


def session_of(window: MainWindow) -> ExportSession:
    """Return the explanations of a window."""
    return window.exports.session


def export_panel(window: MainWindow) -> ExportPanel:
    """Return the panel."""
    return panel_of(window, ExportPanel)


def wait_open(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the window can run something, and let it run nothing of its own accord."""
    qtbot.waitUntil(lambda: window.session.is_open, timeout=PATIENCE_MS)
    window.session.cancel()


def explain(window: MainWindow, qtbot: QtBot) -> ExportResult:
    """Ask for an explanation as a person does, and wait for it."""
    window.actions_.explain_export.trigger()
    qtbot.waitUntil(lambda: session_of(window).running is None, timeout=PATIENCE_MS)
    result = session_of(window).result
    assert result is not None
    return result


def explained(window: MainWindow, qtbot: QtBot) -> ExportExplanation:
    """Return the explanation, which must come."""
    result = explain(window, qtbot)
    assert result.explanation is not None, result.failure
    return result.explanation


def line_of(path: Path, text: str) -> int:
    """Return the number of the one line that holds a text."""
    (number,) = [n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1) if text in line]
    return number


def where(window: MainWindow) -> tuple[str, int]:
    """Return the file in the editor and the line of its cursor."""
    page = window.editors.current
    assert page is not None
    return page.path.name, page.editor.textCursor().blockNumber() + 1
