"""What a command holds a model against: which Python's ONNX Runtime, libraries and providers."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from opstudio.base.errors import InputError


def add_runtime_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare ``--library`` and ``--provider``."""
    parser.add_argument(
        "--library",
        metavar="LIBRARY",
        type=Path,
        action="append",
        default=[],
        help="an operator library that is registered first; its code runs, in a process of its own",
    )
    parser.add_argument(
        "--provider",
        metavar="NAME",
        action="append",
        default=[],
        help="an execution provider, the preferred one first (default: CPU)",
    )


def runtime_python(workspace: Path) -> str:
    """Return the interpreter whose runtime is asked: the workspace's, where there is one that is trusted."""
    from opstudio.workspace.folder import open_workspace
    from opstudio.workspace.trust import Trust

    try:
        opened = open_workspace(workspace)
    except InputError:
        return sys.executable
    return opened.settings.python or sys.executable if Trust.of_user().is_trusted(opened.root) else sys.executable
