"""Which Python's ONNX Runtime a command asks."""

from __future__ import annotations

import sys
from pathlib import Path

from opstudio.base.errors import InputError


def runtime_python(workspace: Path) -> str:
    """Return the interpreter whose runtime is asked: the workspace's, where there is one that is trusted."""
    from opstudio.workspace.folder import open_workspace
    from opstudio.workspace.trust import Trust

    try:
        opened = open_workspace(workspace)
    except InputError:
        return sys.executable
    return opened.settings.python or sys.executable if Trust.of_user().is_trusted(opened.root) else sys.executable
