"""The workspaces that were opened last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from opstudio.qt.picker.pick import Pick
from opstudio.qt.preferences import Preferences


class WorkspaceSource:
    """Offers the workspaces, the newest first."""

    prefix = "~"

    def __init__(self, preferences: Preferences, open_workspace: Callable[[Path], None]) -> None:
        self._preferences, self._open_workspace = preferences, open_workspace

    def hint(self) -> str:
        """Return what the empty field says."""
        return QCoreApplication.translate("Picker", "Workspace")

    def picks(self, _typed: str) -> Sequence[Pick]:
        """Return the workspaces."""
        return [
            Pick(text=root.name, detail=str(root.parent), icon="folder", run=partial(self._open_workspace, root))
            for root in self._preferences.recent
        ]
