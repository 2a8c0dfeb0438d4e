"""The versions of the workspace's frameworks, remembered: to ask an interpreter for them takes it seconds of importing.

They hold as long as all that decides them does: the interpreter, its settings, the folders it imports from and the
files of the frameworks. Whatever is installed or removed changes one of those.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.codec import from_json, to_json
from opstudio.base.files import write_atomic

FILES = "files"
"""The entry of a worker's versions that lists, a line each, the files and folders which decide them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Remembered:
    """What an interpreter said, and the state of the files then."""

    interpreter: str
    settings: Mapping[str, str]
    files: Mapping[str, str]
    versions: Mapping[str, str]


def recall_versions(file: Path, python: str) -> Mapping[str, str] | None:
    """Return what the interpreter said the last time; ``None`` where it must be asked again."""
    # A file that is damaged, or of an older studio, is no memory.
    with contextlib.suppress(OSError, ValueError, RecursionError):
        known = from_json(_Remembered, json.loads(file.read_text(encoding="utf-8")))
        asked_alike = known.interpreter == _interpreter(python) and known.settings == _settings()
        if asked_alike and known.files == _states(known.files):
            return known.versions
    return None


def remember_versions(file: Path, python: str, versions: Mapping[str, str]) -> None:
    """Keep what an interpreter says of itself.

    Raises:
        SetupError: the workspace cannot be written.
    """
    files = [shutil.which(python) or python, *versions.get(FILES, "").splitlines()]
    known = _Remembered(
        interpreter=_interpreter(python), settings=_settings(), files=_states(files), versions=dict(versions)
    )
    write_atomic(file, json.dumps(to_json(known), indent=1).encode("utf-8", "backslashreplace"))


def _interpreter(python: str) -> str:
    return os.path.realpath(shutil.which(python) or python) + f" as {python}"


def _settings() -> dict[str, str]:
    """Return the variables that decide where an interpreter imports from."""
    names = ("HOME", "VIRTUAL_ENV")
    return {name: text for name, text in sorted(os.environ.items()) if name in names or name.startswith("PYTHON")}


def _states(paths: Iterable[str]) -> dict[str, str]:
    return {path: _state(Path(path)) for path in paths}


def _state(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return "absent"
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns}"
