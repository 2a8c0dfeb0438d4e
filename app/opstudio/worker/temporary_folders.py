"""Folders for the temporary files of workers: each is claimed by its studio, and removed when that is gone."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

TEMPORARY_PREFIX = "opstudio-worker-"
_UNCLAIMED_SECONDS = 5.0
"""A folder is claimed as soon as it is made."""


def remove_abandoned_folders() -> None:
    """Remove the temporary files of workers that were killed together with their studio: nobody claims them."""
    oldest = time.time() - _UNCLAIMED_SECONDS
    for folder in Path(tempfile.gettempdir()).glob(f"{TEMPORARY_PREFIX}*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_mtime < oldest:
                os.close(claim(folder))
                shutil.rmtree(folder, ignore_errors=True)


def claim(folder: Path) -> int:
    """Lock a folder for as long as this process lives or the descriptor that is returned is open.

    Raises:
        OSError: it is gone, or another studio's.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
