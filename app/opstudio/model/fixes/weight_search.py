"""Files of weights that a model names wrongly: one of the same name in its folder, in other letters or one folder off.

Nothing outside of the model's folder is looked at, links of folders are not followed, and no file is opened.
"""

from __future__ import annotations

import os
from pathlib import Path, PureWindowsPath

from opstudio.model.graph.external_data import ExternalFiles

_DEEPEST = 3
"""Folders below the model's that are looked into."""
_MOST_ENTRIES = 20_000
"""Files and folders; with more of them, no file is certain to be the only one of its name."""


class WeightSearch:
    """Looks for files by their names in the folder of one model, which is listed once."""

    def __init__(self, model: Path) -> None:
        self._model = model
        self._files = ExternalFiles(model)
        self._listed: dict[str, list[str]] | None = None

    def found(self, location: str, needed: int) -> str | None:
        """Return the location of the one file that has the name of a missing one and is long enough.

        ``needed`` are the bytes up to the end of the last tensor in it. ``None`` where there is none, or several.
        """
        if self._listed is None:
            self._listed = self._by_name()
        # A location may come from a system that writes folders with another stroke.
        name = PureWindowsPath(location).name.casefold()
        fitting = [other for other in self._listed.get(name, ()) if other != location and self.fits(other, needed)]
        return fitting[0] if len(fitting) == 1 else None

    def fits(self, location: str, needed: int) -> bool:
        """Whether a file that a model may read, other than the model, stands at a location and is long enough."""
        file = self._files.locate(location)
        return file.path is not None and file.size >= needed and not file.path.samefile(self._model)

    def real(self, location: str) -> Path | None:
        """Return the file that stands at a location, behind links; ``None`` where none does that may be read."""
        return self._files.locate(location).path

    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        seen = 0
        folder = self._model.parent
        for current, folders, files in os.walk(folder):
            seen += len(folders) + len(files)
            if seen > _MOST_ENTRIES:
                return {}
            below = Path(current).relative_to(folder)
            if len(below.parts) >= _DEEPEST:
                folders.clear()
            for name in sorted(files):
                location = (below / name).as_posix()
                # What is no text cannot be written into a model; the model itself is no file of weights.
                if location.isprintable() and location != self._model.name:
                    found.setdefault(PureWindowsPath(name).name.casefold(), []).append(location)
        return found
