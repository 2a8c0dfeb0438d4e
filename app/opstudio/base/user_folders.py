"""Folders of the person who uses the studio, as the XDG base directory specification names them."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return where the studio keeps what it can make again, for all workspaces; it need not exist.

    Raises:
        RuntimeError: the person has no home.
    """
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "opstudio"
