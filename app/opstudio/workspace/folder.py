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

DIST_FOLDER = "dist"
"""Where releases are written."""


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
        """Find the operators, in the order of their names.

        Raises:
            InputError: two folders have one name, under which builds and results are kept.
        """
        found = {
            contract.parent
            for pattern in self.settings.operators
            for contract in self.root.glob(f"{pattern}/{CONTRACT_FILE}")
            if STATE_FOLDER not in contract.relative_to(self.root).parts
        }
        by_name: dict[str, Path] = {}
        for path in sorted(found):
            other = by_name.setdefault(path.name, path)
            if other is not path and other.resolve() != path.resolve():
                raise self._same_name(other, path)
        return tuple(OperatorFolder(name, by_name[name]) for name in sorted(by_name))

    def _same_name(self, first: Path, second: Path) -> InputError:
        return InputError.of(
            f"Two operators are called {first.name}",
            cause=f"{self.relative(first)} and {self.relative(second)} would share their builds and results, which are "
            "kept by the name of the folder",
            fix=f"Rename one of the folders, or leave it out by the patterns in {SETTINGS_FILE}",
            stage=STAGE,
            place=Place(file=str(second)),
        )

    def operator(self, name: str) -> OperatorFolder:
        """Find an operator by its name.

        Raises:
            InputError: there is none of that name, or there are two.
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
        SetupError: you may not look into one of these folders.
    """
    start = path.resolve()
    for folder in (start, *start.parents):
        try:
            if folder == start and not folder.exists():
                break
            if (folder / SETTINGS_FILE).is_file():
                return Workspace(folder, read_settings(folder / SETTINGS_FILE))
        except PermissionError as error:
            raise SetupError.of(
                f"{path} cannot be opened",
                cause=f"you have no right to look into {folder}",
                fix="Change its rights, or choose a workspace of your own with -C DIR",
                stage=STAGE,
                place=Place(file=str(folder)),
            ) from error
    raise InputError.of(
        f"{path} is not a workspace",
        cause=f"neither it nor a folder above it has an {SETTINGS_FILE}"
        if start.is_dir()
        else "there is no such folder",
        fix="Choose a workspace with -C DIR, or make one: opstudio init DIR",
        stage=STAGE,
        place=Place(file=str(path)),
    )
