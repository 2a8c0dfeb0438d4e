"""The texts that an operator is made of, read at one moment, within bounds."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.hashing import content_address

HEADER_SUFFIXES = frozenset({".h", ".hh", ".hpp", ".hxx", ".cuh", ".inc", ".inl"})
SOURCE_SUFFIXES = HEADER_SUFFIXES | {".cpp", ".cc", ".cxx", ".c", ".cu", ".py", ".toml"}
_MOST_FILES = 200
_LARGEST_FILE = 256 * 1024
_MOST_BYTES = 2 * 1024 * 1024
"""Of all texts of a snapshot together."""
_DIGITS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file of a snapshot: its path relative to the operator's folder, and the address of its content.

    ``kept`` says that the content itself is there as well: it is text, and within the bounds.
    """

    name: str
    address: str
    size_bytes: int
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Files and, by address, the content of those that are kept."""

    files: tuple[SourceFile, ...]
    contents: Mapping[str, bytes]

    @property
    def address(self) -> str:
        """Changes whenever a file is added, removed, renamed or changed."""
        return sources_address(self.files)


def sources_address(files: tuple[SourceFile, ...]) -> str:
    """Return the address of a set of files."""
    return content_address({file.name: file.address for file in files})


def take_snapshot(folder: Path) -> Snapshot:
    """Read all sources of an operator's folder; what goes away meanwhile is left out."""
    return snapshot_of({path.relative_to(folder).as_posix(): path for path in source_files(folder)})


def snapshot_of(paths: Mapping[str, Path]) -> Snapshot:
    """Read files under the names that are given, in the order of these."""
    files: list[SourceFile] = []
    contents: dict[str, bytes] = {}
    left = _MOST_BYTES
    for name, path in sorted(paths.items())[:_MOST_FILES]:
        with contextlib.suppress(OSError):
            content = path.read_bytes()
            address = hashlib.sha256(content).hexdigest()[:_DIGITS]
            kept = len(content) <= min(_LARGEST_FILE, left) and b"\0" not in content
            files.append(SourceFile(name=name, address=address, size_bytes=len(content), kept=kept))
            if kept and address not in contents:
                contents[address] = content
                left -= len(content)
    return Snapshot(tuple(files), contents)


def joined(first: Snapshot, second: Snapshot) -> Snapshot:
    """Return the files of both; of a name that both have, the first's."""
    names = {file.name for file in first.files}
    files = (*first.files, *(file for file in second.files if file.name not in names))
    return Snapshot(tuple(sorted(files, key=lambda file: file.name)), {**second.contents, **first.contents})


def source_files(folder: Path, suffixes: frozenset[str] = SOURCE_SUFFIXES) -> Iterator[Path]:
    """Yield the files below a folder that have one of the suffixes and are not hidden, in the order of their names."""
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(names):
            if Path(name).suffix in suffixes and not name.startswith("."):
                yield Path(path) / name
