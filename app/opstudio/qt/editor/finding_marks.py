"""Findings of the selected operator at their lines in the editor."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from PySide6.QtCore import QObject

from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.editor.line_marks import LineMark
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.selection import Selection


class FindingMarks(QObject):
    """Follows the loop and the selection."""

    def __init__(self, root: Path, editors: EditorArea, state: LoopState, selection: Selection) -> None:
        super().__init__(editors)
        self._root, self._editors, self._state, self._selection = root, editors, state, selection
        state.operators_updated.connect(self._follow)

    def show(self) -> None:
        """Mark the lines of the files that are open."""
        marks: dict[Path, list[LineMark]] = defaultdict(list)
        for shown in self._state.view(self._selection.operator).findings():
            for place in shown.finding.places:
                if place.file and place.line:
                    marks[self._root / place.file].append(LineMark(place.line, shown.finding, shown.stale))
        self._editors.set_marks(marks)

    def _follow(self, names: frozenset[str]) -> None:
        if self._selection.operator in names:
            self.show()
