"""Built files under their content addresses: the same inputs are never built twice, other inputs never mistaken.

An entry is a folder ``.opstudio/artifacts/<kind>/<address>-<n>/`` with the outputs and ``artifact.json``, which lists
every file that the build read (headers included) with the address of its content. An entry serves as long as all of
them still have that content. Folders appear whole: they are built beside and renamed into place. Several studios may
use one workspace at once.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from opstudio.base.codec import from_json, to_json
from opstudio.base.files import cannot_write
from opstudio.base.hashing import content_address, file_address

_MANIFEST = "artifact.json"
BUILDING_FOLDER = ".building-"
"""How the names of folders begin in which builds run; they are gone afterwards."""
_ABANDONED_SECONDS = 86_400.0
"""A folder to build in that nobody touched for a day belongs to a studio that is gone."""
_ATTEMPTS = 3
"""How often another studio may put a damaged entry into place while it is being replaced."""
_KEPT = 12
"""Builds of one kind and address that are kept, so that going back to an earlier text costs nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactRecord:
    """What is known of a build: the inputs by path and content address, the commands, the tools, the time.

    ``output`` is what the tools printed: their warnings hold as long as the build does.
    """

    kind: str
    address: str
    inputs: Mapping[str, str]
    outputs: tuple[str, ...]
    commands: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    output: str = ""


@dataclass(frozen=True, slots=True)
class Artifact:
    """A finished build."""

    folder: Path
    record: ArtifactRecord

    @property
    def identity(self) -> str:
        """Changes whenever anything that was built from changes."""
        return self.folder.name

    def output(self, name: str) -> Path:
        """Return the path of an output."""
        return self.folder / name


class ArtifactStore:
    """The artifacts of a workspace."""

    def __init__(self, state: Path) -> None:
        self._root = state / "artifacts"

    def find(self, kind: str, address: str) -> Artifact | None:
        """Return the newest entry of that address whose inputs still have the content they were built from."""
        candidates = sorted((self._root / kind).glob(f"{address}-*"), key=_modified, reverse=True)
        for folder in candidates:
            record = _read_entry(folder)
            if record is not None and _is_current(record.inputs):
                return Artifact(folder, record)
        return None

    def read(self, kind: str, identity: str) -> Artifact | None:
        """Return the entry of an identity, whatever became of its inputs; ``None`` where it was pruned or damaged."""
        folder = self._root / kind / identity
        record = _read_entry(folder)
        return None if record is None else Artifact(folder, record)

    @contextmanager
    def building(self) -> Iterator[Path]:
        """Give a folder to build in; whatever is not stored from it disappears.

        Raises:
            SetupError: the workspace cannot be written.
        """
        try:
            folder = self._new_folder()
        except OSError as error:
            raise cannot_write(self._root, error) from error
        self._remove_abandoned()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def store(self, folder: Path, record: ArtifactRecord) -> Artifact:
        """Move a finished build into the store; an entry of the same inputs that is whole stays.

        Raises:
            SetupError: the workspace cannot be written.
        """
        parent = self._root / record.kind
        target = parent / f"{record.address}-{content_address(dict(record.inputs))[:12]}"
        try:
            (folder / _MANIFEST).write_text(json.dumps(to_json(record), indent=1), encoding="utf-8")
            parent.mkdir(parents=True, exist_ok=True)
            kept = self._put(folder, target, record)
        except OSError as error:
            raise cannot_write(parent, error) from error
        self._prune(parent, record.address)
        return Artifact(target, kept)

    def adopt(self, artifact: Artifact) -> Artifact:
        """Return an artifact of another store as one of this store: a copy.

        Raises:
            OSError: it cannot be read.
            SetupError: the workspace cannot be written.
        """
        with self.building() as folder:
            shutil.copytree(artifact.folder, folder, dirs_exist_ok=True)
            return self.store(folder, artifact.record)

    def _put(self, folder: Path, target: Path, record: ArtifactRecord) -> ArtifactRecord:
        """Rename a build into place and return the record that is there then."""
        for _ in range(_ATTEMPTS):
            with contextlib.suppress(OSError):
                folder.rename(target)
                return record
            # Somebody stored the same build before, or left half of it.
            if (present := _read_entry(target)) is not None and present.inputs == record.inputs:
                return present
            self._move_away(target)
        folder.rename(target)
        return record

    def _new_folder(self) -> Path:
        self._root.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=BUILDING_FOLDER, dir=self._root))

    def _move_away(self, damaged: Path) -> None:
        """Make room, by renaming as well: nobody ever sees an entry that is half removed."""
        grave = self._new_folder()
        with contextlib.suppress(OSError):  # it is gone, or another studio was quicker
            damaged.rename(grave / damaged.name)
        shutil.rmtree(grave, ignore_errors=True)

    def _remove_abandoned(self) -> None:
        oldest = time.time() - _ABANDONED_SECONDS
        for folder in self._root.glob(f"{BUILDING_FOLDER}*"):
            # Zero stands for a folder that somebody else removed meanwhile.
            if 0.0 < _modified(folder) < oldest:
                shutil.rmtree(folder, ignore_errors=True)

    def _prune(self, parent: Path, address: str) -> None:
        entries = sorted(parent.glob(f"{address}-*"), key=_modified, reverse=True)
        for old in entries[_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)


def _read_entry(folder: Path) -> ArtifactRecord | None:
    """Return the record of an entry that is whole; ``None`` where it cannot be read or lacks an output."""
    # An error of any of these kinds means that the manifest is damaged, or of an older studio.
    with contextlib.suppress(OSError, ValueError, RecursionError):
        record = from_json(ArtifactRecord, json.loads((folder / _MANIFEST).read_text(encoding="utf-8")))
        if all((folder / name).exists() for name in record.outputs):
            return record
    return None


def _modified(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _is_current(inputs: Mapping[str, str]) -> bool:
    return all(Path(path).is_file() and file_address(Path(path)) == address for path, address in inputs.items())
