"""``opstudio samples``: where the operators are that come with the studio."""

from __future__ import annotations

import argparse

from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.terminal import plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: there are none."""


def run(invocation: Invocation) -> ExitCode:
    """Print the folder of the workspace, which is copied for the person where it cannot be written."""
    from opstudio.workflows.bundled import bundled_workspace

    root = str(bundled_workspace().root)
    invocation.terminal.out.print(plain(root), soft_wrap=True)
    invocation.terminal.document("samples", {"workspace": root})
    return ExitCode.GOOD


COMMAND = Command(
    name="samples",
    help="print the folder of the operators that come with the studio",
    order=12,
    add_arguments=add_arguments,
    run=run,
)
