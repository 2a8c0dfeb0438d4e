"""The rail at the left edge: a button for each perspective."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QToolBar, QWidget

_ICON_PIXELS = 20


class Rail(QToolBar):
    """Switches between perspectives; the one in force is checked."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setOrientation(Qt.Orientation.Vertical)
        self.setMovable(False)
        self.setFloatable(False)
        self.setIconSize(QSize(_ICON_PIXELS, _ICON_PIXELS))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)
        group = QActionGroup(self)
        for action in actions:
            action.setCheckable(True)
            group.addAction(action)
            self.addAction(action)
