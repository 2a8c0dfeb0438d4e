"""The way from the model to the graph that is looked at: a button for each graph around it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from opstudio.model.diagram.records import ScopePath
from opstudio.model.graph.value_index import Scope
from opstudio.qt.theme.fonts import ui_font

_LONGEST = 36


class Breadcrumbs(QWidget):
    """The last name is the graph that is looked at."""

    chosen = Signal(tuple)
    """The path of a graph."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons: list[QToolButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def texts(self) -> tuple[str, ...]:
        """The names, from the model to the graph that is looked at."""
        return tuple(button.text() for button in self._buttons)

    def show_way(self, model: str, scope: Scope | None) -> None:
        """Show where a graph lies in a model."""
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._buttons.clear()
        inner: list[Scope] = []
        while scope is not None and scope.path:
            inner.insert(0, scope)
            scope = scope.parent
        self._add(model, (), is_last=not inner)
        for number, step in enumerate(inner, start=1):
            separator = QLabel("\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}")
            separator.setProperty("tone", "quiet")
            self._row.addWidget(separator)
            self._add(scope_title(step.path), step.path, is_last=number == len(inner))
        self._row.addStretch(1)

    def _add(self, text: str, path: ScopePath, *, is_last: bool) -> None:
        shown = text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}…{text[-_LONGEST // 2 :]}"
        button = QToolButton()
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setText(shown)
        button.setToolTip(text)
        button.setFont(ui_font(semibold=is_last))
        if not is_last:
            button.clicked.connect(partial(self.chosen.emit, path))
        self._buttons.append(button)
        self._row.addWidget(button)


def scope_title(path: ScopePath) -> str:
    """Return what a nested graph or a function is called among those around it."""
    if len(path) == 1:
        return path[0].removeprefix("function ").removeprefix(":")
    return f"{path[-2]} · {path[-1]}"
