"""The findings of all operators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication

from opstudio.base.finding import Finding, Place
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.models.state_marks import severity_mark
from opstudio.qt.picker.pick import Pick
from opstudio.qt.selection import Selection


class ProblemSource:
    """Offers the findings, those of the selected operator first, and leads to the next one and the one before."""

    prefix = "!"

    def __init__(
        self, state: LoopState, selection: Selection, stage_order: Sequence[str], go_to: Callable[[Place], None]
    ) -> None:
        self._state, self._selection, self._order, self._go_to = state, selection, stage_order, go_to
        self._last: tuple[str, Finding] | None = None

    def hint(self) -> str:
        """Return what the empty field says."""
        return QCoreApplication.translate("Picker", "Problem")

    def picks(self, _typed: str) -> Sequence[Pick]:
        """Return the findings."""
        return [self._pick(name, finding) for name, finding in self._problems()]

    def step(self, by: int) -> bool:
        """Go to another problem: ``by`` is 1 for the next, -1 for the one before. Return whether there is any."""
        problems = list(self._problems(start_with_selected=False))
        if not problems:
            return False
        if self._last in problems:
            index = problems.index(self._last) + by
        else:
            names = [name for name, _ in problems]
            selected = self._selection.operator
            index = names.index(selected) if selected in names else 0
        self._show(*problems[index % len(problems)])
        return True

    def _problems(self, *, start_with_selected: bool = True) -> Iterator[tuple[str, Finding]]:
        selected = self._selection.operator if start_with_selected else ""
        for name in sorted(self._state.names, key=lambda name: (name != selected, name)):
            for shown in self._state.view(name).findings(self._order):
                if not shown.stale:
                    yield name, shown.finding

    def _pick(self, name: str, finding: Finding) -> Pick:
        mark = severity_mark(finding.severity)
        return Pick(
            text=finding.title.replace("\n", " "),
            detail=name,
            key=finding.id,
            icon=mark.icon,
            tone=mark.token,
            run=partial(self._show, name, finding),
        )

    def _show(self, name: str, finding: Finding) -> None:
        self._last = (name, finding)
        self._selection.select_operator(name)
        place = next((place for place in finding.places if place.file), None)
        if place is not None:
            self._go_to(place)
