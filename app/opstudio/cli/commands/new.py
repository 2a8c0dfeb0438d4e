"""``opstudio new``: make an operator from a template."""

from __future__ import annotations

import argparse

from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.terminal import plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("operator", metavar="OP", help="the operator's name: small letters, digits and _")
    parser.add_argument("--template", default="elementwise", help="elementwise (default), reduction or raw")
    parser.add_argument("--domain", default="myops", help="PyTorch namespace and ONNX domain (default: myops)")


def run(invocation: Invocation) -> ExitCode:
    """Make the operator."""
    from opstudio.workflows.scaffold import new_operator
    from opstudio.workspace.folder import open_workspace

    arguments = invocation.arguments
    workspace = open_workspace(arguments.workspace)
    folder = new_operator(workspace, arguments.operator, arguments.template, domain=arguments.domain)
    files = sorted(path.name for path in folder.path.iterdir())
    invocation.terminal.out.print(f"made {plain(str(folder.path))}: {', '.join(files)}")
    invocation.terminal.out.print(f"next: opstudio check {folder.name}")
    invocation.terminal.document("new", {"operator": folder.name, "folder": str(folder.path), "files": files})
    return ExitCode.GOOD


COMMAND = Command(name="new", help="make an operator from a template", order=20, add_arguments=add_arguments, run=run)
