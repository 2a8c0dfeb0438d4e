"""The memory that a worker shares with the studio: how far it is, and how it ended.

The second part is written by ``plugins/worker/fault_recorder.cpp``, whose structures these are.
"""

from __future__ import annotations

import mmap
import os
import struct
from dataclasses import dataclass

EXIT_CODE = 86
"""The exit status of a worker in which a kernel called ``exit()``."""
MUTE_CODE = 87
"""The exit status of a worker that cannot speak to the studio any more: a kernel closed the descriptor for it."""

_FRAMES = 48
_SAMPLES = 16
_TRACE = struct.Struct(f"<Q{_FRAMES}Q")
_HEAD = struct.Struct("<iiQ")
_COUNT = struct.Struct("<Q")
_PROGRESS = struct.Struct("<Q256s")

PROGRESS_OFFSET = 0
FAULT_OFFSET = 4096
PAGE_BYTES = FAULT_OFFSET + 4 * 4096


class FaultKind:
    """What the recorder saw; the numbers of ``Kind`` in the C++ source."""

    NONE = 0
    SIGNAL = 1
    STACK_OVERFLOW = 2
    EXIT = 3


@dataclass(frozen=True, slots=True)
class Fault:
    """How a process ended, as its last handler saw it. Addresses are those of the dead process."""

    kind: int
    signal: int
    address: int
    frames: tuple[int, ...]
    samples: tuple[tuple[int, ...], ...]


class FaultPage:
    """The shared memory, from either side."""

    def __init__(self, descriptor: int | None = None) -> None:
        """Map the memory behind a descriptor, or create it."""
        self.descriptor = os.memfd_create("opstudio-faults") if descriptor is None else descriptor
        if descriptor is None:
            os.ftruncate(self.descriptor, PAGE_BYTES)
        self.memory = mmap.mmap(self.descriptor, PAGE_BYTES)
        self._count = 0

    def advance(self, label: str) -> None:
        """Note progress: the worker is alive and about to do what ``label`` says."""
        self._count += 1
        text = label.encode("utf-8", "replace")[:255]
        _PROGRESS.pack_into(self.memory, PROGRESS_OFFSET, self._count, text)

    def progress(self) -> tuple[int, str]:
        """Return how often progress was noted, and the last label."""
        count, text = _PROGRESS.unpack_from(self.memory, PROGRESS_OFFSET)
        return count, text.rstrip(b"\0").decode("utf-8", "replace")

    def fault(self) -> Fault:
        """Return what the recorder wrote."""
        kind, signal, address = _HEAD.unpack_from(self.memory, FAULT_OFFSET)
        offset = FAULT_OFFSET + _HEAD.size
        frames = self._trace(offset)
        offset += _TRACE.size
        (count,) = _COUNT.unpack_from(self.memory, offset)
        offset += _COUNT.size
        samples = tuple(self._trace(offset + index * _TRACE.size) for index in range(min(count, _SAMPLES)))
        return Fault(kind, signal, address, frames, samples)

    def close(self) -> None:
        """Unmap the memory."""
        self.memory.close()
        os.close(self.descriptor)

    def _trace(self, offset: int) -> tuple[int, ...]:
        count, *addresses = _TRACE.unpack_from(self.memory, offset)
        return tuple(addresses[: min(count, _FRAMES)])
