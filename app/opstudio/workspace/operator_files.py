"""The files below an operator's folder that its Python may import or read, and their address, within bounds."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from opstudio.base.hashing import content_address, file_address
from opstudio.contract.history import HISTORY_FILE
from opstudio.contract.toml_file import CONTRACT_FILE

_MOST_FILES = 2000
_LARGEST_FILE = 32 * 2**20
"""Bytes; of what is larger, size and time of the last change stand for the content."""
_PRODUCTS = frozenset({".a", ".d", ".dll", ".dylib", ".gch", ".o", ".obj", ".pch", ".pyc", ".pyd", ".pyo", ".so"})
_PASSING = frozenset({".bak", ".lock", ".log", ".orig", ".part", ".pid", ".prof", ".rej", ".swp", ".tmp"})
"""What tools leave for a while."""
_DOCUMENTS = frozenset({".md", ".rst"})
_FOLDERS = frozenset({"__pycache__", "build", "dist", "node_modules"})
_KNOWN_APART = frozenset({CONTRACT_FILE, HISTORY_FILE})
"""Read by the studio itself, which keeps their content elsewhere."""
_COARSEST_CLOCK_NS = 2 * 10**9
"""A file that changed this lately may change again without a later time. Source: the resolution of FAT."""

_Signature = tuple[int, int, int, int]
_known: dict[Path, tuple[_Signature, str]] = {}


def is_operator_file(path: Path, folder: Path) -> bool:
    """Whether a path below an operator's folder is of a kind that its Python may read; the file need not be there."""
    *folders, name = path.relative_to(folder).parts
    return _is_kind(name) and all(_is_open(parent) for parent in folders)


def operator_files(folder: Path) -> Iterator[Path]:
    """Yield the files that an operator's Python may read, in the order of their names, up to a bound."""
    left = _MOST_FILES
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if _is_open(name))
        for name in sorted(filter(_is_kind, names))[:left]:
            left -= 1
            yield Path(path) / name


def operator_file_addresses(folder: Path, *, without: Collection[str] = ()) -> dict[str, str]:
    """Return the addresses of these files by their paths below the folder; what goes away meanwhile is left out.

    ``without`` names files, by such paths, that are looked after elsewhere.
    """
    names = {path: path.relative_to(folder).as_posix() for path in operator_files(folder)}
    wanted = (path for path, name in names.items() if name not in without and name not in _KNOWN_APART)
    return {names[path]: address for path, address in file_addresses(wanted).items()}


def file_addresses(paths: Iterable[Path]) -> dict[Path, str]:
    """Return the addresses of files, which are read only where they changed since; what is not there is left out."""
    found: dict[Path, str] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            if address := _address(path):
                found[path] = address
    return found


def _is_open(folder: str) -> bool:
    return not folder.startswith(".") and folder not in _FOLDERS


def _is_kind(name: str) -> bool:
    """Whether a file of that name is neither hidden, nor made by a tool, nor only for people."""
    suffix = Path(name).suffix
    return not (
        name.startswith(".") or name.endswith("~") or "~" in suffix or suffix in _PRODUCTS | _PASSING | _DOCUMENTS
    )


def _address(path: Path) -> str:
    """Return the address of a file, which is read only where it changed since; empty for what is no regular file."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        return ""
    signature = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    if status.st_size > _LARGEST_FILE:
        return content_address(list(signature[:2]))
    if (known := _known.get(path)) is not None and known[0] == signature:
        return known[1]
    address = file_address(path)
    if time.time_ns() - max(signature[1:3]) > _COARSEST_CLOCK_NS:
        _known[path] = (signature, address)
    return address
