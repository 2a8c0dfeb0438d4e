"""The operators of the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication

from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.models.state_marks import operator_mark
from opstudio.qt.picker.pick import Pick
from opstudio.qt.selection import Selection


class OperatorSource:
    """Offers the operators with their states."""

    prefix = "@"

    def __init__(self, state: LoopState, selection: Selection) -> None:
        self._state, self._selection = state, selection

    def hint(self) -> str:
        """Return what the empty field says."""
        return QCoreApplication.translate("Picker", "Operator")

    def picks(self, _typed: str) -> Sequence[Pick]:
        """Return the operators."""
        return [self._pick(name) for name in self._state.names]

    def _pick(self, name: str) -> Pick:
        view = self._state.view(name)
        mark = operator_mark(view)
        return Pick(
            text=name,
            detail=mark.word,
            key=view.first_id,
            icon=mark.icon,
            tone=mark.token,
            run=partial(self._selection.select_operator, name),
        )
