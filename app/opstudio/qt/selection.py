"""What the person looks at: an operator, perhaps one of its stages, perhaps one of its builds."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Selection(QObject):
    """Shared by the panels, the strip and the editor."""

    operator_changed = Signal(str)
    stage_changed = Signal(str)
    build_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._operator = ""
        self._stage = ""
        self._build: int | None = None

    @property
    def operator(self) -> str:
        """The selected operator, or an empty text."""
        return self._operator

    @property
    def stage(self) -> str:
        """The selected stage, or an empty text."""
        return self._stage

    @property
    def build(self) -> int | None:
        """The number of the selected build in the history, or ``None``."""
        return self._build

    def select_operator(self, name: str) -> None:
        """Look at another operator, at all of its stages."""
        if name != self._operator:
            self._operator = name
            self.select_stage("")
            self.select_build(None)
            self.operator_changed.emit(name)

    def select_stage(self, stage: str) -> None:
        """Look at one stage, or at all."""
        if stage != self._stage:
            self._stage = stage
            self.stage_changed.emit(stage)

    def select_build(self, number: int | None) -> None:
        """Look at a build of the history, or at none."""
        if number != self._build:
            self._build = number
            self.build_changed.emit()
