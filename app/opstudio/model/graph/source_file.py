"""Bytes of a file by offset. Files are read, not mapped: one that shrinks under a map ends the process that reads it.

Only regular files are opened, and a file that is not the one that was read before is refused.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from types import TracebackType
from typing import Self

from opstudio.base.errors import InputError
from opstudio.base.finding import Place
from opstudio.model.graph.records import (
    FileIdentity,
)


class SourceFile:
    """An open file. It is a context manager; all methods raise :class:`InputError` where the file cannot be read."""

    def __init__(self, path: Path, *, expected: FileIdentity | None = None, follow_links: bool = True) -> None:
        self.path = path
        self._handle = -1
        # Without O_NONBLOCK, opening a pipe that nobody writes to would wait forever.
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow_links else os.O_NOFOLLOW)
        try:
            handle = os.open(path, flags)
        except (OSError, ValueError) as error:
            raise _cannot_read(path, _reason(error)) from error
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            os.close(handle)
            raise _not_a_file(path, status.st_mode)
        self._handle = handle
        self.identity = FileIdentity(
            size=status.st_size, device=status.st_dev, inode=status.st_ino, modified_ns=status.st_mtime_ns
        )
        if expected is not None and self.identity != expected:
            self.close()
            raise _changed(path)

    @property
    def size(self) -> int:
        """The size in bytes when the file was opened."""
        return self.identity.size

    def read(self, offset: int, length: int) -> bytes:
        """Return exactly these bytes."""
        parts: list[bytes] = []
        while length > 0:
            try:
                part = os.pread(self._handle, length, offset)
            except (OSError, OverflowError) as error:
                raise _cannot_read(self.path, _reason(error)) from error
            if not part:
                raise _changed(self.path)
            parts.append(part)
            offset += len(part)
            length -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def close(self) -> None:
        """Close the file; once is enough."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _cannot_read(path: Path, reason: str) -> InputError:
    return InputError.of(
        f"Cannot read {path}",
        cause=reason,
        fix="Check the path and its rights",
        stage="model",
        place=Place(file=str(path)),
    )


def _not_a_file(path: Path, mode: int) -> InputError:
    kind = "a folder" if stat.S_ISDIR(mode) else "a pipe, a socket or a device"
    fix = "Choose a model file in it" if stat.S_ISDIR(mode) else "Choose a model file"
    return InputError.of(
        f"{path} is not a model file", cause=f"It is {kind}", fix=fix, stage="model", place=Place(file=str(path))
    )


def _changed(path: Path) -> InputError:
    return InputError.of(
        f"{path} has changed",
        cause="The file is not the one that was read before",
        fix="Open the model again",
        stage="model",
        place=Place(file=str(path)),
    )
