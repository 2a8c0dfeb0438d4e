"""The events of a job as a file, one JSON object a line, for replays and bug reports."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import BinaryIO

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
            # Without a buffer nothing is left to write when the disk is full, so that closing always works.
            self._file: BinaryIO = path.open("ab", buffering=0)
        except OSError as error:
            raise cannot_write(path, error) from error
        others = sorted(other for other in path.parent.glob("*.ndjson") if other != path)
        for old in others[: -(_KEPT - 1)]:
            with contextlib.suppress(OSError):
                old.unlink()

    def write(self, event: JobEvent) -> None:
        """Append an event.

        Raises:
            SetupError: the disk is full.
        """
        line = json.dumps(event_to_json(event), ensure_ascii=False) + "\n"
        # Names of files that are not UTF-8 hold lone surrogates; their escapes are those of JSON.
        data = line.encode("utf-8", "backslashreplace")
        size = os.fstat(self._file.fileno()).st_size
        try:
            written = 0
            while written < len(data):
                written += self._file.write(data[written:])
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file.fileno(), size)
            raise cannot_write(self.path, error) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()
