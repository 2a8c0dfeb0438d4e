"""Opens the studio of a workspace for a command; a workspace from elsewhere is asked about, once."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from opstudio.base.errors import SetupError
from opstudio.base.finding import Severity
from opstudio.cli.command import Invocation
from opstudio.workspace.folder import Workspace, open_workspace
from opstudio.workspace.trust import Trust, workspace_around

if TYPE_CHECKING:
    from opstudio.workflows.studio import Studio


def open_studio(
    invocation: Invocation, workspace: Workspace, *, warm: bool = False, runs: Path | None = None
) -> Studio:
    """Open a workspace to build and run it, and perhaps the file ``runs``, which may lie in another workspace.

    Raises:
        SetupError: the workspace cannot be written.
        UntrustedError: the user said no, or nobody can be asked.
        CancelledError: the user interrupted the question.
    """
    from opstudio.workflows.studio import Studio

    workspace.require_writable()
    trust = trust_workspace(invocation, workspace)
    around = None if runs is None else workspace_around(runs)
    if around is not None and not trust.is_trusted(around):
        trust_workspace(invocation, open_workspace(around), trust)
    return Studio(workspace, warm=warm, trust=trust)


def trust_workspace(invocation: Invocation, workspace: Workspace, trust: Trust | None = None) -> Trust:
    """Return what the user trusts, after ``--trust`` or a question about this workspace."""
    trust = Trust.of_user() if trust is None else trust
    if trust.is_trusted(workspace.root):
        return trust
    terminal = invocation.terminal
    agreed = invocation.arguments.trust
    if not agreed and terminal.can_ask:
        agreed = terminal.ask(_question(workspace, trust), invocation.cancel)
    if agreed:
        try:
            trust.grant(workspace.root)
        except SetupError as error:
            findings = [dataclasses.replace(finding, severity=Severity.WARNING) for finding in error.findings]
            terminal.show_findings(findings, on_errors=True)
    return trust


def _question(workspace: Workspace, trust: Trust) -> str:
    settings = workspace.settings
    compiler = " ".join((settings.compiler or "", *settings.flags)).strip()
    lines = (
        f"The workspace {workspace.root} is not trusted: {trust.doubt(workspace.root)}.",
        "To build or check it runs as you, with all your rights:",
        f"  the compiler, with the flags of its contracts{f' and of opstudio.toml: {compiler}' if compiler else ''}",
        f"  its Python (reference.py, model.py){f', in {settings.python}' if settings.python else ''}",
        "  its native code",
        "Trust it from now on?",
    )
    # What a workspace says of itself must not steer the terminal.
    return "\n".join("".join(sign if sign.isprintable() else "?" for sign in line) for line in lines)
