"""A line of the file in front."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication

from opstudio.qt.picker.pick import Pick

_LINE = re.compile(r"(\d+)(?:[:, ]+(\d+))?")


class LineSource:
    """Offers the line, and perhaps the column, that is typed."""

    prefix = ":"

    def __init__(self, go_to: Callable[[int, int | None], None]) -> None:
        self._go_to = go_to

    def hint(self) -> str:
        """Return what the empty field says."""
        return QCoreApplication.translate("Picker", "Line, or line:column")

    def picks(self, typed: str) -> Sequence[Pick]:
        """Return the line."""
        match = _LINE.fullmatch(typed)
        if match is None:
            return []
        column = int(match[2]) if match[2] else None
        title = QCoreApplication.translate("Picker", "Go to line {0}").format(typed)
        return [Pick(text=title, icon="go", run=partial(self._go_to, int(match[1]), column))]
