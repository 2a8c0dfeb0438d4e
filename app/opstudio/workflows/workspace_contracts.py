"""The contracts of a workspace, as a source that explains the nodes of models."""

from __future__ import annotations

from pathlib import Path

from opstudio.base.errors import InputError, SetupError
from opstudio.build.backends.onnxruntime_release import library_name
from opstudio.contract.toml_file import read_contract
from opstudio.model.resolution.contracts import KnownContract
from opstudio.workspace.folder import DIST_FOLDER, Workspace, open_workspace


def contracts_at(path: Path) -> tuple[KnownContract, ...]:
    """Return the contracts of the workspace at ``path`` or above it; none where there is no workspace.

    Contracts that are wrong are left out: a model can be looked at all the same. Nothing of the workspace runs.
    """
    try:
        return contracts_of(open_workspace(path))
    except (InputError, SetupError):
        return ()


def contracts_of(workspace: Workspace) -> tuple[KnownContract, ...]:
    """Return the contracts of a workspace, those that are wrong left out, each with the release that exists of it.

    Raises:
        InputError: two operators have one name.
    """
    found = []
    for folder in workspace.operators():
        try:
            contract = read_contract(folder.contract_path)
        except InputError:
            continue
        expected = workspace.root / DIST_FOLDER / contract.domain / library_name(contract.domain)
        found.append(
            KnownContract(
                name=folder.name,
                path=str(folder.contract_path),
                contract=contract,
                release=str(expected) if expected.is_file() else "",
                expected=workspace.relative(expected),
            )
        )
    return tuple(found)
