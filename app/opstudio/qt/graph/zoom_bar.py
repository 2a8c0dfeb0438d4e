"""The buttons that enlarge and reduce the graph, over its lower left corner."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton

from opstudio.qt.graph.canvas import GraphCanvas
from opstudio.qt.graph.graph_actions import GraphActions
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font

_MARGIN = 12
"""To the edges of the canvas, in pixels."""
_PERCENT = 100.0


class ZoomBar(QFrame):
    """Reduce, the zoom in percent (a click shows the graph at 100 %), enlarge, fit."""

    def __init__(self, canvas: GraphCanvas, actions: GraphActions) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setProperty("look", "card")
        self._zoom = QToolButton()
        self._zoom.setFont(ui_font(SMALL_PIXELS))
        self._zoom.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self._zoom.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._zoom.setMinimumWidth(self._zoom.fontMetrics().horizontalAdvance("0000 %"))
        self._zoom.clicked.connect(actions.full_size.trigger)
        self._full_size = actions.full_size
        self._full_size.changed.connect(self._follow)
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 3, 3, 3)
        row.setSpacing(2)
        row.addWidget(_button(actions.zoom_out))
        row.addWidget(self._zoom)
        row.addWidget(_button(actions.zoom_in))
        row.addWidget(_button(actions.fit))
        canvas.camera_changed.connect(self._follow)
        canvas.installEventFilter(self)
        self._follow()

    @property
    def text(self) -> str:
        """The zoom that is shown."""
        return self._zoom.text()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the corner."""
        if event.type() is QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        percent = self._canvas.camera.zoom * _PERCENT
        self._zoom.setText(f"{percent:.0f} %" if percent >= 1 else f"{percent:.1g} %")
        self._zoom.setToolTip(self._full_size.toolTip())
        self._zoom.setAccessibleName(self._full_size.text())
        self.setVisible(self._canvas.picture is not None)
        self._place()

    def _place(self) -> None:
        self.adjustSize()
        self.move(_MARGIN, self._canvas.height() - self.height() - _MARGIN)


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    button.setIconSize(QSize(16, 16))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
