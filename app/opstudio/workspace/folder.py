"""A workspace: a folder with ``opstudio.toml`` and one folder per operator."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import InputError, SetupError
from opstudio.base.finding import Place
from opstudio.base.names import did_you_mean
from opstudio.contract.toml_file import CONTRACT_FILE
from opstudio.workspace.settings import SETTINGS_FILE, STAGE, Settings, read_settings

STATE_FOLDER = ".opstudio"
"""Where a workspace keeps what can be made again: artifacts, results, journals."""


@dataclass(frozen=True, slots=True)
class OperatorFolder:
    """Where an operator lives. The folder's name is the operator's name on command lines."""

    name: str
    path: Path

    @property
    def contract_path(self) -> Path:
        """The path of the contract."""
        return self.path / CONTRACT_FILE


@dataclass(frozen=True, slots=True)
class Workspace:
    """An open workspace."""

    root: Path
    settings: Settings

    @property
    def state(self) -> Path:
        """The folder of artifacts, results and journals."""
        return self.root / STATE_FOLDER

    def operators(self) -> tuple[OperatorFolder, ...]:
        """Find the operators, in the order of their names."""
        found = {
            contract.parent
            for pattern in self.settings.operators
            for contract in self.root.glob(f"{pattern}/{CONTRACT_FILE}")
            if STATE_FOLDER not in contract.parts
        }
        return tuple(OperatorFolder(path.name, path) for path in sorted(found))

    def operator(self, name: str) -> OperatorFolder:
        """Find an operator by its name.

        Raises:
            InputError: there is none of that name.
        """
        operators = self.operators()
        for operator in operators:
            if operator.name == name:
                return operator
        raise InputError.of(
            f"There is no operator {name}",
            cause=f"{self.root} has no folder {name} with a {CONTRACT_FILE}; "
            + did_you_mean(name, [operator.name for operator in operators]),
            fix="Correct the name, or make the operator: opstudio new",
            stage=STAGE,
            place=Place(file=str(self.root)),
        )

    def relative(self, path: Path | str) -> str:
        """Return a path as people read it: relative to the workspace where it is inside."""
        try:
            return str(Path(path).relative_to(self.root))
        except ValueError:
            return str(path)

    def require_writable(self) -> None:
        """Make sure that results can be kept.

        Raises:
            SetupError: the folder cannot be written.
        """
        target = self.state if self.state.exists() else self.root
        if not os.access(target, os.W_OK | os.X_OK):
            raise SetupError.of(
                f"The workspace {self.root} cannot be written",
                cause=f"you have no right to write in {target}, where the studio keeps builds and results",
                fix=f"Copy it to a folder of your own: cp -r {self.root} ~/{self.root.name}",
                stage=STAGE,
                place=Place(file=str(target)),
            )


def open_workspace(path: Path) -> Workspace:
    """Open the workspace at ``path`` or in the nearest folder above it.

    Raises:
        InputError: there is none, or its settings are wrong.
    """
    start = path.resolve()
    for folder in (start, *start.parents):
        if (folder / SETTINGS_FILE).is_file():
            return Workspace(folder, read_settings(folder / SETTINGS_FILE))
    raise InputError.of(
        f"{path} is not a workspace",
        cause=f"neither it nor a folder above it has an {SETTINGS_FILE}"
        if start.is_dir()
        else "there is no such folder",
        fix="Choose a workspace with -C DIR, or make one: opstudio init DIR",
        stage=STAGE,
        place=Place(file=str(path)),
    )
