"""``opstudio watch --json`` as a process of its own, followed line by line."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.workspaces import command_environment


class WatchedLoop:
    """A running watch. Lines are stamped as they arrive."""

    def __init__(self, workspace: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "opstudio", "-C", str(workspace), "watch", *arguments, "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=command_environment(),
        )
        self._lines: queue.SimpleQueue[tuple[float, dict[str, Any]]] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(timeout=60)
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def next_verdict(
        self, *, final: bool, operator: str | None = None, timeout: float = 300.0
    ) -> tuple[float, str, list[dict[str, Any]]]:
        """Wait for a verdict; return when it came, what it is, and the stages that ended before it."""
        stages: list[dict[str, Any]] = []
        deadline = time.monotonic() + timeout
        while True:
            at, event = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            if operator is not None and event.get("operator") != operator:
                continue
            if event["event"] == "stage_finished":
                stages.append(event)
            if event["event"] == "verdict_reached" and event["final"] == final:
                return at, event["verdict"], stages

    def events_within(self, seconds: float) -> list[dict[str, Any]]:
        """Return what comes within a time."""
        events: list[dict[str, Any]] = []
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                events.append(self._lines.get(timeout=left)[1])
        return events

    def wait_for_the_end(self, timeout: float = 60.0) -> int:
        """Wait until the watch ends by itself; return its exit code."""
        return self._process.wait(timeout)

    def drain(self) -> None:
        """Forget what came so far."""
        while not self._lines.empty():
            self._lines.get()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put((time.monotonic(), json.loads(line)))
