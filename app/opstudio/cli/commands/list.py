"""``opstudio list``: the operators of a workspace and their state."""

from __future__ import annotations

import argparse

from opstudio.base.codec import to_json
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.terminal import plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--schema", action="store_true", help="print the PyTorch schema of each operator")


def run(invocation: Invocation) -> ExitCode:
    """Print a line for each operator."""
    from opstudio.workflows.listing import list_operators
    from opstudio.workspace.folder import open_workspace

    workspace = open_workspace(invocation.arguments.workspace)
    entries = list_operators(workspace)
    out = invocation.terminal.out
    if not entries:
        out.print("no operators yet; make one: opstudio new OP")
    width = max((len(entry.name) for entry in entries), default=0)
    for entry in entries:
        colour = {"good": "green", "bad": "red"}.get(entry.state, "dim")
        out.print(f"{entry.name:<{width}}  [{colour}]{entry.state:<9}[/] {entry.domain:<12} {plain(entry.summary)}")
        if invocation.arguments.schema:
            out.print(f"{'':<{width}}  {plain(entry.schema)}")
        invocation.terminal.show_findings(entry.findings)
    invocation.terminal.document("list", {"operators": [to_json(entry) for entry in entries]})
    return ExitCode.GOOD


COMMAND = Command(
    name="list",
    help="list the operators of the workspace with their state",
    order=30,
    add_arguments=add_arguments,
    run=run,
)
