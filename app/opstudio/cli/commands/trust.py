"""``opstudio trust``: which workspaces may be built and run."""

from __future__ import annotations

import argparse
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.base.finding import Json
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.terminal import plain
from opstudio.workspace.folder import open_workspace
from opstudio.workspace.trust import Trust


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--revoke", action="store_true", help="trust the workspace no longer")
    what.add_argument("--list", action="store_true", help="list the workspaces that you trust")


def run(invocation: Invocation) -> ExitCode:
    """Trust a workspace, or take it back, or list all."""
    arguments, terminal = invocation.arguments, invocation.terminal
    trust = Trust.of_user()
    if arguments.list:
        return _list(invocation, trust)
    if arguments.revoke:
        root = _revoke(trust, arguments.workspace)
    else:
        root = open_workspace(arguments.workspace).root
        trust.grant(root)
    terminal.out.print(f"{'no longer trusted' if arguments.revoke else 'trusted'}: {plain(str(root))}", soft_wrap=True)
    terminal.document("trust", {"workspace": str(root), "trusted": not arguments.revoke})
    return ExitCode.GOOD


def _list(invocation: Invocation, trust: Trust) -> ExitCode:
    known = {record.root: record.holds for record in trust.records()}
    if not known:
        invocation.terminal.out.print("none yet, apart from what comes with the studio")
    for root, holds in known.items():
        state = "" if holds else "  [dim]no longer: gone, or another folder stands there[/]"
        invocation.terminal.out.print(f"{plain(root)}{state}", soft_wrap=True)
    workspaces: list[Json] = [{"root": root, "trusted": holds} for root, holds in known.items()]
    invocation.terminal.document("trust", {"workspaces": workspaces})
    return ExitCode.GOOD


def _revoke(trust: Trust, path: Path) -> Path:
    try:
        root = open_workspace(path).root
    except InputError:
        # Its settings may be wrong by now, or the folder gone.
        root = path.resolve()
        if not trust.revoke(root):
            raise
        return root
    trust.revoke(root)
    if (warrant := trust.warrant(root)) is not None:
        raise InputError.of(
            f"{root} stays trusted",
            cause="it comes with the studio" if warrant == root else f"it lies in {warrant}, which is trusted",
            fix="Nothing needs to be done" if warrant == root else f"Revoke that: opstudio -C {warrant} trust --revoke",
            stage="workspace",
        )
    return root


COMMAND = Command(
    name="trust",
    help="trust a workspace from elsewhere: it may be built and run",
    order=25,
    add_arguments=add_arguments,
    run=run,
)
