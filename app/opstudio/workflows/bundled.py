"""The operators that come with the studio, as a workspace that the person can write."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from opstudio.base.assets import asset_root
from opstudio.base.errors import SetupError
from opstudio.base.files import cannot_write
from opstudio.workspace.folder import STATE_FOLDER, Workspace, open_workspace
from opstudio.workspace.trust import Trust


def bundled_workspace() -> Workspace:
    """Return the bundled workspace, or, where it cannot be written, the person's own copy of it, made once.

    Raises:
        SetupError: the installation is incomplete, or the copy cannot be written.
    """
    bundled = asset_root("kernels")
    if os.access(bundled, os.W_OK):
        return open_workspace(bundled)
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    copy = data / "opstudio" / "samples"
    if not copy.exists():
        _copy(bundled, copy)
        # What comes with the studio is trusted as the studio is. Where that cannot be kept, the window asks.
        with contextlib.suppress(SetupError):
            Trust.of_user().grant(copy)
    return open_workspace(copy)


def _copy(bundled: Path, copy: Path) -> None:
    """Copy the workspace; it appears whole or not at all."""
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=copy.parent, prefix=".samples-") as folder:
            made = Path(folder) / "samples"
            shutil.copytree(bundled, made, ignore=shutil.ignore_patterns(STATE_FOLDER), copy_function=shutil.copyfile)
            for path in (made, *made.rglob("*")):
                path.chmod(0o755 if path.is_dir() else 0o644)
            with contextlib.suppress(FileExistsError):  # another studio was quicker
                made.rename(copy)
    except OSError as error:
        raise cannot_write(copy, error) from error
