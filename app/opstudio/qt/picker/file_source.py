"""The files of the workspace."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from opstudio.qt.file_drops import MODEL_ENDS
from opstudio.qt.picker.pick import Pick
from opstudio.workspace.folder import DIST_FOLDER

_MOST_FILES = 20_000
_MOST_LAST = 50
_LEFT_OUT = frozenset({DIST_FOLDER, "__pycache__"})


class FileSource:
    """Offers every file that a person may want to read, those opened last first."""

    prefix = ""

    def __init__(self, root: Path, open_file: Callable[[Path], None]) -> None:
        self._root, self._open_file = root, open_file
        self._last: list[Path] = []

    def hint(self) -> str:
        """Return what the empty field says."""
        return QCoreApplication.translate("Picker", "File name; > command, @ operator, ! problem, # node, : line")

    def note_opened(self, path: Path) -> None:
        """Put a file first the next time."""
        self._last = [path, *(other for other in self._last if other != path)][:_MOST_LAST]

    def picks(self, _typed: str) -> Sequence[Pick]:
        """Return the files."""
        found = dict.fromkeys((*(path for path in self._last if path.is_file()), *_files(self._root)))
        return [self._pick(path) for path in found]

    def _pick(self, path: Path) -> Pick:
        inside = path.is_relative_to(self._root)
        folder = path.parent.relative_to(self._root) if inside else path.parent
        detail = "" if str(folder) == "." else str(folder)
        icon = "graph" if path.suffix.lower() in MODEL_ENDS else "file"
        return Pick(text=path.name, detail=detail, icon=icon, run=partial(self._open_file, path))


def _files(root: Path) -> Iterator[Path]:
    """Yield the files below a folder, without those of the studio, of version control and of caches."""
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _LEFT_OUT)
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(folder, name)
                count += 1
                if count == _MOST_FILES:
                    return
