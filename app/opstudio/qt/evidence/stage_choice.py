"""The button that names the stage whose evidence is shown, and lets another be chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from opstudio.qt.models.operator_view import OperatorView, StageView
from opstudio.qt.models.stage_titles import stage_title
from opstudio.qt.models.state_marks import stage_mark
from opstudio.qt.theme.icons import Icons


class StageChoice(QToolButton):
    """Opens a menu of all stages with their states."""

    chosen = Signal(str)

    def __init__(self, order: Sequence[str], icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._order, self._icons = order, icons
        self._view = OperatorView(name="")
        self._stage = ""
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(QMenu(self))
        self.menu().aboutToShow.connect(self.fill)
        self.menu().triggered.connect(self._choose)

    def retranslate(self) -> None:
        """Set the texts; those of the menu are made when it opens."""
        self.setToolTip(self.tr("The stage whose evidence is shown"))
        self._name()

    def show_stage(self, view: OperatorView, stage: str) -> None:
        """Name the stage, or say that one can be chosen; without an operator there is none to choose."""
        self._view, self._stage = view, stage
        self.setEnabled(bool(view.name))
        self._name()

    def fill(self) -> None:
        """Write the menu."""
        self.menu().clear()
        for stage in self._order:
            mark = stage_mark(self._view.stages.get(stage, StageView(stage=stage)))
            action = QAction(self._icons.icon(mark.icon, mark.token), f"{stage_title(stage)}\t{mark.word}", self.menu())
            action.setIconVisibleInMenu(True)
            action.setCheckable(True)
            action.setChecked(stage == self._stage)
            action.setData(stage)
            self.menu().addAction(action)

    def _name(self) -> None:
        text = stage_title(self._stage) if self._stage else self.tr("Choose a stage")
        self.setText(f"{text}  ▾")
        self.setAccessibleName(self.tr("Stage: {0}").format(text))

    def _choose(self, action: QAction) -> None:
        self.chosen.emit(str(action.data()))
