"""The processes that a process started, their own ones included, found and ended. Source: proc(5), prctl(2)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_HELPERS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver", "torch/_inductor/compile_worker")
"""What Python and PyTorch start for themselves and leave to end with the process."""
_ROUNDS = 50
"""How often ending them is tried: each may start another one until it is stopped."""


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends, so that none gets out of reach."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children_of(pid: int) -> list[int]:
    """Return the processes whose parent a process is; none where it has ended."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


def descendants_of(pid: int, *, most: int = 100_000) -> list[int]:
    """Return all processes below a process, up to a number of them."""
    found: list[int] = []
    waiting = children_of(pid)
    while waiting and len(found) < most:
        found.append(waiting.pop())
        waiting += children_of(found[-1])
    return found


def thread_count(pid: int) -> int:
    """Return how many threads a process has; 0 where it has ended."""
    with contextlib.suppress(OSError):
        return sum(1 for _ in Path(f"/proc/{pid}/task").iterdir())
    return 0


def command_of(pid: int) -> str:
    """Return the command line of a process; empty where it has ended."""
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
        return text.replace("\0", " ").strip()
    return ""


def end_orphans(own: set[int]) -> list[str]:
    """End the children of this process that are not among its ``own`` ones, and all below them.

    Returns:
        The command lines of those that were still running, without the frameworks' own helpers.
    """
    left: dict[int, str] = {}
    for _ in range(_ROUNDS):
        orphans = [pid for pid in children_of(os.getpid()) if pid not in own]
        if not orphans:
            break
        # Who is stopped starts nothing more.
        found = [*orphans, *(below for pid in orphans for below in descendants_of(pid))]
        for pid in found:
            left.setdefault(pid, command_of(pid))
            _send(pid, signal.SIGSTOP)
        for pid in found:
            _send(pid, signal.SIGKILL)
        for pid in orphans:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
    return [command for command in left.values() if command and not any(name in command for name in _HELPERS)]


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
