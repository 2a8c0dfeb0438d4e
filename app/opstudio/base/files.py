"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from pathlib import Path

from opstudio.base.errors import SetupError
from opstudio.base.finding import Place

_LONGEST_PREFIX = 40
"""Characters of a name that its temporary file repeats; the whole name may be as long as the system allows."""


def write_atomic(path: Path, content: bytes | str) -> None:
    """Replace ``path`` by ``content`` in one step, so that no reader and no crash ever sees half a file.

    A link stays; the file it leads to is replaced.

    Raises:
        SetupError: the folder cannot be written or is full, or a pipe, a socket or a device stands there; what stood
            there before is untouched.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    # Unlike Path.resolve() it endures links in a circle.
    target = Path(os.path.realpath(path))
    if target.exists() and not (target.is_file() or target.is_dir()):
        # Putting a file in its place would take it from everybody.
        raise cannot_write(path, OSError(errno.EINVAL, "a pipe, a socket or a device stands there"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        prefix = f".{target.name[:_LONGEST_PREFIX]}."
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=".part", dir=target.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files private; what people share keeps the usual rights.
        temporary.chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
        temporary.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise cannot_write(path, error) from error
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def cannot_write(path: Path, error: OSError) -> SetupError:
    """Turn the system's refusal to write ``path`` into an error that says what to do."""
    reasons = {
        errno.ENOSPC: ("the disk is full", "Free some space and try again; the old file was kept"),
        errno.EDQUOT: ("your disk quota is used up", "Free some space and try again; the old file was kept"),
        errno.EROFS: ("the file system is read-only", "Copy the workspace to a folder that you may write"),
        errno.EACCES: ("you may not write there", "Copy the workspace to a folder that you own, or change its rights"),
        errno.EPERM: ("you may not write there", "Copy the workspace to a folder that you own, or change its rights"),
        errno.ENOTDIR: ("a file stands where a folder is needed", "Move that file away"),
        errno.EEXIST: ("a file stands where a folder is needed", "Move that file away"),
    }
    cause, fix = reasons.get(error.errno or 0, (error.strerror or str(error), "Check the path and its rights"))
    return SetupError.of(f"Cannot write {path}", cause=cause, fix=fix, place=Place(file=str(path)))


def _umask() -> int:
    # Linux states it without the race of setting and restoring it; elsewhere the usual value serves.
    with contextlib.suppress(OSError, StopIteration, ValueError):
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith("Umask:")), 8)
    return 0o022
