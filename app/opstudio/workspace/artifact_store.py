"""Built files under their content addresses: the same inputs are never built twice, other inputs never mistaken.

An entry is a folder ``.opstudio/artifacts/<kind>/<address>-<n>/`` with the outputs and ``artifact.json``, which lists
every file that the build read (headers included) with the address of its content. An entry serves as long as all of
them still have that content. Folders appear whole: they are built beside and renamed into place.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from opstudio.base.codec import from_json, to_json
from opstudio.base.files import cannot_write
from opstudio.base.hashing import content_address, file_address

_MANIFEST = "artifact.json"
_KEPT = 12
"""Builds of one kind and address that are kept, so that going back to an earlier text costs nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactRecord:
    """What is known of a build: the inputs by path and content address, the commands, the tools, the time."""

    kind: str
    address: str
    inputs: Mapping[str, str]
    outputs: tuple[str, ...]
    commands: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0


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
        candidates = sorted((self._root / kind).glob(f"{address}-*/{_MANIFEST}"), key=_modified, reverse=True)
        for manifest in candidates:
            with contextlib.suppress(OSError, ValueError):
                record = from_json(ArtifactRecord, json.loads(manifest.read_text(encoding="utf-8")))
                if _is_current(record.inputs) and all((manifest.parent / name).exists() for name in record.outputs):
                    return Artifact(manifest.parent, record)
        return None

    @contextmanager
    def building(self) -> Iterator[Path]:
        """Give a folder to build in; whatever is not stored from it disappears.

        Raises:
            SetupError: the workspace cannot be written.
        """
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            folder = Path(tempfile.mkdtemp(prefix=".building-", dir=self._root))
        except OSError as error:
            raise cannot_write(self._root, error) from error
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def store(self, folder: Path, record: ArtifactRecord) -> Artifact:
        """Move a finished build into the store.

        Raises:
            SetupError: the workspace cannot be written.
        """
        parent = self._root / record.kind
        identity = f"{record.address}-{_content_of(record.inputs)}"
        try:
            (folder / _MANIFEST).write_text(json.dumps(to_json(record), indent=1), encoding="utf-8")
            parent.mkdir(parents=True, exist_ok=True)
            target = parent / identity
            with contextlib.suppress(OSError):
                folder.rename(target)
            if not (target / _MANIFEST).exists():
                # An incomplete folder of that name, left by a crash of the machine: replace it.
                shutil.rmtree(target, ignore_errors=True)
                folder.rename(target)
        except OSError as error:
            raise cannot_write(parent, error) from error
        self._prune(parent, record.address)
        return Artifact(target, record)

    def _prune(self, parent: Path, address: str) -> None:
        entries = sorted(parent.glob(f"{address}-*"), key=_modified, reverse=True)
        for old in entries[_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)


def _modified(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _is_current(inputs: Mapping[str, str]) -> bool:
    return all(Path(path).is_file() and file_address(Path(path)) == address for path, address in inputs.items())


def _content_of(inputs: Mapping[str, str]) -> str:
    return content_address(sorted(inputs.values()))[:12]
