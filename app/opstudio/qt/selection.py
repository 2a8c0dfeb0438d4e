"""What the person looks at: an operator, and perhaps one of its stages."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Selection(QObject):
    """Shared by the panels, the strip and the editor."""

    operator_changed = Signal(str)
    stage_changed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._operator = ""
        self._stage = ""

    @property
    def operator(self) -> str:
        """The selected operator, or an empty text."""
        return self._operator

    @property
    def stage(self) -> str:
        """The selected stage, or an empty text."""
        return self._stage

    def select_operator(self, name: str) -> None:
        """Look at another operator, at all of its stages."""
        if name != self._operator:
            self._operator = name
            self.select_stage("")
            self.operator_changed.emit(name)

    def select_stage(self, stage: str) -> None:
        """Look at one stage, or at all."""
        if stage != self._stage:
            self._stage = stage
            self.stage_changed.emit(stage)
