"""``opstudio doctor``: what is on this machine, and what works with it."""

from __future__ import annotations

import argparse

from opstudio.base.codec import to_json
from opstudio.base.errors import InputError
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.terminal import plain


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""


def run(invocation: Invocation) -> ExitCode:
    """Print a line for each part."""
    from opstudio.workflows.doctor import Condition, examine
    from opstudio.workspace.folder import open_workspace
    from opstudio.workspace.settings import Settings
    from opstudio.workspace.trust import Trust

    try:
        workspace = open_workspace(invocation.arguments.workspace)
    except InputError:
        parts = examine(Settings(name="none"))  # outside of a workspace the studio's own Python is looked at
    else:
        parts = examine(workspace.settings, is_trusted=Trust.of_user().is_trusted(workspace.root))
    marks = {
        Condition.GOOD: "[green]✔[/]",
        Condition.MISSING: "[red]✖[/]",
        Condition.ABSENT: "[dim]–[/]",
        Condition.UNTESTED: "[yellow]![/]",
    }
    out = invocation.terminal.out
    width = max(len(part.name) for part in parts)
    for part in parts:
        state = part.version or part.condition.value
        out.print(f"{marks[part.condition]} {part.name:<{width}}  {plain(state)}  [dim]{part.purpose}[/]")
        if part.fix and part.condition is not Condition.GOOD:
            out.print(f"  {'':<{width}}  {plain(part.fix)}")
    missing = [part for part in parts if part.condition is Condition.MISSING]
    invocation.terminal.document("doctor", {"parts": [to_json(part) for part in parts], "usable": not missing})
    return ExitCode.BAD if missing else ExitCode.GOOD


COMMAND = Command(
    name="doctor",
    help="versions, ABI and tools: what works and what does not",
    order=80,
    add_arguments=add_arguments,
    run=run,
)
