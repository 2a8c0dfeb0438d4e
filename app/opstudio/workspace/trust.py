"""Which workspaces this user lets the studio build and run.

A workspace may come from elsewhere; building or running it runs somebody's compiler flags, Python and native code as
the user. What the user trusts is told by a file for each workspace in the user's own state folder
(``$XDG_STATE_HOME/opstudio/trusted``), never by the workspace, whose content proves nothing. Files of their own let two
studios write at once, and a damaged one costs one question.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from opstudio.base.assets import asset_root
from opstudio.base.codec import from_json, to_json
from opstudio.base.errors import SetupError
from opstudio.base.files import cannot_write, write_atomic
from opstudio.base.finding import Place
from opstudio.base.hashing import content_address
from opstudio.workspace.folder_identity import FolderIdentity, identity_of
from opstudio.workspace.settings import SETTINGS_FILE, STAGE


class UntrustedError(SetupError):
    """The workspace comes from elsewhere, and the user was not asked yet or said no."""

    id = "STU007"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustRecord:
    """A workspace that the user trusts: its real path and what that folder was."""

    root: str
    identity: FolderIdentity

    @property
    def holds(self) -> bool:
        """Whether the folder that was trusted still stands there."""
        present = identity_of(Path(self.root))
        return present is not None and self.identity.is_of(present)


class Trust:
    """The workspaces that are trusted. Use from any thread.

    Folders inside a trusted workspace belong to it, also where they are workspaces of their own. The workspace that
    comes with the studio is trusted as the studio is.
    """

    def __init__(self, folder: Path | None, *, bundled: Path | None = None) -> None:
        """Look at the records in ``folder``; without one nothing can be kept."""
        self._folder = folder
        self._bundled = bundled
        self._of_this_run: dict[Path, TrustRecord] = {}

    @classmethod
    def of_user(cls) -> Self:
        """Return what the user of this process trusts."""
        state = _state_home()
        bundled = None
        with contextlib.suppress(SetupError):
            bundled = asset_root("kernels").resolve()
        return cls(None if state is None else state / "opstudio" / "trusted", bundled=bundled)

    def is_trusted(self, root: Path) -> bool:
        """Whether the workspace at ``root`` may be built and run."""
        return self.warrant(root) is not None

    def warrant(self, root: Path) -> Path | None:
        """Return the trusted workspace that ``root`` is or lies in."""
        real = _real(root)
        for folder in (real, *real.parents):
            if folder == self._bundled:
                return folder
            record = self._of_this_run.get(folder) or self._read(folder)
            # What once was a workspace around others says nothing of them.
            if record is not None and record.holds and (folder == real or _is_workspace(folder)):
                return folder
        return None

    def require(self, root: Path) -> None:
        """Make sure that a workspace may be built and run.

        Raises:
            UntrustedError: the user was not asked yet.
        """
        if self.is_trusted(root):
            return
        raise UntrustedError.of(
            f"The workspace {root} is not trusted",
            cause=f"{self.doubt(root)}, and to build or check it runs its compiler flags, its Python and its native "
            "code as you",
            fix="Review it, then add --trust; that is needed once",
            stage=STAGE,
            place=Place(file=str(root)),
        )

    def doubt(self, root: Path) -> str:
        """Return in words why a workspace is not trusted."""
        if self._read(_real(root)) is not None:
            return "another folder stands there than the one that you trusted"
        return "it was made elsewhere, or moved"

    def grant(self, root: Path) -> None:
        """Trust a workspace: at once here, and from now on everywhere.

        Raises:
            SetupError: that cannot be kept; this object trusts the workspace all the same.
        """
        real = _real(root)
        # The layers of a container copy a folder at the first write, which makes another one of it: not after this.
        with contextlib.suppress(OSError):
            os.utime(real, ns=(real.stat().st_atime_ns, real.stat().st_mtime_ns))
        identity = identity_of(real)
        if identity is None:
            raise SetupError.of(
                f"{root} cannot be trusted", cause="there is no such folder", fix="Correct the path", stage=STAGE
            )
        record = TrustRecord(root=str(real), identity=identity)
        self._of_this_run[real] = record
        path = self._entry(real)
        if path is None:
            raise _not_kept(root, "you have no home folder; set XDG_STATE_HOME")
        try:
            _write_record(path, record)
        except SetupError as error:
            raise _not_kept(root, f"{path}: {error.findings[0].cause}") from error

    def revoke(self, root: Path) -> bool:
        """Trust a workspace no longer; return whether it was trusted for itself.

        Raises:
            SetupError: the record cannot be removed.
        """
        real = _real(root)
        path = self._entry(real)
        known = self._of_this_run.pop(real, None) is not None
        if path is None:
            return known
        try:
            path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            return known
        except OSError as error:
            cause = cannot_write(path, error).findings[0].cause
            raise SetupError.of(f"{root} stays trusted", cause=cause, fix=f"Remove {path}", stage=STAGE) from error
        return True

    def records(self) -> tuple[TrustRecord, ...]:
        """Return what is kept, in the order of the paths; also what holds no longer."""
        if self._folder is None:
            return ()
        found = (_read_record(path) for path in self._folder.glob("*.json"))
        return tuple(sorted((record for record in found if record is not None), key=lambda record: record.root))

    def _read(self, real: Path) -> TrustRecord | None:
        path = self._entry(real)
        record = None if path is None else _read_record(path)
        return record if record is not None and record.root == str(real) else None

    def _entry(self, real: Path) -> Path | None:
        return None if self._folder is None else self._folder / f"{content_address(str(real))}.json"


def workspace_around(file: Path) -> Path | None:
    """Return the root of the nearest workspace that a file lies in."""
    return next((folder for folder in _real(file).parents if _is_workspace(folder)), None)


def _is_workspace(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        return (folder / SETTINGS_FILE).is_file()
    return False


def _state_home() -> Path | None:
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    # The XDG Base Directory Specification (0.8) has relative paths ignored; here they could lead into a workspace.
    if named.is_absolute():
        return named
    with contextlib.suppress(RuntimeError):
        home = Path.home()
        return home / ".local" / "state" if home.is_absolute() else None
    return None


def _real(path: Path) -> Path:
    # Unlike Path.resolve() it endures links in a circle.
    return Path(os.path.realpath(path))


def _read_record(path: Path) -> TrustRecord | None:
    # What cannot be read is damaged, or of another studio: it trusts nothing, and the user is asked again.
    with contextlib.suppress(OSError, ValueError, RecursionError):
        return from_json(TrustRecord, json.loads(path.read_text(encoding="utf-8")))
    return None


def _write_record(path: Path, record: TrustRecord) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error
    write_atomic(path, json.dumps(to_json(record)))


def _not_kept(root: Path, cause: str) -> SetupError:
    return SetupError.of(
        f"The trust in {root} holds for this run only", cause=cause, fix="Mend that, or add --trust again", stage=STAGE
    )
