"""``opstudio init``: make a workspace."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.terminal import plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("folder", metavar="DIR", type=Path, help="the folder, made if it is not there")


def run(invocation: Invocation) -> ExitCode:
    """Make the workspace."""
    from opstudio.workflows.scaffold import init_workspace

    workspace = init_workspace(invocation.arguments.folder)
    invocation.terminal.out.print(f"made the workspace {plain(str(workspace.root))}")
    folder = shlex.quote(str(invocation.arguments.folder))
    command = f"opstudio -C {folder} new OP --template elementwise"
    invocation.terminal.out.print(f"next: {plain(command)}", soft_wrap=True)
    invocation.terminal.document("init", {"workspace": str(workspace.root)})
    return ExitCode.GOOD


COMMAND = Command(name="init", help="make a workspace", order=10, add_arguments=add_arguments, run=run)
