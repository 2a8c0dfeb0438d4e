"""The events of a job as a file, one JSON object a line, for replays and bug reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TextIO

from opstudio.base.files import cannot_write
from opstudio.jobs.events import JobEvent, event_to_json

_KEPT = 50
"""Journals that a folder keeps."""


class Journal:
    """Appends events to a file; a line is complete or absent, whatever happens to the process."""

    def __init__(self, path: Path) -> None:
        """Create the file and remove the oldest ones beside it.

        Raises:
            SetupError: the folder cannot be written.
        """
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            for old in sorted(path.parent.glob("*.ndjson"))[:-_KEPT]:
                old.unlink(missing_ok=True)
            self._file: TextIO = path.open("a", encoding="utf-8")
        except OSError as error:
            raise cannot_write(path, error) from error

    def write(self, event: JobEvent) -> None:
        """Append an event.

        Raises:
            SetupError: the disk is full.
        """
        try:
            self._file.write(json.dumps(event_to_json(event), ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()
