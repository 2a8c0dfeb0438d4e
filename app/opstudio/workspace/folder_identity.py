"""What tells a folder from another one that stands under its path later, and stays whatever is done inside of it."""

from __future__ import annotations

import ctypes
import os
import struct
from dataclasses import dataclass
from pathlib import Path

_AT_FDCWD = -100
_STATX_BTIME = 0x800
_BUFFER_BYTES = 256
_MASK_OFFSET, _BTIME_OFFSET = 0, 80
"""Source: struct statx in linux/stat.h, which is the same on every processor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderIdentity:
    """When a folder was made, in nanoseconds since 1970 (``None`` where the file system does not tell), and its inode.

    The number of the device is left out: network disks and Btrfs get another one at each mount.
    """

    created_ns: int | None
    inode: int

    def is_of(self, other: FolderIdentity) -> bool:
        """Whether ``other``, seen now, is the folder whose identity this was."""
        # Inodes are used again at once (ext4), or change from mount to mount (FAT, sshfs): they serve where nothing
        # else is known.
        if self.created_ns is not None:
            return self.created_ns == other.created_ns
        return self.inode == other.inode


def identity_of(folder: Path) -> FolderIdentity | None:
    """Return the identity of a folder; ``None`` if it is not there."""
    try:
        inode = folder.stat().st_ino
    except (OSError, ValueError):
        return None
    return FolderIdentity(created_ns=_created_ns(folder), inode=inode)


def _created_ns(path: Path) -> int | None:
    """Ask the system for what Python's own stat does not tell."""
    statx = getattr(ctypes.CDLL(None), "statx", None)
    buffer = ctypes.create_string_buffer(_BUFFER_BYTES)
    if statx is None or statx(_AT_FDCWD, os.fsencode(path), 0, _STATX_BTIME, buffer) != 0:
        return None
    (mask,) = struct.unpack_from("=I", buffer, _MASK_OFFSET)
    seconds, nanoseconds = struct.unpack_from("=qI", buffer, _BTIME_OFFSET)
    return seconds * 10**9 + nanoseconds if mask & _STATX_BTIME else None
