"""Texts of editors that are not in their files yet: what a killed studio leaves behind."""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import dataclass, field
from pathlib import Path

from opstudio.base.codec import from_json, to_json
from opstudio.base.files import write_atomic
from opstudio.base.hashing import content_address


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsavedText:
    """A text as it was last typed. Lines end with line feeds, whatever those of the file do."""

    path: str
    text: str
    at: float = field(default_factory=time.time)
    """Seconds since 1970."""


class UnsavedTexts:
    """The unsaved texts of a workspace, a file each."""

    def __init__(self, state: Path) -> None:
        self._folder = state / "unsaved"

    def keep(self, path: Path, text: str) -> None:
        """Keep the text of a file.

        Raises:
            SetupError: the workspace cannot be written.
        """
        write_atomic(self._entry(path), json.dumps(to_json(UnsavedText(path=str(path), text=text)), ensure_ascii=True))

    def forget(self, path: Path) -> None:
        """Forget the text of a file, if one was kept."""
        with contextlib.suppress(OSError):
            self._entry(path).unlink()

    def find(self, path: Path) -> UnsavedText | None:
        """Return the text that was kept of a file."""
        # An error of any of these kinds means that the entry is damaged, or of an older studio.
        with contextlib.suppress(OSError, ValueError, RecursionError):
            return from_json(UnsavedText, json.loads(self._entry(path).read_text(encoding="utf-8")))
        return None

    def _entry(self, path: Path) -> Path:
        return self._folder / f"{content_address(str(path))}.json"
