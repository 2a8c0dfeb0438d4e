"""The model files of a workspace, and those from elsewhere that were opened last."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import SetupError
from opstudio.base.files import write_atomic
from opstudio.workspace.folder import STATE_FOLDER

MODEL_SUFFIXES = (".onnx", ".ort")
_LEFT_OUT = frozenset({STATE_FOLDER, ".git", "__pycache__", "node_modules"})
_ENVIRONMENT_FILE = "pyvenv.cfg"
"""Stands in the folder of every virtual environment."""
_MOST_MODELS = 2_000
_MOST_NAMES = 200_000
_MOST_LAST = 12
_RECENT_FILE = "recent_models.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundModels:
    """Model files by their paths. ``is_complete`` says whether the whole folder was looked through."""

    files: tuple[Path, ...]
    is_complete: bool


def find_model_files(
    root: Path,
    checkpoint: Callable[[], None] = lambda: None,
    *,
    most_models: int = _MOST_MODELS,
    most_names: int = _MOST_NAMES,
) -> FoundModels:
    """Look for model files below a folder, in the order of their paths.

    Links are followed to files within the folder only. Folders of the studio, of version control, of caches and of
    virtual environments are left out.

    Args:
        root: where to look.
        checkpoint: is called for each folder, and may raise to end the search.
        most_models: so many are returned.
        most_names: so many names of files are looked at.
    """
    found: list[Path] = []
    names_seen = 0
    is_complete = True
    real_root = Path(os.path.realpath(root))
    for folder, folders, names in os.walk(root):
        checkpoint()
        folders[:] = sorted(name for name in folders if _may_enter(Path(folder, name)))
        names_seen += len(names)
        if names_seen > most_names:
            is_complete = False
            break
        found.extend(path for name in names if _is_model(path := Path(folder, name), real_root))
        if len(found) > most_models:
            is_complete = False
            break
    found.sort(key=lambda path: path.relative_to(root).parts)
    return FoundModels(files=tuple(found[:most_models]), is_complete=is_complete)


class RecentModels:
    """The models from elsewhere that were opened last, kept among what a workspace can do without."""

    def __init__(self, state: Path) -> None:
        """Keep them in the state folder of a workspace."""
        self._file = state / _RECENT_FILE
        self._paths: list[Path] | None = None

    @property
    def paths(self) -> tuple[Path, ...]:
        """The models, the newest first; those that are gone are left out."""
        return tuple(path for path in self._known() if path.is_file())

    def note(self, path: Path) -> None:
        """Put a model first. Where it cannot be written, it is known until the window closes."""
        known = [path, *(other for other in self._known() if other != path)][:_MOST_LAST]
        if known != self._paths:
            self._paths = known
            with contextlib.suppress(SetupError):
                write_atomic(self._file, json.dumps([str(item) for item in known], indent=1) + "\n")

    def _known(self) -> list[Path]:
        if self._paths is None:
            self._paths = list(_stored(self._file))[:_MOST_LAST]
        return self._paths


def _stored(file: Path) -> Iterable[Path]:
    """Yield what a file lists; one that is damaged lists nothing."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        listed = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(listed, list):
            return [Path(item) for item in listed if isinstance(item, str) and Path(item).is_absolute()]
    return []


def _may_enter(folder: Path) -> bool:
    return folder.name not in _LEFT_OUT and not folder.is_symlink() and not (folder / _ENVIRONMENT_FILE).exists()


def _is_model(path: Path, real_root: Path) -> bool:
    if path.suffix.lower() not in MODEL_SUFFIXES:
        return False
    # Unlike Path.resolve() it endures links in a circle.
    real = Path(os.path.realpath(path))
    return real.is_relative_to(real_root) and real.is_file()
