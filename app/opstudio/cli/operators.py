"""Which operators a command line names."""

from __future__ import annotations

from opstudio.base.errors import InputError
from opstudio.workspace.folder import OperatorFolder, Workspace


def choose_operators(
    workspace: Workspace, names: list[str], *, everything: bool, stage: str
) -> tuple[OperatorFolder, ...]:
    """Return the operators that a command line names.

    Raises:
        InputError: a name is unknown, or none was given.
    """
    if everything or (not names and len(workspace.operators()) == 1):
        return workspace.operators()
    if not names:
        known = ", ".join(operator.name for operator in workspace.operators()) or "none yet; make one with opstudio new"
        raise InputError.of(
            "Which operator?", cause=f"the workspace has {known}", fix="Name operators, or give --all", stage=stage
        )
    return tuple(workspace.operator(name) for name in names)
