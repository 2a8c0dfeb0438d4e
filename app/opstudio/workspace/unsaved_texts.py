"""Texts of editors that are not in their files yet: what a killed studio leaves behind.

Each studio keeps its own, under a number of its own that it holds by a lock: two studios may work on one workspace, and
what one of them still has is nobody else's to offer.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from opstudio.base.codec import from_json, to_json
from opstudio.base.files import write_atomic
from opstudio.base.hashing import content_address

_LOCK = ".lock"


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
        self._session = secrets.token_hex(6)
        self._held: int | None = None

    def keep(self, path: Path, text: str) -> None:
        """Keep the text of a file, as this studio's.

        Raises:
            SetupError: the workspace cannot be written.
        """
        kept = json.dumps(to_json(UnsavedText(path=str(path), text=text)), ensure_ascii=True)
        write_atomic(self._entry(path, self._session), kept)
        self._hold()

    def forget(self, path: Path) -> None:
        """Forget the text of a file that this studio kept, if it did."""
        with contextlib.suppress(OSError):
            self._entry(path, self._session).unlink()
        if next(self._folder.glob(f"*-{self._session}.json"), None) is None:
            self.close()

    def find(self, path: Path) -> UnsavedText | None:
        """Return the newest text of a file that a studio left behind which is no more."""
        found = [text for entry in self._left(path) if (text := _read(entry)) is not None]
        return max(found, key=lambda text: text.at, default=None)

    def discard(self, path: Path) -> None:
        """Remove what studios that are no more left behind of a file: it was taken up or given up."""
        for entry in self._left(path):
            with contextlib.suppress(OSError):
                entry.unlink()
        for lock in self._folder.glob(f"*{_LOCK}"):
            if lock.stem != self._session and not self._is_held(lock.stem):
                with contextlib.suppress(OSError):
                    lock.unlink()

    def close(self) -> None:
        """Give up the lock: what this studio still keeps is left behind."""
        if self._held is not None:
            with contextlib.suppress(OSError):
                self._lock(self._session).unlink()
            os.close(self._held)
            self._held = None

    def _left(self, path: Path) -> Iterator[Path]:
        """Yield the entries of a file whose studio is gone. Older studios kept one, under no number."""
        address = content_address(str(path))
        for entry in self._folder.glob(f"{address}*.json"):
            session = entry.stem.removeprefix(address).removeprefix("-")
            if session != self._session and not self._is_held(session):
                yield entry

    def _is_held(self, session: str) -> bool:
        try:
            descriptor = os.open(self._lock(session), os.O_RDWR)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        else:
            return False
        finally:
            os.close(descriptor)

    def _hold(self) -> None:
        if self._held is None:
            # Where nothing can be locked, the text is offered to everybody: better twice than never.
            with contextlib.suppress(OSError):
                descriptor = os.open(self._lock(self._session), os.O_RDWR | os.O_CREAT, 0o644)
                self._held = descriptor
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _lock(self, session: str) -> Path:
        return self._folder / f"{session}{_LOCK}"

    def _entry(self, path: Path, session: str) -> Path:
        return self._folder / f"{content_address(str(path))}-{session}.json"


def _read(entry: Path) -> UnsavedText | None:
    # An error of any of these kinds means that the entry is damaged, or of an older studio.
    with contextlib.suppress(OSError, ValueError, RecursionError):
        return from_json(UnsavedText, json.loads(entry.read_text(encoding="utf-8")))
    return None
