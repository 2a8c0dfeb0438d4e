"""What an entry point sees of its worker: a way to report, and nothing else of the studio."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from opstudio.base.codec import to_json
from opstudio.worker.fault_page import FaultPage


class WorkerContext:
    """Reports events and progress to the studio."""

    def __init__(self, event_descriptor: int, page: FaultPage, token: str = "") -> None:
        """Report to a descriptor; ``token`` and a running number tell this process's events from anybody else's."""
        self._descriptor = event_descriptor
        self._page = page
        self._token = token
        self._sent = 0

    def emit(self, event: str, **fields: object) -> None:
        """Send an event; records and enums among the fields become JSON."""
        own = {"token": self._token, "number": self._sent}
        self._sent += 1
        message: dict[str, Any] = {"event": event, **{key: to_json(value) for key, value in fields.items()}, **own}
        data = json.dumps(message, separators=(",", ":")).encode("utf-8") + b"\n"
        while data:
            data = data[os.write(self._descriptor, data) :]

    def progress(self, label: str) -> None:
        """Say what comes next; a worker that says nothing for too long is taken for hung."""
        self._page.advance(label)

    def loaded(self, library: str) -> None:
        """Say where a library is mapped, so that addresses in it can be told as lines of source."""
        if (mapped := mapped_range(library)) is not None:
            self.emit("loaded", library=library, first=mapped[0], last=mapped[1])

    @contextmanager
    def timed(self, event: str, **fields: object) -> Iterator[None]:
        """Send an event with the ``seconds`` that the block took."""
        start = time.perf_counter()
        yield
        self.emit(event, seconds=time.perf_counter() - start, **fields)


def mapped_range(library: str) -> tuple[int, int] | None:
    """Return the first and the last address at which a library is mapped in this process.

    Source: proc(5), ``/proc/self/maps``.
    """
    lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    ranges = [line.split()[0].split("-") for line in lines if line.endswith(library)]
    if not ranges:
        return None
    return min(int(low, 16) for low, _ in ranges), max(int(high, 16) for _, high in ranges)
