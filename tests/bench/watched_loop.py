"""``opstudio watch --json`` as a process of its own, followed line by line."""

from __future__ import annotations

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

    def __init__(self, workspace: Path, operator: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "opstudio", "-C", str(workspace), "watch", operator, "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=command_environment(),
        )
        self._lines: queue.SimpleQueue[tuple[float, dict[str, Any]]] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(timeout=60)

    def next_verdict(self, *, final: bool, timeout: float = 300.0) -> tuple[float, str, list[dict[str, Any]]]:
        """Wait for a verdict; return when it came, what it is, and the stages that ended before it."""
        stages: list[dict[str, Any]] = []
        deadline = time.monotonic() + timeout
        while True:
            at, event = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            if event["event"] == "stage_finished":
                stages.append(event)
            if event["event"] == "verdict_reached" and event["final"] == final:
                return at, event["verdict"], stages

    def drain(self) -> None:
        """Forget what came so far."""
        while not self._lines.empty():
            self._lines.get()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put((time.monotonic(), json.loads(line)))
